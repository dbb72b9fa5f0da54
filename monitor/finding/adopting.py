"""A run that is followed already, from a pipe too, has its place in the list."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from monitor.agents.listed import Listed
from monitor.finding.survey import Sighting
from monitor.launch.launched import Launched
from monitor.supervisor import Supervisor

_HOW = "this monitor follows it"


def with_adopted(sighting: Sighting, adopted: Supervisor | None) -> Sighting:
    """What was seen, and the run that is followed already, which may stand nowhere else."""
    if adopted is None:
        return sighting
    record = next((one for one in sighting.runs if _is_record(adopted, one)), None)
    others = tuple(one for one in sighting.runs if one is not record)
    if any(belongs(adopted, one) for one in others):
        return replace(sighting, runs=others)
    run = replace(record or _listed(adopted), state="ended" if adopted.ended else "live", how=_HOW)
    return replace(sighting, runs=(run, *others))


def belongs(adopted: Supervisor, listed: Listed) -> bool:
    """Whether a run that is followed is the one listed: by its name, its files, or the record that is kept of it."""
    found = adopted.found
    if listed.path is None:
        return listed.key == _listed(adopted).key
    if isinstance(found, Launched):
        return found.folder == listed.path
    if _is_record(adopted, listed) or (found.agent == listed.agent and found.title in (listed.session, listed.alias)):
        return True
    paths = [_real(one.path) for one in found.inputs() if one.path is not None]
    return any(_real(listed.path) in (path, path.parent) for path in paths)


def _is_record(adopted: Supervisor, listed: Listed) -> bool:
    return adopted.journal is not None and adopted.journal.path == listed.path


def _listed(adopted: Supervisor) -> Listed:
    """What is known of a run that stands in no folder."""
    found = adopted.found
    folder = found.project()
    return Listed(
        found.agent or "other", found.title, None, "live", _HOW, str(folder) if folder is not None else "",
        name=adopted.snapshot.run.agent,
    )  # fmt: skip


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))

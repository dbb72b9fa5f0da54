"""Lists Claude Code's sessions: its transcripts, and the processes that say they carry one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from monitor.agents.claude.about import About, about
from monitor.agents.claude.find import is_session
from monitor.agents.claude.process import Carrier, can_verify, carriers, config_folder
from monitor.agents.listed import Ends, Listed, ListedState, Machine, Program

_STATES: dict[str | None, ListedState] = {"busy": "live", "idle": "idle", "waiting": "waiting"}


class ClaudeLister:
    """Knows where Claude Code of this user keeps its sessions."""

    def places(self) -> Sequence[Path]:
        """The folder of projects."""
        return (config_folder() / "projects",)

    def listed(self, machine: Machine, ends: Ends) -> Iterable[Listed]:
        """Every session, and every live process that has not written one yet."""
        carried = {one.session: one for one in carriers()}
        known = {one.pid for one in carried.values()}
        strays = [one for one in machine.programs("claude", "claude-code") if one.pid not in known]
        for path in _transcripts():
            found = ends.of(path, about)
            if found is not None and found[0].known:
                carrier = carried.pop(path.stem, None)
                yield _session(_Seen(path, found[0], found[1]), carrier, strays)
        yield from (_begun(one) for one in carried.values() if one.verified)


LISTER = ClaudeLister()


@dataclass(frozen=True, slots=True)
class _Seen:
    path: Path
    about: About
    last: float


def _session(seen: _Seen, carrier: Carrier | None, strays: Sequence[Program]) -> Listed:
    state, how, pid = _standing(seen, carrier, strays)
    own = carrier.folder if carrier is not None and carrier.verified else ""
    return Listed(
        agent="claude",
        session=seen.path.stem,
        path=seen.path,
        state=state,
        how=how,
        folder=own or seen.about.folder,
        title=seen.about.title,
        began=seen.about.began,
        last=seen.last,
        pid=pid,
        version=(carrier.version if carrier is not None else "") or seen.about.version,
    )


def _standing(seen: _Seen, carrier: Carrier | None, strays: Sequence[Program]) -> tuple[ListedState, str, int | None]:
    """The state, how it is known, and the process."""
    if carrier is None:
        return _unclaimed(seen, strays)
    if carrier.verified:
        said = f"process {carrier.pid} says {carrier.status or 'nothing'} of itself"
        return _STATES.get(carrier.status, "live"), said, carrier.pid
    if not carrier.here:
        return "unknown", f"process {carrier.pid} carries it in another container", None
    if not can_verify():
        return "unknown", f"this system does not tell whether process {carrier.pid} is the one that carried it", None
    said = f", though its file still says {carrier.status}" if carrier.status else ""
    return "ended", f"its process {carrier.pid} is gone{said}", None


def _unclaimed(seen: _Seen, strays: Sequence[Program]) -> tuple[ListedState, str, int | None]:
    """No process says that it carries this session."""
    there = [one for one in strays if one.may_write(seen.about.folder, seen.last)]
    if there:
        pid = there[-1].pid
        return "unknown", f"process {pid} of Claude Code works in its folder, and does not say on which session", pid
    return "ended", "no running process names this session", None


def _begun(carrier: Carrier) -> Listed:
    state = _STATES.get(carrier.status, "live")
    how = f"process {carrier.pid} says {carrier.status or 'nothing'} of itself; it has written no transcript yet"
    return Listed(
        "claude", carrier.session, None, state, how, carrier.folder, pid=carrier.pid, version=carrier.version,
        began=carrier.began, last=carrier.began,
    )  # fmt: skip


def _transcripts() -> Iterator[Path]:
    try:
        projects = [entry.path for entry in os.scandir(config_folder() / "projects") if entry.is_dir()]
    except OSError:
        return
    for project in projects:
        try:
            names = [entry.name for entry in os.scandir(project) if is_session(entry.name)]
        except OSError:
            continue
        folder = Path(project)
        yield from (folder / name for name in names)

"""Lists dirtywork's runs by their `run.json`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

from monitor.agents.dirtywork import process
from monitor.agents.dirtywork.decode import RUN, TRANSCRIPT
from monitor.agents.dirtywork.find import home, run_of
from monitor.agents.fields import Object, moment, raw, text, whole
from monitor.agents.listed import Ends, Listed, ListedState, Machine
from monitor.text import first_line, shorten

_LONGEST = 200


class DirtyworkLister:
    """Knows where dirtywork of this user keeps its runs."""

    def places(self) -> Sequence[Path]:
        """The folder of runs."""
        return (home(),)

    def listed(self, machine: Machine, ends: Ends) -> Iterable[Listed]:
        """Every run that has a `run.json`."""
        del machine
        for folder in _folders():
            told = ends.of(folder / RUN, partial(_whole, folder / RUN))
            if told is not None and told[0] is not None:
                yield _run(folder, told[0], _written(folder, told[1]))


LISTER = DirtyworkLister()


def _whole(path: Path, head: bytes, tail: bytes) -> Object | None:
    """The document, which is read to its end: its keys stand in the order of the alphabet."""
    del head, tail
    return run_of(path)


def _run(folder: Path, found: Object, last: float) -> Listed:
    lives = process.of_run(found)
    state, how = _standing(found, lives is not None)
    own = raw(found, "worktree") if lives is not None and raw(found, "sandbox") == "none" else ""
    return Listed(
        agent="dirtywork",
        session=folder.name,
        path=folder,
        state=state,
        how=how,
        folder=own or text(found, "repo"),
        title=shorten(first_line(raw(found, "task")), _LONGEST),
        began=moment(found.get("started")),
        last=moment(found.get("ended")) or last,
        pid=lives.pid if lives is not None else None,
    )


def _standing(found: Object, lives: bool) -> tuple[ListedState, str]:
    status, pid = text(found, "status")[:40], whole(found, "host_pid")
    if lives:
        return "live", f"process {pid} works on it, as run.json says"
    if status == "running":
        return "ended", f"run.json says running, but its process {pid} is gone"
    return "ended", f"run.json says {status or 'nothing'}"


def _written(folder: Path, at: float) -> float:
    """When the run last wrote: a review rewrites run.json long after."""
    try:
        return (folder / TRANSCRIPT).stat().st_mtime
    except OSError:
        return at


def _folders() -> Iterator[Path]:
    try:
        names = sorted(entry.name for entry in os.scandir(home()) if entry.is_dir())
    except OSError:
        return
    for name in names:
        yield home() / name

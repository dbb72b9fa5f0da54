"""Lists OpenHands' conversations; no file of theirs names the process that works on one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from monitor.agents.fields import moment, part, parts, raw, read_object
from monitor.agents.listed import Ends, Listed, ListedState, Machine, Program
from monitor.agents.openhands.kept import event_files, home, state_of
from monitor.streams.files import read_head
from monitor.text import clean, first_line, shorten

_LONGEST = 200
_FIRST = 4
"""Events among which the first prompt is looked for."""
_LARGEST = 1 << 20
_OVER = ("finished", "error", "stuck", "stopped")
"""What its state says when nothing works on it any more, until somebody asks again."""


class OpenHandsLister:
    """Knows where OpenHands' own program keeps its conversations."""

    def places(self) -> Sequence[Path]:
        """The folder of conversations."""
        return (home(),)

    def listed(self, machine: Machine, ends: Ends) -> Iterable[Listed]:
        """Every conversation that has an event."""
        running = machine.programs("openhands")
        for folder in _folders():
            found = ends.of(folder / "base_state.json", partial(_about, folder))
            if found is not None and found[0].known:
                yield _run(folder, found[0], found[1], running)


LISTER = OpenHandsLister()


@dataclass(frozen=True, slots=True)
class _About:
    known: bool
    status: str = ""
    folder: str = ""
    title: str = ""
    began: float | None = None


def _about(folder: Path, head: bytes, tail: bytes) -> _About:
    """What its state says, which is read to its end, and its first events."""
    del head, tail
    state = state_of(folder)
    title, began = "", None
    first = event_files(folder)[:_FIRST]
    for _, path in first:
        found = read_object(read_head(Path(path), _LARGEST))
        if isinstance(found, str):
            continue
        began = moment(found.get("timestamp")) if began is None else began
        if not title and raw(found, "source") == "user":
            title = next((raw(one, "text") for one in parts(part(found, "llm_message"), "content")), "")
    status, place = clean(str(state.get("status") or "")), clean(str(state.get("folder") or ""))
    return _About(bool(first), status[:40], place, shorten(first_line(title), _LONGEST), began)


def _run(folder: Path, about: _About, last: float, running: Sequence[Program]) -> Listed:
    there = [one for one in running if one.may_write(about.folder, last)]
    state, how, pid = _standing(about.status, there)
    return Listed(
        "openhands", clean(folder.name), folder, state, how, about.folder, about.title, about.began, last, pid
    )


def _standing(status: str, there: Sequence[Program]) -> tuple[ListedState, str, int | None]:
    """The state, how it is known, and the process."""
    if status in _OVER and not there:
        return "ended", f"its state says {status}", None
    if there:
        pid = there[-1].pid
        return "unknown", f"process {pid} of OpenHands works in its folder, and does not say on which conversation", pid
    return "unknown", f"its state says {status or 'nothing'}, and no process of OpenHands is seen in its folder", None


def _folders() -> Iterator[Path]:
    try:
        names = sorted(entry.path for entry in os.scandir(home()) if entry.is_dir())
    except OSError:
        return
    yield from map(Path, names)

"""Lists the monitor's own journals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from monitor.agents.fields import read_object, text
from monitor.agents.listed import Ends, Listed, ListedState, Machine
from monitor.config import state_folder
from monitor.errors import MonitorError
from monitor.journal import Header, read_header
from monitor.text import first_line, line, shorten

_LONGEST = 200
"""Characters of a title."""
_ENDS = (b'"event":"RunEnded"', b'"what":"gone"', b'"what":"end"')
"""What the last lines of a journal hold when its run was seen to end."""


class JournalLister:
    """Knows where the monitor keeps its record of runs."""

    def places(self) -> Sequence[Path]:
        """The folder of journals; none where there is no state folder to be had."""
        try:
            return (state_folder("journals"),)
        except MonitorError:
            return ()

    def listed(self, machine: Machine, ends: Ends) -> Iterable[Listed]:
        """Every journal, under the name of the run it is a record of, where that tells it from others; else its own.

        Of one session that was followed from a pipe or a file several times the newest journal stands for all.
        """
        del machine
        newest: dict[tuple[str, str], Listed] = {}
        for folder in self.places():
            for path in sorted(folder.glob("*.jsonl")):
                found = ends.of(path, _told)
                if found is not None and found[0] is not None:
                    one, session = _journal(path, found[0], found[1]), found[0].session
                    newest[(one.agent, session) if session and found[0].header.nameless else ("", path.stem)] = one
        yield from newest.values()


LISTER = JournalLister()


@dataclass(frozen=True, slots=True)
class _Told:
    """What a journal's first and last lines tell."""

    header: Header
    over: bool
    agent: str = ""
    session: str = ""
    asked: str = ""


def _told(head: bytes, tail: bytes) -> _Told | None:
    header = read_header(head)
    if header is None:
        return None
    lines = [read_object(one) for one in head.splitlines()[1:]]
    events = [one for one in lines if isinstance(one, dict)]
    return _Told(
        header,
        any(word in tail for word in _ENDS),
        next((text(one, "agent") for one in events if one.get("event") == "RunStarted"), ""),
        next((text(one, "session") for one in events if one.get("event") == "RunStarted"), ""),
        next((text(one, "text") for one in events if one.get("event") == "Prompted"), ""),
    )


def _journal(path: Path, told: _Told, last: float) -> Listed:
    header = told.header
    state: ListedState = "ended" if told.over else "unknown"
    how = "monitor's journal holds its end" if told.over else "monitor's journal holds no end of it"
    return Listed(
        header.agent or line(told.agent) or "native", path.stem if header.nameless else header.run, path, state, how,
        title=shorten(first_line(told.asked), _LONGEST) or line(header.run), began=header.began, last=last, ours=True,
        alias="" if header.nameless else line(told.session),
    )  # fmt: skip

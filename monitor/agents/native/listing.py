"""Lists the monitor's own journals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from monitor.agents.fields import read_object, text
from monitor.agents.listed import Ends, Listed, ListedState, Machine
from monitor.agents.native.find import written_now
from monitor.config import state_path
from monitor.journal import Header, read_header
from monitor.text import first_line, line, shorten

_LONGEST = 200
"""Characters of a title."""
_GROWN = 10.0
"""Seconds after which a journal that grows is read again: its end is of use once its run is followed no more."""
_ENDS = (b'"event":"RunEnded"', b'"what":"gone"', b'"what":"end"')
"""What the last lines of a journal hold when its run was seen to end."""


class JournalLister:
    """Knows where the monitor keeps its record of runs."""

    def places(self) -> Sequence[Path]:
        """The folder of journals, which need not be there."""
        return (state_path("journals"),)

    def listed(self, machine: Machine, ends: Ends) -> Iterable[Listed]:
        """Every journal, under the name of the run it is a record of, where that tells it from others; else its own.

        Of one session that was followed from a pipe or a file several times the newest journal stands for all.
        """
        del machine
        newest: dict[tuple[str, str], Listed] = {}
        writes: dict[tuple[int, float], bool] = {}
        for folder in self.places():
            for path in sorted(folder.glob("*.jsonl")):
                found = ends.of(path, _told, grown=_GROWN)
                if found is not None and found[0] is not None and not _of_another(found[0].header, folder):
                    one, session = _journal(path, found[0], found[1], writes), found[0].session
                    newest[(one.agent, session) if session and found[0].header.nameless else ("", path.stem)] = one
        yield from newest.values()


LISTER = JournalLister()


def _of_another(header: Header, folder: Path) -> bool:
    """Whether it only repeats another journal, which stands for the run itself."""
    return any(name.endswith(".jsonl") and "/" not in name and (folder / name).exists() for name in header.inputs)


@dataclass(frozen=True, slots=True)
class _Told:
    """What a journal's first and last lines tell."""

    header: Header
    over: bool
    agent: str = ""
    session: str = ""
    asked: str = ""
    folder: str = ""


def _told(head: bytes, tail: bytes) -> _Told | None:
    header = read_header(head)
    if header is None:
        return None
    lines = [read_object(one) for one in head.splitlines()[1:]]
    events = [one for one in lines if isinstance(one, dict)]
    started = [one for one in events if one.get("event") == "RunStarted" and not one.get("actor")]
    return _Told(
        header,
        any(word in tail for word in _ENDS),
        next((text(one, "agent") for one in started), ""),
        next((text(one, "session") for one in started), ""),
        next((text(one, "text") for one in events if one.get("event") == "Prompted"), ""),
        next((found for one in started if (found := text(one, "cwd") or text(one, "project"))), ""),
    )


def _journal(path: Path, told: _Told, last: float, writes: dict[tuple[int, float], bool]) -> Listed:
    """Its entry; `writes` holds which monitors still run, as far as it was asked: one may write many."""
    header = told.header
    state: ListedState = "ended" if told.over else "unknown"
    how = (
        "monitor's journal holds its end"
        if told.over
        else f"monitor's journal holds no end of it{_writer(header, writes)}"
    )
    return Listed(
        header.agent or line(told.agent) or "native", path.stem if header.nameless else header.run, path, state, how,
        folder=line(told.folder), title=shorten(first_line(told.asked), _LONGEST) or line(header.run),
        began=header.began, last=last, ours=True, alias="" if header.nameless else line(told.session),
        name=line(told.agent),
    )  # fmt: skip


def _writer(header: Header, writes: dict[tuple[int, float], bool]) -> str:
    """What is known of the monitor that writes a journal."""
    if not header.pid:
        return ""
    who = header.pid, header.started
    if who not in writes:
        writes[who] = written_now(header)
    return ", but the monitor that writes it still runs" if writes[who] else ", and its monitor is gone"

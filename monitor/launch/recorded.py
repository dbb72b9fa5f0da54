"""What monitors wrote down of a run that was started: their journals, and how far each of them saw it."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from glob import escape
from pathlib import Path
from typing import Any

import msgspec

from monitor.agents.native.decode import JournalDecoder
from monitor.agents.native.find import FINDER, JournalFile
from monitor.agents.protocol import Decoder
from monitor.config import state_folder
from monitor.errors import MonitorError
from monitor.events import Acted, Place, Unreadable
from monitor.streams.open import open_reader
from monitor.streams.record import Input, Record

_MEASURED = frozenset({"TreeMeasured", "FileChanged", "Looked", "Acted"})
_AT_ONCE = 1 << 20
_GAP = "the journal lost"
"""How the journal's own note of what it could not keep begins."""


class _Line(msgspec.Struct):
    """As much of a journaled event as tells how far its monitor saw."""

    event: Any = None
    place: Place = Place()
    what: Any = None
    text: Any = None
    action: Any = None
    actor: Any = None
    by: Any = None


_LINES = msgspec.json.Decoder(_Line)


@dataclass(slots=True)
class Recorded:
    """One monitor's journal of a run."""

    file: JournalFile
    whole: bool = True
    """Nothing in it is lost or cannot be read."""
    gone: bool = False
    """It saw the process gone."""
    seen: int = 0
    """How often it says what its monitor measured, saw or did."""
    ends: dict[int, int] = field(default_factory=dict)
    """Where the latest record ends of which it tells, by input."""
    aborts: dict[str, Acted] = field(default_factory=dict)
    """The latest of each abort since the latest prompt."""

    @property
    def worth(self) -> tuple[bool, int, float]:
        """What makes it the fuller one of two that saw the whole run: an end by hand, then what was seen."""
        done = any(one.receipt == "done" for one in self.aborts.values())
        return done, self.seen, -self.file.header.began

    @property
    def shown(self) -> str:
        """Its path, as a shell takes it."""
        return shlex.quote(str(self.file.inputs()[0].path))

    def covers(self, inputs: Sequence[Input], decoder: Decoder) -> bool:
        """Whether nothing stands in the inputs that it does not tell of."""
        lines = [one for one in inputs if one.path is not None and one.shape == "lines" and one.opens is None]
        if not self.whole or not (lines or self.gone):
            return False
        return not any(_beyond(one, self.ends.get(one.index, 0), decoder.copy()) for one in lines)


def recorded(name: str, agent: str) -> Iterator[Recorded]:
    """The journals of the run that was started under this name."""
    try:
        folder = state_folder("journals")
    except MonitorError:
        return
    for path in sorted(folder.glob(f"*-{escape(name)}*.jsonl")):
        found = FINDER.open(path)
        if isinstance(found, JournalFile) and (found.header.run, found.header.agent) == (name, agent):
            yield _looked_through(found, path)


def fullest(journals: Iterable[Recorded], inputs: Sequence[Input], decoder: Decoder) -> JournalFile | None:
    """The journal that tells most of the run, among those that cover the whole of it; none where none does."""
    for one in sorted(journals, key=lambda journal: journal.worth, reverse=True):
        if one.covers(inputs, decoder):
            return one.file
    return None


def _looked_through(found: JournalFile, path: Path) -> Recorded:
    told = Recorded(found)
    try:
        with path.open("rb") as lines:
            next(lines, b"")
            for line in lines:
                _take(told, line)
    except (OSError, msgspec.MsgspecError, ValueError, RecursionError):
        told.whole = False
    return told


def _take(told: Recorded, line: bytes) -> None:
    one = _LINES.decode(line)
    told.seen += one.event in _MEASURED
    if one.place.input >= 0:
        told.ends[one.place.input] = max(told.ends.get(one.place.input, 0), one.place.offset + one.place.length)
    match one.event:
        case "Prompted" if not one.actor and one.by not in ("hook", "harness"):
            told.aborts.clear()
        case "Acted" if one.action == "abort":
            for event in JournalDecoder(places="source").feed(Record(Input(0, "", "journal"), 1, 0, len(line), line)):
                if isinstance(event, Acted):
                    told.aborts[event.id] = event
        case "SourceChanged":
            told.gone = told.gone or one.what == "gone"
            told.whole = told.whole and not (one.what == "gap" and str(one.text).startswith(_GAP))


def _beyond(source: Input, end: int, decoder: Decoder) -> bool:
    """Whether an input holds more that tells something than up to there; a last line cut short tells nothing."""
    reader = open_reader(source)
    try:
        more = False
        while records := reader.read(_AT_ONCE):
            for one in records:
                if isinstance(one, Record) and one.offset >= end and (one.problem or one.data):
                    more = True
                    if one.problem or decoder.feed(one):
                        return True
        rest = [one for one in reader.finish() if isinstance(one, Record) and one.offset >= end]
        told = [event for one in rest for event in decoder.feed(one)]
        held = decoder.finish((source,)) if more else ()
        return bool(held) or any(not isinstance(event, Unreadable) for event in told)
    finally:
        reader.close()

"""The timeline of a finished run, as far as its replay has come."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from monitor.events import Event, ToolReturned
from monitor.marking import Marks
from monitor.playback import Playback
from monitor.reading import TimelineRows
from monitor.rows import Brief, Row
from monitor.snapshot import Snapshot


class Standing(Protocol):
    """What stands at a moment of a run."""

    @property
    def playback(self) -> Playback:
        """How far it has come."""

    @property
    def snapshot(self) -> Snapshot:
        """What was known then."""


@dataclass(frozen=True, slots=True)
class _Moment:
    """Any moment of a run."""

    playback: Playback
    snapshot: Snapshot


class PastRows:
    """The rows of a whole run, each as it was at the moment of the replay."""

    def __init__(self, whole: TimelineRows, replay: Standing) -> None:
        self._whole = whole
        self._replay = replay
        self._marked: Snapshot | None = None
        self._marks: Marks = {}

    def __len__(self) -> int:
        return self._whole.until(self._replay.playback.count)

    @property
    def version(self) -> int:
        """Another number at each moment."""
        return self._replay.playback.count

    def at(self, count: int) -> PastRows:
        """The rows as they are after the first `count` events, without the marks of findings."""
        return PastRows(self._whole, _Moment(Playback(count=count), Snapshot()))

    def revised(self, since: int) -> Iterable[int]:
        """The rows whose result came, or went, on the way from the moment `since` to this one."""
        first, last = sorted((since, self._replay.playback.count))
        return self._whole.returned(first, last)

    def sift(self, words: Iterable[str]) -> Callable[[int], bool]:
        """Tells of a row, by its index, whether its texts may hold all these words, now or later."""
        return self._whole.sift(words)

    def long(self, index: int) -> bool:
        """Whether reading the row's texts back takes more than a moment."""
        return self._whole.long(index)

    def row(self, index: int) -> Row:
        """The row at an index, without what came later."""
        return self._whole.row(index, self._replay.playback.count, self._marks_now())

    def brief(self, index: int) -> Brief:
        """What is stored of the row, without what came later."""
        return self._whole.brief(index, self._replay.playback.count)

    def events(self, index: int) -> tuple[Event | None, ToolReturned | None]:
        """The event behind the row and, if it had come by then, its result."""
        return self._whole.events(index, self._replay.playback.count)

    def index_of(self, seq: int) -> int | None:
        """The row that shows the event `seq`; it may lie beyond the moment."""
        return self._whole.index_of(seq)

    def _marks_now(self) -> Marks:
        """What the findings and claims of this moment mark; later ones stand on the bar only."""
        snapshot = self._replay.snapshot
        if snapshot is not self._marked:
            self._marked, self._marks = snapshot, self._whole.marks(snapshot)
        return self._marks

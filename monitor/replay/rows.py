"""The timeline of a finished run, as far as its replay has come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from monitor.events import Event, ToolReturned
from monitor.replay.playback import Playback
from monitor.snapshot import Snapshot
from monitor.timeline.marking import Marks
from monitor.timeline.places import Extent
from monitor.timeline.rows import NAMELESS, Brief, Edit, Names, Row

if TYPE_CHECKING:
    from monitor.timeline.reading import TimelineRows


class Standing(Protocol):
    """What stands at a moment of a run."""

    @property
    def playback(self) -> Playback:
        """How far it has come."""

    @property
    def snapshot(self) -> Snapshot:
        """What was known then."""


@dataclass(frozen=True, slots=True)
class Moment:
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
        return self.extent.total

    @property
    def extent(self) -> Extent:
        """Which numbers the rows of the moment have."""
        return self._whole.extent_at(self._replay.playback.count)

    @property
    def version(self) -> int:
        """Another number at each moment."""
        return self._replay.playback.count

    def still(self, snapshot: Snapshot) -> PastRows:
        """The rows as they were at the moment of a snapshot."""
        return PastRows(self._whole, Moment(Playback(count=snapshot.seq + 1), snapshot))

    def revised(self, since: int) -> Iterable[int]:
        """The rows whose result came, or went, on the way from the moment `since` to this one."""
        first, last = sorted((since, self._replay.playback.count))
        return self._whole.returned(first, last)

    def sift(self, words: Iterable[str], names: Names = NAMELESS) -> Callable[[int], bool]:
        """Tells of a row, by its number, whether its texts may hold all these words, now or later."""
        return self._whole.sift(words, names)

    def long(self, ref: int) -> bool:
        """Whether reading the row's texts back takes more than a moment."""
        return self._whole.long(ref)

    def ref(self, index: int) -> int:
        """The number of the row at an index."""
        return self._whole.ref(index, self.extent)

    def index(self, ref: int) -> int | None:
        """Where the row of that number stands, if it is there by then."""
        return self._whole.index(ref, self.extent)

    def row(self, ref: int) -> Row:
        """The row of that number, without what came later."""
        return self._whole.row(ref, self._replay.playback.count, self._marks_now())

    def brief(self, ref: int) -> Brief:
        """What is stored of the row, without what came later."""
        return self._whole.brief(ref, self._replay.playback.count)

    def events(self, ref: int) -> tuple[Event | None, ToolReturned | None]:
        """The event behind the row and, if it had come by then, its result."""
        return self._whole.events(ref, self._replay.playback.count)

    def edits(self, ref: int) -> Sequence[Edit]:
        """The changes that a row of several stood for by then."""
        return self._whole.edits(ref, self._replay.playback.count)

    def ref_of(self, seq: int) -> int | None:
        """The row that shows the event `seq`; it may lie beyond the moment."""
        return self._whole.ref_of(seq, self._replay.playback.count)

    def _marks_now(self) -> Marks:
        """What the findings and claims of this moment mark; later ones stand on the bar only."""
        snapshot = self._replay.snapshot
        if snapshot is not self._marked:
            self._marked, self._marks = snapshot, self._whole.marks(snapshot)
        return self._marks

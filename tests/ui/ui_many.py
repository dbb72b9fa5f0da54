"""A timeline of a million rows that holds none of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from monitor.events import Event, ToolReturned
from monitor.snapshot import Snapshot
from monitor.timeline.places import Extent
from monitor.timeline.rows import NAMELESS, Brief, Edit, Names, Row

MILLION = 1_000_000


@dataclass
class Many:
    """Rows made when asked for, and how often that was."""

    total: int = MILLION
    version: int = 0
    read: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return self.total

    @property
    def extent(self) -> Extent:
        return Extent(self.total, 0)

    def still(self, snapshot: Snapshot) -> Many:
        del snapshot
        return self

    def ref(self, index: int) -> int:
        return index

    def index(self, ref: int) -> int | None:
        return ref if ref < self.total else None

    def revised(self, since: int) -> Iterable[int]:
        return () if since == self.version else range(self.total)

    def sift(self, words: Iterable[str], names: Names = NAMELESS) -> Callable[[int], bool]:
        del words, names
        return lambda _: True

    def long(self, ref: int) -> bool:
        del ref
        return False

    def row(self, ref: int) -> Row:
        assert 0 <= ref < self.total
        self.read.append(ref)
        return Row(ref, ref, "said", f"row {ref} [/foo] 日本 👩‍👩‍👧")

    def brief(self, ref: int) -> Brief:
        del ref
        return Brief("said")

    def events(self, ref: int) -> tuple[Event | None, ToolReturned | None]:
        raise AssertionError(ref)

    def edits(self, ref: int) -> Sequence[Edit]:
        del ref
        return ()

    def ref_of(self, seq: int) -> int | None:
        return seq

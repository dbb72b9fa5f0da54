"""The rows put in between those told: changes of files, once they are known to be from outside."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Final

from monitor.events import FileChanged
from monitor.timeline.columns import Columns
from monitor.timeline.places import BETWEEN, Extent, Places
from monitor.timeline.rows import RowKind
from monitor.timeline.stored import Spans, Stored

_RECENT = 4_000
"""Changes remembered that may yet turn out to be from outside: twice what is judged anew."""
MOMENT: Final = 2.0
"""Seconds within which changes are one row: a checkout of hundreds of files is done by then."""
_NEAR = 8
"""Rows among which that of the same moment is looked for: what is known at once was mostly done at once."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change that is shown, alone or among others of its row."""

    ref: int
    """The number of its row."""
    index: int
    """Where its numbers stand."""
    seq: int
    name: int
    """The hash of its file's name."""
    what: str
    by: str
    turns: list[int]
    """The event with which it became known to be from outside, that with which it was known not to be, and so on."""

    def known(self, until: int | None) -> bool:
        """Whether it was shown; `until` a seq, before that event."""
        return until is None or self.turns[0] < until

    def outside(self, until: int | None) -> bool:
        """Whether it counted as from outside; `until` a seq, before that event."""
        return sum(until is None or after < until for after in self.turns) % 2 == 1


class Between:
    """Each stands where its file changed, however late it became known by whose hand; those of one moment are one row."""

    def __init__(self) -> None:
        self._columns = Columns()
        self.places = Places()
        self._recent: dict[int, FileChanged] = {}
        """By seq the latest."""
        self._changes: dict[int, Change] = {}
        """By seq what is shown."""
        self._rows: list[list[Change]] = []
        self._turned = array("Q"), array("Q")
        """Each event that showed something of a change, and the row of that."""

    def changed(self, event: FileChanged) -> None:
        """Remember a change."""
        self._recent[event.seq] = event
        if len(self._recent) > _RECENT:
            del self._recent[next(iter(self._recent))]

    def reveal(self, seq: int, after: int, told: Columns) -> int | None:
        """Show a change, which the event `after` shows to be from outside; its row where that was there already."""
        if (change := self._changes.get(seq)) is not None:
            return self._turn(change, after, outside=True)
        event = self._recent.get(seq)
        if event is None:
            return None
        index = self._columns.add("outside", event)
        at = self._columns.time(index)
        moment = at if isfinite(at) else told.latest
        later = told.later(moment)
        beside = self._beside(event, moment, later)
        if beside is None:
            self._rows.append([])
        ref = self.places.put(moment, seq, known=after, later=later) if beside is None else beside
        self._changes[seq] = change = Change(ref, index, seq, hash(event.file), event.what, event.by, [])
        self._turn(change, after, outside=True)
        self._rows[ref - BETWEEN].append(change)
        return beside

    def take_back(self, seq: int, after: int) -> int | None:
        """The event `after` shows that a change was not from outside: the row that says so, if there is one."""
        change = self._changes.get(seq)
        return None if change is None else self._turn(change, after, outside=False)

    def _turn(self, change: Change, after: int, *, outside: bool) -> int | None:
        """The event `after` shows whose hand a change was; its row, where that was not known before."""
        if change.outside(None) == outside:
            return None
        afters, rows = self._turned
        after = max(after, afters[-1] if afters else 0)
        change.turns.append(after)
        afters.append(after)
        rows.append(change.ref)
        return change.ref

    def _beside(self, event: FileChanged, moment: float, later: int | None) -> int | None:
        """The row of the same moment by the same hand, where nothing that was told stands between them."""
        for number in range(len(self._rows) - 1, max(len(self._rows) - 1 - _NEAR, -1), -1):
            if self._rows[number][0].by == event.by and self.places.near(number, moment, later, MOMENT):
                return number + BETWEEN
        return None

    def ref_of(self, seq: int, until: int | None = None) -> int | None:
        """The row of a change, if it is shown; `until` a seq, before that event."""
        change = self._changes.get(seq)
        return change.ref if change is not None and change.known(until) else None

    def turned(self, first: int, last: int) -> Sequence[int]:
        """The rows of whose changes one of the events `first` to `last` showed something."""
        afters, rows = self._turned
        return rows[bisect_left(afters, first) : bisect_right(afters, last)]

    def told(self, row: int, told: Columns) -> None:
        """Another row was told; those that happened before it stand before it."""
        self.places.told(row, told.time(row))

    def extent(self, told: int, until: int | None) -> Extent:
        """The rows there are beside so many told; `until` a seq, before that event."""
        return Extent(told, len(self.places) if until is None else self.places.known(until))

    def changes(self, ref: int, until: int | None = None) -> Sequence[Change]:
        """The changes that a row stands for, none where it was told; `until` a seq, those known before that event."""
        if ref < BETWEEN:
            return ()
        return [one for one in self._rows[ref - BETWEEN] if one.known(until)]

    def kind(self, ref: int, until: int | None = None) -> RowKind:
        """`outside`, or `changed` once none of its changes is; `until` a seq, as it was before that event."""
        return "outside" if any(one.outside(until) for one in self._rows[ref - BETWEEN]) else "changed"

    def stored(self, ref: int, until: int | None = None) -> Stored:
        """The row of that number, with the text of its first change; `until` a seq, as it was before that event."""
        return self.change(self._rows[ref - BETWEEN][0])._replace(kind=self.kind(ref, until))

    def change(self, change: Change) -> Stored:
        """One of a row's changes as it is stored."""
        return self._columns[change.index]

    def spans(self, ref: int) -> Spans:
        """Where its texts stand; those of several changes as one in pieces."""
        first, *more = self._rows[ref - BETWEEN]
        spans = self._columns.spans(first.index)
        return spans._replace(pieces=True) if more else spans

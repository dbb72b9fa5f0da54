"""Where the rows of a timeline stand: one after another as they were told, and between them those put in by their time."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from heapq import heappop, heappush
from typing import Final, NamedTuple

BETWEEN: Final = 1 << 31
"""Rows that were put in between others are numbered from here on, in the order in which they became known."""
_OPEN: Final = 2**63
"""Stands for the row before which one stands, while none is later than it."""


class Extent(NamedTuple):
    """Which rows there are at a moment of the run."""

    told: int
    """Rows that came one after another: numbered from 0."""
    between: int
    """Rows put in between them: numbered from `BETWEEN`."""

    @property
    def total(self) -> int:
        """All of them."""
        return self.told + self.between

    def holds(self, ref: int) -> bool:
        """Whether the row of that number is there."""
        return ref < self.told or BETWEEN <= ref < BETWEEN + self.between


class _Order(NamedTuple):
    """The rows put in, by time; never changed, so that any thread may go through one."""

    stamp: int
    """How much had happened to the places when it was made."""
    keys: list[tuple[float, int, int]]
    """Time, seq and number of each."""
    before: array[int]
    """By the same order the first row told that is later."""

    def first(self, count: int) -> _Order:
        """The order of those of them that became known first."""
        there = [one for one, key in enumerate(self.keys) if key[2] < count]
        before = array("Q", (self.before[one] for one in there))
        return _Order(self.stamp, [self.keys[one] for one in there], before)


class Places:
    """Puts a row before the first one told that is later: so it stays there, and makes no time run backwards."""

    def __init__(self) -> None:
        self._keys: list[tuple[float, int, int]] = []
        """By number: time, seq and number."""
        self._before = array("Q")
        """By number the first row told that is later."""
        self._known = array("Q")
        """By number the event with which it became known."""
        self._open: list[tuple[float, int]] = []
        """Time and number of those that have no later row yet, the earliest first: a heap."""
        self._stamp = 0
        self._order = _Order(0, [], array("Q"))
        self._past = self._order, 0, self._order
        """An order, how many of its rows were known at a moment, and the order of those."""

    def __len__(self) -> int:
        return len(self._keys)

    def known(self, until: int) -> int:
        """How many were known before the event `until`."""
        return min(bisect_left(self._known, until), len(self))

    def put(self, at: float, seq: int, *, known: int, later: int | None) -> int:
        """Put a row in that happened then, and became known with the event `known`; its number.

        `later` is the first row told that is later, none while there is none.
        """
        number = len(self._keys)
        if later is None:
            heappush(self._open, (at, number))
        self._known.append(max(known, self._known[-1] if self._known else 0))
        self._before.append(_OPEN if later is None else later)
        self._keys.append((at, seq, number))
        self._stamp += 1
        return number + BETWEEN

    def near(self, number: int, at: float, later: int | None, moment: float) -> bool:
        """Whether what happened then is of the same moment as the row put in as `number`, with no row told between.

        `later` is the first row told that is later than it, none while there is none; `moment` in seconds.
        """
        there, before = self._keys[number][0], self._before[number]
        return (at == there or abs(at - there) <= moment) and before == (_OPEN if later is None else later)

    def told(self, row: int, at: float) -> None:
        """Another row was told: those put in that happened before stand before it from now on."""
        while self._open and self._open[0][0] < at:
            self._before[heappop(self._open)[1]] = row
            self._stamp += 1

    def ref(self, index: int, extent: Extent) -> int:
        """The number of the row that stands at an index; of the last one told where there are fewer."""
        order, told = self._at(extent), extent.told
        after = bisect_left(range(len(order.keys)), index, key=lambda one: min(order.before[one], told) + one)
        if after < len(order.keys) and min(order.before[after], told) + after == index:
            return order.keys[after][2] + BETWEEN
        return min(index - after, max(told - 1, 0))

    def index(self, ref: int, extent: Extent) -> int | None:
        """Where the row of that number stands; none where it is not there at that moment."""
        if not extent.holds(ref):
            return None
        order = self._at(extent)
        if ref < BETWEEN:
            return ref + bisect_right(order.before, ref)
        one = bisect_left(order.keys, self._keys[ref - BETWEEN])
        return min(order.before[one], extent.told) + one

    def _at(self, extent: Extent) -> _Order:
        """The order of those that were known at a moment, made anew only when something has happened since."""
        order, (kept, count, then) = self._order, self._past
        if order.stamp != self._stamp:
            stamp, keys = self._stamp, sorted(self._keys)
            order = self._order = _Order(stamp, keys, array("Q", (self._before[key[2]] for key in keys)))
        if extent.between >= len(order.keys):
            return order
        if kept is not order or count != extent.between:
            then = order.first(extent.between)
            self._past = order, extent.between, then
        return then

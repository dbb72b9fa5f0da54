"""The rows that hold what the operator looks for; found slice by slice, so that a million rows never stop the screen."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable

from monitor.events import Event, ToolReturned
from monitor.rows import Brief, Row, Rows
from monitor.ui.query import Query

RECENT = 32
"""Rows at the end that are judged again when rows were revised."""
OPEN = 256
"""Calls without a result that are remembered to be judged again."""


class Filtered:
    """Those of the rows for which a query holds, as far as was searched; themselves rows."""

    def __init__(self, rows: Rows, query: Query) -> None:
        self.rows, self.query = rows, query
        self.version = 0
        self.scanned = 0
        """Rows judged, from the first on."""
        self._found = array("Q")
        self._open: dict[int, None] = {}
        self._seen = rows.version
        self._proofs: frozenset[int] = frozenset()

    def __len__(self) -> int:
        return len(self._found)

    def row(self, index: int) -> Row:
        """The row at an index, from 0."""
        return self.rows.row(self._found[index])

    def brief(self, index: int) -> Brief:
        """What is stored of the row."""
        return self.rows.brief(self._found[index])

    def events(self, index: int) -> tuple[Event | None, ToolReturned | None]:
        """The event behind the row and its result."""
        return self.rows.events(self._found[index])

    def index_of(self, seq: int) -> int | None:
        """Where the row that shows the event stands here, or none where it is filtered out."""
        base = self.rows.index_of(seq)
        if base is None:
            return None
        place = self.place(base)
        return place if place < len(self._found) and self._found[place] == base else None

    def base(self, index: int) -> int:
        """Which of all rows it is."""
        return self._found[index]

    def place(self, base: int) -> int:
        """Where that one of all rows stands here, or would stand."""
        return bisect_left(self._found, base)

    def search(self, total: int, proofs: frozenset[int], more: Callable[[], bool]) -> bool:
        """Judge the rows up to `total` while there is `more` time; whether all are judged.

        `proofs` are the rows that prove a failure of the sites asked for.
        """
        if total < self.scanned:
            self._cut(total)
        if self.rows.version != self._seen:
            self._seen = self.rows.version
            self.version += 1
            self._again()
        if proofs != self._proofs:
            fresh, self._proofs = proofs ^ self._proofs, proofs
            for index in sorted(one for one in fresh if one < self.scanned):
                self._judge_again(index)
        while self.scanned < total and more():
            if self._judge(self.scanned):
                self._found.append(self.scanned)
            self.scanned += 1
        return self.scanned >= total

    def _judge(self, index: int) -> bool:
        brief = self.rows.brief(index)
        if brief.running:
            self._open[index] = None
            if len(self._open) > OPEN:
                del self._open[next(iter(self._open))]
        else:
            self._open.pop(index, None)
        decided = self.query.decides(brief)
        if decided is not None:
            return decided
        event, result = self.rows.events(index)
        return self.query.holds(self.rows.row(index), event, result, proves=index in self._proofs, brief=brief)

    def _again(self) -> None:
        """Judge once more what a later event may have revised."""
        last = range(max(0, self.scanned - RECENT), self.scanned)
        for index in sorted({*self._open, *last}):
            self._judge_again(index)

    def _judge_again(self, index: int) -> None:
        place = self.place(index)
        there = place < len(self._found) and self._found[place] == index
        if self._judge(index) == there:
            return
        if there:
            self._found.pop(place)
        else:
            self._found.insert(place, index)

    def _cut(self, total: int) -> None:
        """There are fewer rows than before: a replay went back, or a log was rewritten."""
        del self._found[self.place(total) :]
        self._open = {index: None for index in self._open if index < total}
        self.scanned = total
        # A call that had come out may have no result yet at the earlier moment.
        self._open.update(dict.fromkeys(self._found[-OPEN:]))

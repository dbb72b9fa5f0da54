"""The rows that hold what the operator looks for; found slice by slice, so that a million rows never stop the screen."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable
from threading import Thread

from monitor.events import Event, ToolReturned
from monitor.rows import Brief, Row, Rows, Searchable
from monitor.ui.query import Query


class Filtered:
    """Those of the rows for which a query holds, as far as was searched; themselves rows."""

    def __init__(self, rows: Searchable, query: Query) -> None:
        self.rows, self.query = rows, query
        self.version = 0
        self.scanned = 0
        """Rows looked at, from the first on."""
        self._found = array("Q")
        self._again: dict[int, None] = {}
        """Rows looked at before that a later event may have revised."""
        self._long: dict[int, None] = {}
        """Rows whose texts are so long that they are read beside the screen."""
        self._reading: _Reading | None = None
        self._may = rows.sift(query.sought)
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
        return None if base is None or not self._shows(base) else self.place(base)

    def base(self, index: int) -> int:
        """Which of all rows it is."""
        return self._found[index]

    def place(self, base: int) -> int:
        """Where that one of all rows stands here, or would stand."""
        return bisect_left(self._found, base)

    def searched(self, total: int) -> float:
        """The share of the rows that is known to be shown or not; 1 only when all are."""
        left = len(self._again) + len(self._long) + total - self.scanned
        return 1.0 if left <= 0 else max(min(1 - left / total, 0.99), 0.0) if total else 0.0

    def search(self, total: int, proofs: frozenset[int], more: Callable[[], bool]) -> bool:
        """Judge the rows up to `total` while there is `more` time; whether all are judged.

        `proofs` are the rows that prove a failure of the sites asked for.
        """
        if total < self.scanned:
            self._cut(total)
        if self.rows.version != self._seen:
            revised = self.rows.revised(self._seen)
            self._seen = self.rows.version
            self.version += 1
            self._look_again(revised)
        if proofs != self._proofs:
            fresh, self._proofs = proofs ^ self._proofs, proofs
            self._look_again(fresh)
        while (self._again or self.scanned < total) and more():
            self._look(total)
        self._read_on()
        return self.searched(total) >= 1

    def _look_again(self, rows: Iterable[int]) -> None:
        self._again.update((index, None) for index in sorted(rows) if index < self.scanned)
        self._long = {index: None for index in self._long if index not in self._again}
        if self._reading is not None and self._reading.index in self._again:
            self._reading = None

    def _look(self, total: int) -> None:
        """Judge one row: one that was revised, else the next."""
        index = next(iter(self._again), self.scanned)
        self._again.pop(index, None)
        self.scanned = min(max(self.scanned, index + 1), total)
        decided = self.query.decides(self.rows.brief(index))
        if decided is None and self.rows.long(index):
            self._long[index] = None
        else:
            self._put(index, shown=self._holds(index) if decided is None else decided)

    def _holds(self, index: int) -> bool:
        if index not in self._proofs and not self._may(index):
            return False
        event, result = self.rows.events(index)
        brief = self.rows.brief(index)
        return self.query.holds(lambda: self.rows.row(index), event, result, proves=index in self._proofs, brief=brief)

    def _read_on(self) -> None:
        """Take what came of a long row, and begin with the next."""
        if self._reading is not None and not self._reading.is_alive():
            self._long.pop(self._reading.index, None)
            self._put(self._reading.index, shown=self._reading.holds)
            self._reading = None
        if self._reading is None and self._long:
            self._reading = _Reading(next(iter(self._long)), self._holds)
            self._reading.start()

    def _shows(self, index: int) -> bool:
        place = self.place(index)
        return place < len(self._found) and self._found[place] == index

    def _put(self, index: int, *, shown: bool) -> None:
        if shown == self._shows(index):
            return
        if not shown:
            self._found.pop(self.place(index))
        elif not self._found or index > self._found[-1]:
            self._found.append(index)
        else:
            self._found.insert(self.place(index), index)
            self.version += 1

    def _cut(self, total: int) -> None:
        """There are fewer rows than before: a replay went back, or a log was rewritten."""
        del self._found[self.place(total) :]
        self.scanned = total
        self._again = {index: None for index in self._again if index < total}
        self._long = {index: None for index in self._long if index < total}
        if self._reading is not None and self._reading.index >= total:
            self._reading = None


def holds(query: Query, rows: Rows, index: int) -> bool:
    """Whether one row is shown, whatever was searched so far."""
    brief = rows.brief(index)
    decided = query.decides(brief)
    if decided is not None:
        return decided
    event, result = rows.events(index)
    return query.holds(lambda: rows.row(index), event, result, proves=False, brief=brief)


class _Reading(Thread):
    """Judges one long row, so that neither the screen nor the search waits for it."""

    def __init__(self, index: int, judge: Callable[[int], bool]) -> None:
        super().__init__(name="long row", daemon=True)
        self.index = index
        self.holds = False
        self._judge = judge

    def run(self) -> None:
        """Judge it."""
        self.holds = self._judge(self.index)

"""The rows that hold what the operator looks for; found slice by slice, so that a million rows never stop the screen."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from threading import Thread

from monitor.events import Event, ToolReturned
from monitor.timeline.places import BETWEEN, Extent
from monitor.timeline.rows import NAMELESS, Brief, Edit, Names, Row, Rows, Searchable, called
from monitor.ui.query import Proofs, Query, Told


class Filtered:
    """Those of the rows for which a query holds, as far as was searched; themselves rows."""

    def __init__(self, rows: Searchable, query: Query, names: Names = NAMELESS) -> None:
        self.rows, self.query, self.names = rows, query, names
        self.version = 0
        self._found = array("Q")
        """The numbers of the rows that are shown, in the order in which they stand."""
        self._looked = Extent(0, 0)
        """The rows looked at: of those told and of those put in the first so many."""
        self._again: dict[int, None] = {}
        """Rows looked at before that a later event may have revised."""
        self._long: dict[int, None] = {}
        """Rows whose texts are so long that they are read beside the screen."""
        self._reading: _Reading | None = None
        self._may = rows.sift(query.sought, names)
        self._may_not = [rows.sift(one.sought, names) for one in query.without]
        self._seen = rows.version
        self._proofs: Proofs = {}

    def __len__(self) -> int:
        return len(self._found)

    def ref(self, index: int) -> int:
        """The number of the row at an index."""
        return self._found[index]

    def index(self, ref: int) -> int | None:
        """Where the row of that number stands here, or none where it is filtered out."""
        near = self.near(ref)
        return near if near < len(self._found) and self._found[near] == ref else None

    def near(self, ref: int) -> int:
        """Where the row of that number stands here, or would stand."""
        here = self.rows.index(ref)
        return len(self._found) if here is None else bisect_left(self._found, here, key=self._place)

    def row(self, ref: int) -> Row:
        """The row of that number."""
        return self.rows.row(ref)

    def brief(self, ref: int) -> Brief:
        """What is stored of the row."""
        return self.rows.brief(ref)

    def events(self, ref: int) -> tuple[Event | None, ToolReturned | None]:
        """The event behind the row and its result."""
        return self.rows.events(ref)

    def edits(self, ref: int) -> Sequence[Edit]:
        """The changes that a row of several stands for."""
        return self.rows.edits(ref)

    def ref_of(self, seq: int) -> int | None:
        """The number of the row that shows the event, or none where it is filtered out."""
        ref = self.rows.ref_of(seq)
        return None if ref is None or self.index(ref) is None else ref

    def looked(self, ref: int) -> bool:
        """Whether the search has come past the row of that number."""
        return self._looked.holds(ref)

    @property
    def searched(self) -> float:
        """The share of the rows that is known to be shown or not; 1 only when all are."""
        total = self.rows.extent.total
        left = len(self._again) + len(self._long) + total - self._looked.total
        return 1.0 if left <= 0 else max(min(1 - left / total, 0.99), 0.0) if total else 0.0

    def renamed(self, names: Names) -> bool:
        """Whether under these names other rows may hold its words."""
        fresh = {name.casefold() for _, name in names.items() ^ self.names.items()} if names != self.names else ()
        return any(word in name for name in fresh for word in self.query.every_word)

    def search(self, proofs: Proofs, more: Callable[[], bool]) -> bool:
        """Judge the rows there are while there is `more` time; whether all are judged.

        `proofs` are the rows that prove failures of the sites asked for.
        """
        extent = self.rows.extent
        if extent.told < self._looked.told or extent.between < self._looked.between:
            self._cut(extent)
        if self.rows.version != self._seen:
            revised = self.rows.revised(self._seen)
            self._seen = self.rows.version
            self.version += 1
            self._look_again(revised)
        if proofs != self._proofs:
            sites = {*proofs, *self._proofs}
            fresh = [proofs.get(site, frozenset()) ^ self._proofs.get(site, frozenset()) for site in sites]
            self._proofs = proofs
            self._look_again(frozenset().union(*fresh))
        while (self._again or self._looked != extent) and more():
            if self._again:
                ref = next(iter(self._again))
                del self._again[ref]
                self._look(ref, self._put)
            else:
                self._look(self._next(extent), self._add)
        self._read_on()
        return self.searched >= 1

    def _place(self, ref: int) -> int:
        """Where a row found stands among all rows."""
        here = self.rows.index(ref)
        return self.rows.extent.total if here is None else here

    def _look_again(self, rows: Iterable[int]) -> None:
        self._again.update((ref, None) for ref in sorted(rows) if self._looked.holds(ref))
        self._long = {ref: None for ref in self._long if ref not in self._again}
        if self._reading is not None and self._reading.ref in self._again:
            self._reading = None

    def _next(self, extent: Extent) -> int:
        """The next row put in, else the next one told."""
        told, between = self._looked
        if between < extent.between:
            self._looked = Extent(told, between + 1)
            return BETWEEN + between
        self._looked = Extent(told + 1, between)
        return told

    def _look(self, ref: int, put: Callable[[int, bool], None]) -> None:
        """Judge one row, and put it among those found or not."""
        decided = self.query.decides(self.rows.brief(ref))
        if decided is None and self.rows.long(ref):
            self._long[ref] = None
        else:
            put(ref, self._holds(ref) if decided is None else decided)

    def _holds(self, ref: int) -> bool:
        if not self.query.proven(ref, self._proofs) and not self._may(ref):
            return False
        if self.query.wants(self.rows.brief(ref)) and not self._may_be_left_out(ref):
            return True
        return self.query.holds(_told(self.rows, ref, self.names), self._proofs)

    def _may_be_left_out(self, ref: int) -> bool:
        pairs = zip(self.query.without, self._may_not, strict=True)
        return any(one.proven(ref, self._proofs) or may(ref) for one, may in pairs)

    def _read_on(self) -> None:
        """Take what came of a long row, and begin with the next."""
        if self._reading is not None and not self._reading.is_alive():
            self._long.pop(self._reading.ref, None)
            self._put(self._reading.ref, self._reading.holds)
            self._reading = None
        if self._reading is None and self._long:
            self._reading = _Reading(next(iter(self._long)), self._holds)
            self._reading.start()

    def _add(self, ref: int, shown: bool) -> None:
        """A row not looked at before: mostly it stands behind all those found."""
        if shown and self._found and self._place(ref) < self._place(self._found[-1]):
            self._put(ref, shown)
        elif shown:
            self._found.append(ref)

    def _put(self, ref: int, shown: bool) -> None:
        near = self.near(ref)
        if shown == (near < len(self._found) and self._found[near] == ref):
            return
        if not shown:
            self._found.pop(near)
        else:
            self.version += near < len(self._found)
            self._found.insert(near, ref)

    def _cut(self, extent: Extent) -> None:
        """There are fewer rows than before: a replay went back, or a log was rewritten."""
        self._found = array("Q", filter(extent.holds, self._found))
        self._looked = Extent(min(self._looked.told, extent.told), min(self._looked.between, extent.between))
        self._again = {ref: None for ref in self._again if extent.holds(ref)}
        self._long = {ref: None for ref in self._long if extent.holds(ref)}
        if self._reading is not None and not extent.holds(self._reading.ref):
            self._reading = None


def holds(query: Query, rows: Rows, ref: int, names: Names = NAMELESS) -> bool:
    """Whether one row is shown, whatever was searched so far."""
    decided = query.decides(rows.brief(ref))
    return query.holds(_told(rows, ref, names), {}) if decided is None else decided


def _told(rows: Rows, ref: int, names: Names) -> Told:
    """What is known of a row, its texts read back."""
    event, result = rows.events(ref)
    return Told(ref, rows.brief(ref), event, result, lambda: called(rows.row(ref), names), rows.edits(ref))


class _Reading(Thread):
    """Judges one long row, so that neither the screen nor the search waits for it."""

    def __init__(self, ref: int, judge: Callable[[int], bool]) -> None:
        super().__init__(name="long row", daemon=True)
        self.ref = ref
        self.holds = False
        self._judge = judge

    def run(self) -> None:
        """Judge it."""
        self.holds = self._judge(self.ref)

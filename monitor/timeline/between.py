"""The rows put in between those told: changes of files, once they are known to be from outside."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite

from monitor.events import FileChanged
from monitor.timeline.columns import Columns
from monitor.timeline.places import BETWEEN, Extent, Places
from monitor.timeline.rows import RowKind
from monitor.timeline.stored import Spans, Stored

_RECENT = 4_000
"""Changes remembered that may yet turn out to be from outside: twice what is judged anew."""


class Between:
    """Each stands where its file changed, however late it became known by whose hand."""

    def __init__(self) -> None:
        self._columns = Columns()
        self.places = Places()
        self._changes: dict[int, FileChanged] = {}
        """By seq the latest."""
        self._refs: dict[int, int] = {}
        """By the seq of its change each row."""
        self._back: dict[int, int] = {}
        """By row the event with which it became known that its change was not from outside."""

    def changed(self, event: FileChanged) -> None:
        """Remember a change."""
        self._changes[event.seq] = event
        if len(self._changes) > _RECENT:
            del self._changes[next(iter(self._changes))]

    def reveal(self, seq: int, after: int, told: Columns) -> int | None:
        """A row for a change, which the event `after` shows to be from outside; its number where it had one already."""
        if (ref := self._refs.get(seq)) is not None:
            self._back.pop(ref, None)
        elif (event := self._changes.get(seq)) is not None:
            at = self._columns.time(self._columns.add("outside", event))
            moment = at if isfinite(at) else told.latest
            self._refs[seq] = self.places.put(moment, seq, known=after, later=told.later(moment))
        return ref

    def take_back(self, seq: int, after: int) -> int | None:
        """The event `after` shows that a change was not from outside: the row that says so, if there is one."""
        ref = self._refs.get(seq)
        if ref is not None:
            self._back[ref] = after
        return ref

    def ref_of(self, seq: int) -> int | None:
        """The row of a change, if it has one."""
        return self._refs.get(seq)

    def taken_back(self, first: int, last: int) -> Iterable[int]:
        """The rows of which one of the events `first` to `last` showed that they are not from outside."""
        return [ref for ref, after in self._back.items() if first <= after <= last]

    def told(self, row: int, told: Columns) -> None:
        """Another row was told; those that happened before it stand before it."""
        self.places.told(row, told.time(row))

    def extent(self, told: int, until: int | None) -> Extent:
        """The rows there are beside so many told; `until` a seq, before that event."""
        return Extent(told, len(self.places) if until is None else self.places.known(until))

    def kind(self, ref: int, until: int | None = None) -> RowKind:
        """`outside`, or `changed` once its change is known not to be; `until` a seq, as it was before that event."""
        after = self._back.get(ref)
        return "outside" if after is None or (until is not None and after >= until) else "changed"

    def stored(self, ref: int, until: int | None = None) -> Stored:
        """The row of that number; `until` a seq, as it was before that event."""
        return self._columns[ref - BETWEEN]._replace(kind=self.kind(ref, until))

    def spans(self, ref: int) -> Spans:
        """Where its texts stand."""
        return self._columns.spans(ref - BETWEEN)

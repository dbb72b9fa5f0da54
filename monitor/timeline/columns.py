"""The columns of the timeline: numbers alone, about eighty bytes a row."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from math import inf, isnan, nan
from typing import get_args

from monitor.events import Event, Outcome, Place, ToolReturned
from monitor.timeline.rows import Brief, RowKind
from monitor.timeline.stored import Spans, Stored

KINDS: tuple[RowKind, ...] = get_args(RowKind)
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
_NONE = 255
_TEXT_TELLS: tuple[RowKind, ...] = ("shell", "check", "notice", "ended", "unread")
"""Kinds of which only the texts tell whether they failed, where no outcome does."""
_CALLS: tuple[RowKind, ...] = (
    "read", "write", "shell", "fetch", "search", "delegate", "poll", "ask", "plan", "finish", "call",
)  # fmt: skip
_NEAR = (64, 4_096)
"""Rows among which a result's call is looked for: calls of one message stand side by side."""
_BLOCK = 256
"""Rows among which a time is looked for one by one."""
_LARGEST = 2**16 - 1
_LONGEST = 2**32 - 1


class Columns:
    """One array for each number of a row."""

    def __init__(self) -> None:
        self._kind, self._flags, self._outcome = array("B"), array("B"), array("B")
        self._actor, self._item, self._result_item = array("H"), array("H"), array("H")
        self._turn = array("I")
        self._input, self._result_input = array("h"), array("h")
        self._seq, self._told, self._line, self._result_line = array("I"), array("I"), array("I"), array("I")
        self._length, self._result_length, self._result_seq = array("Q"), array("I"), array("I")
        self._offset, self._result_offset = array("Q"), array("Q")
        self._at, self._took = array("d"), array("f")
        self._actors: dict[str, int] = {"": 0}
        self._names: list[str] = [""]
        self._size = 0
        self._crest, self._crests = -inf, array("d")  # the latest time, and what it was at the end of each block

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, index: int) -> Stored:
        """The row at an index from 0."""
        result = None
        if self._result_seq[index]:
            result = Place(
                self._result_input[index],
                self._result_line[index],
                self._result_offset[index],
                self._result_length[index],
                self._result_item[index],
            )
        at, took, outcome = self._at[index], self._took[index], self._outcome[index]
        flags, seq = self._flags[index], self._seq[index]
        place = Place(
            self._input[index], self._line[index], self._offset[index], self._length[index], self._item[index]
        )
        return Stored(
            kind=KINDS[self._kind[index]],
            seq=seq,
            at=None if isnan(at) else at,
            took=None if isnan(took) else took,
            place=place,
            result=result,
            outcome=None if outcome == _NONE else OUTCOMES[outcome],
            actor=self._names[self._actor[index]],
            turn=self._turn[index],
            copied=bool(flags & 1),
            pieces=bool(flags & 2),
            told=self._told[index],
            result_seq=self._result_seq[index] - 1,
        )

    def spans(self, index: int) -> Spans:
        """Where the row's texts stand, at a fraction of the cost of the whole row."""
        return Spans(
            self._told[index],
            self._input[index],
            self._offset[index],
            self._length[index],
            bool(self._flags[index] & 2),
            self._names[self._actor[index]],
            self._result_seq[index] - 1,
            self._result_input[index],
            self._result_offset[index],
            self._result_length[index],
        )

    def returned(self, first: int, last: int) -> Iterable[int]:
        """The rows whose result is one of the events `first` to `last`."""
        if last - first < _NEAR[0]:
            return {self._returned(seq, self.until(seq)) for seq in range(first, last + 1) if self.until(seq)}
        return [index for index, seq in enumerate(self._result_seq) if first < seq <= last + 1]

    def brief(self, index: int, until: int | None = None) -> Brief:
        """What is known of the row without its texts; `until` a seq, as it was before that event."""
        kind, result = KINDS[self._kind[index]], self._result_seq[index]
        if not result or (until is not None and result > until):
            return Brief(kind, None if kind in _TEXT_TELLS and kind not in _CALLS else False, kind in _CALLS)
        outcome = OUTCOMES[self._outcome[index]]
        if outcome in ("ok", "unknown"):
            return Brief(kind, None if kind in _TEXT_TELLS else False)
        return Brief(kind, failed=True)

    def index_of(self, seq: int) -> int | None:
        """The row whose first event or whose result is `seq`, else the one before it: rows are in the order of their seq."""
        end = self.until(seq + 1)
        if not end or self._seq[end - 1] == seq:
            return end - 1 if end else None
        return self._returned(seq, end)

    def time(self, index: int) -> float:
        """When the row was; not a number where that is not known."""
        return self._at[index]

    @property
    def latest(self) -> float:
        """The latest time of all rows; minus infinity where none has one."""
        return self._crest

    def later(self, at: float) -> int | None:
        """The first row that is later than a time; none while there is none."""
        begin = bisect_right(self._crests, at) * _BLOCK
        return next((index for index in range(begin, self._size) if self._at[index] > at), None)

    def until(self, seq: int) -> int:
        """How many rows begin before the event `seq`."""
        return bisect_left(self._seq, seq)

    def _returned(self, seq: int, end: int) -> int:
        """The row whose result is `seq`, among the nearest before `end`; the last of them when it is no result."""
        for near in _NEAR:
            try:
                return self._result_seq.index(seq + 1, max(end - near, 0), end)
            except ValueError:
                continue
        return end - 1

    def add(self, kind: RowKind, event: Event) -> int:
        """A new row for an event; its index."""
        actor = self._actors.get(event.actor)
        if actor is None:
            actor = self._actors[event.actor] = min(len(self._names), _LARGEST)
            self._names.append(event.actor)
        place = event.place
        self._kind.append(KINDS.index(kind))
        self._flags.append(int(event.copied))
        self._outcome.append(_NONE)
        self._actor.append(actor)
        self._turn.append(event.turn)
        self._at.append(nan if event.at is None else event.at)
        self._took.append(nan)
        self._seq.append(event.seq)
        self._told.append(event.seq)
        self._input.append(place.input)
        self._line.append(place.line)
        self._offset.append(place.offset)
        self._length.append(place.length)
        self._item.append(min(place.item, _LARGEST))
        for column in (self._result_seq, self._result_input, self._result_line, self._result_offset):
            column.append(0)
        self._result_length.append(0)
        self._result_item.append(0)
        self._size += 1
        self._crest = max(self._crest, self._at[-1])
        if self._size % _BLOCK == 0:
            self._crests.append(self._crest)
        return self._size - 1

    def move(self, index: int, event: Event) -> None:
        """The row's text stands with a later event from now on."""
        place, self._told[index] = event.place, event.seq
        self._input[index], self._line[index], self._item[index] = place.input, place.line, min(place.item, _LARGEST)
        self._offset[index], self._length[index] = place.offset, place.length
        self._flags[index] &= ~2

    def rename(self, index: int, kind: RowKind) -> None:
        """The row is of another kind."""
        self._kind[index] = KINDS.index(kind)

    def begin_pieces(self, index: int) -> None:
        """The row's text comes in pieces."""
        self._flags[index] |= 2

    def extend(self, index: int, place: Place) -> bool:
        """The row's text goes on to the end of another record; whether it does."""
        if place.input != self._input[index] or not self._flags[index] & 2:
            return False
        self._length[index] = place.offset + place.length - self._offset[index]
        return True

    def result(self, index: int, event: ToolReturned) -> None:
        """What came of the row's call."""
        place, at = event.place, self._at[index]
        self._outcome[index] = OUTCOMES.index(event.outcome)
        self._result_input[index], self._result_line[index] = place.input, place.line
        self._result_offset[index], self._result_length[index] = place.offset, min(place.length, _LONGEST)
        self._result_item[index], self._result_seq[index] = min(place.item, _LARGEST), event.seq + 1
        if event.at is not None and not isnan(at) and event.at >= at:
            self._took[index] = event.at - at

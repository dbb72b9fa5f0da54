"""The compact store behind the timeline: numbers and byte spans per row, no texts."""

from __future__ import annotations

from array import array
from typing import NamedTuple, get_args

from monitor.events import (
    NOWHERE,
    Acted,
    Checked,
    Event,
    FileChanged,
    Noticed,
    Outcome,
    Place,
    Prompted,
    ReplyEnded,
    RequestEnded,
    RunEnded,
    RunStarted,
    Said,
    SourceChanged,
    Thought,
    ToolCalled,
    ToolReturned,
    TreeMeasured,
    Unreadable,
    Waiting,
)
from monitor.rows import RowKind

KINDS: tuple[RowKind, ...] = get_args(RowKind)
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
_CALL_KINDS: dict[str, RowKind] = {
    "read": "read", "write": "write", "shell": "shell", "fetch": "fetch", "search": "search", "delegate": "delegate",
    "poll": "poll", "ask": "ask", "plan": "plan", "finish": "finish", "other": "call",
}  # fmt: skip
_OPEN = 20_000
"""Rows that a later event may still revise."""
_NONE = 255
_LATE = float("nan")


class Stored(NamedTuple):
    """A row as it is stored."""

    kind: RowKind
    seq: int
    at: float | None
    took: float | None
    place: Place
    """Where its text is read back; of a text in pieces, from the first piece to the end of the last."""
    result: Place | None
    outcome: Outcome | None
    actor: str
    copied: bool
    pieces: bool
    told: int
    """The seq of the event its text comes from: the latest telling."""
    result_seq: int


class Timeline:
    """Rows, in the order in which their first event came; later events revise them."""

    def __init__(self) -> None:
        self.version = 0
        self._kind, self._flags, self._outcome = array("B"), array("B"), array("B")
        self._actor, self._item, self._result_item = array("H"), array("H"), array("H")
        self._input, self._result_input = array("h"), array("h")
        self._seq, self._told, self._line, self._result_line = array("I"), array("I"), array("I"), array("I")
        self._length, self._result_length, self._result_seq = array("Q"), array("I"), array("I")
        self._offset, self._result_offset = array("Q"), array("Q")
        self._at, self._took = array("d"), array("f")
        self._actors: dict[str, int] = {"": 0}
        self._names: list[str] = [""]
        self._open: dict[tuple[object, ...], int] = {}
        self._last_said = -1
        self._size = 0

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
            at=None if at != at else at,  # noqa: PLR0124 - a time that is not a number is no time
            took=None if took != took else took,  # noqa: PLR0124 - as above
            place=place,
            result=result,
            outcome=None if outcome == _NONE else OUTCOMES[outcome],
            actor=self._names[self._actor[index]],
            copied=bool(flags & 1),
            pieces=bool(flags & 2),
            told=self._told[index],
            result_seq=self._result_seq[index] - 1,
        )

    def index_of(self, seq: int) -> int | None:
        """The row whose first event is `seq`, or the one before it: rows are in the order of their seq."""
        low, high = 0, self._size
        while low < high:
            middle = (low + high) // 2
            if self._seq[middle] <= seq:
                low = middle + 1
            else:
                high = middle
        return low - 1 if low else None

    def feed(self, event: Event) -> None:
        """Take in one numbered event."""
        match event:
            case Thought() | Said():
                self._speech(event)
            case ToolCalled():
                self._called(event)
            case ToolReturned():
                self._returned(event)
            case Prompted():
                self._add("prompt" if event.by == "user" else "you" if event.by == "operator" else "notice", event)
            case RequestEnded():
                self._ended(event)
            case RunStarted():
                self._started(event)
            case Acted():
                self._revisable("you", event, ("acted", event.id))
            case Waiting():
                self._revisable("waiting", event, ("waiting", event.actor, event.call))
            case ReplyEnded() if event.empty:
                self._add("notice", event)
            case _ if (kind := _PLAIN.get(type(event))) is not None:
                self._add(kind, event)
            case _:
                pass

    def _add(self, kind: RowKind, event: Event) -> int:
        actor = self._actors.get(event.actor)
        if actor is None:
            actor = self._actors[event.actor] = min(len(self._names), 65_535)
            self._names.append(event.actor)
        place = event.place
        self._kind.append(KINDS.index(kind))
        self._flags.append(int(event.copied))
        self._outcome.append(_NONE)
        self._actor.append(actor)
        self._at.append(_LATE if event.at is None and event.place != NOWHERE else event.at or event.seen)
        self._took.append(_LATE)
        self._seq.append(event.seq)
        self._told.append(event.seq)
        self._input.append(place.input)
        self._line.append(place.line)
        self._offset.append(place.offset)
        self._length.append(place.length)
        self._item.append(min(place.item, 65_535))
        for column in (self._result_seq, self._result_input, self._result_line, self._result_offset):
            column.append(0)
        self._result_length.append(0)
        self._result_item.append(0)
        self._size += 1
        return self._size - 1

    def _remember(self, key: tuple[object, ...], index: int) -> None:
        self._open[key] = index
        if len(self._open) > _OPEN:
            for known in list(self._open)[: _OPEN // 2]:
                del self._open[known]

    def _revisable(self, kind: RowKind, event: Event, key: tuple[object, ...]) -> int:
        index = self._open.get(key)
        if index is None:
            index = self._add(kind, event)
            self._remember(key, index)
        else:
            self._move(index, event)
        return index

    def _move(self, index: int, event: Event) -> None:
        place, self._told[index] = event.place, event.seq
        self._input[index], self._line[index], self._item[index] = place.input, place.line, min(place.item, 65_535)
        self._offset[index], self._length[index] = place.offset, place.length
        self._flags[index] &= ~2
        self.version += 1

    def _speech(self, event: Thought | Said) -> None:
        kind: RowKind = "thought" if isinstance(event, Thought) else "said"
        key = (kind, event.actor, event.message, event.part) if event.message or event.delta else None
        index = self._open.get(key) if key else None
        if index is None:
            if not event.text.strip():
                return
            index = self._add(kind, event)
            if key:
                self._remember(key, index)
            self._flags[index] |= 2 * event.delta
        elif event.delta:
            if event.place.input == self._input[index] and self._flags[index] & 2:
                self._length[index] = event.place.offset + event.place.length - self._offset[index]
                self.version += 1
        else:
            self._move(index, event)
        if kind == "said" and not event.actor:
            self._last_said = index

    def _called(self, event: ToolCalled) -> None:
        index = self._revisable(_CALL_KINDS[event.kind], event, ("call", event.actor, event.call))
        self._kind[index] = KINDS.index(_CALL_KINDS[event.kind])

    def _returned(self, event: ToolReturned) -> None:
        index = self._open.get(("call", event.actor, event.call))
        if index is None:
            index = self._add("call", event)
            self._remember(("call", event.actor, event.call), index)
        place, at = event.place, self._at[index]
        self._outcome[index] = OUTCOMES.index(event.outcome)
        self._result_input[index], self._result_line[index] = place.input, place.line
        self._result_offset[index], self._result_length[index] = place.offset, min(place.length, 2**32 - 1)
        self._result_item[index], self._result_seq[index] = min(place.item, 65_535), event.seq + 1
        if event.at is not None and at == at and event.at >= at:  # noqa: PLR0124 - a time that is not a number is none
            self._took[index] = event.at - at
        self.version += 1

    def _ended(self, event: RequestEnded) -> None:
        """An answer is the claim itself: the row that shows it becomes the claim's."""
        if event.actor:
            return
        if event.how in ("answered", "refused", "asked") and self._last_said == self._size - 1 >= 0:
            self._kind[self._last_said] = KINDS.index("claim")
            self.version += 1
        elif event.how in ("answered", "refused"):
            self._add("claim", event)
        else:
            self._add("notice", event)

    def _started(self, event: RunStarted) -> None:
        key = ("started", event.actor)
        if key not in self._open:
            self._remember(key, self._add("started", event))


_PLAIN: dict[type, RowKind] = {
    Noticed: "notice",
    Checked: "check",
    RunEnded: "ended",
    SourceChanged: "source",
    TreeMeasured: "measure",
    FileChanged: "outside",
    Unreadable: "unread",
}

"""The compact store behind the timeline: numbers and byte spans per row, no texts."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Iterable
from itertools import chain

from monitor.events import (
    Acted,
    Event,
    FileChanged,
    Prompted,
    ReplyEnded,
    RequestEnded,
    RunStarted,
    Said,
    Thought,
    ToolCalled,
    ToolReturned,
    Waiting,
)
from monitor.timeline.between import Between
from monitor.timeline.columns import Columns
from monitor.timeline.kinds import CALLS, DOERS, PLAIN, goes_on
from monitor.timeline.places import BETWEEN, Extent
from monitor.timeline.rows import Brief, RowKind
from monitor.timeline.spoken import Spoken
from monitor.timeline.stored import Spans, Stored

_OPEN = 20_000
"""Rows that a later event may still revise."""
_RECENT = 100
"""Words of a policy that are known again when the agent tells that it was prompted with them."""


class Timeline:
    """Rows in the order in which their first event came, and between them by their time changes from outside.

    A row has a number of its own, which stays whatever is put in above it; later events revise what it says.
    """

    def __init__(self) -> None:
        self._revised = array("I")
        self._columns = Columns()
        self.between = Between()
        """The changes from outside."""
        self._open: dict[tuple[object, ...], int] = {}
        self._elsewhere: dict[int, int] = {}
        """By the seq of an event the row that shows it, where that is not the one before it."""
        self._spoken = Spoken()
        self._policy_words: deque[int] = deque(maxlen=_RECENT)
        """The hash of each text that a policy sent."""

    def __len__(self) -> int:
        return self.extent().total

    def __getitem__(self, ref: int) -> Stored:
        """The row of that number."""
        return self._columns[ref] if ref < BETWEEN else self.between.stored(ref)

    def at(self, ref: int, until: int) -> Stored:
        """The row as it was before the event `until`: without a result that came later."""
        if ref >= BETWEEN:
            return self.between.stored(ref, until)
        stored = self._columns[ref]
        if stored.result_seq < until:
            return stored
        return stored._replace(result=None, outcome=None, took=None, result_seq=-1)

    def extent(self, until: int | None = None) -> Extent:
        """Which rows there are; `until` a seq, before that event."""
        told = len(self._columns) if until is None else self._columns.until(until)
        return self.between.extent(told, until)

    def ref(self, index: int, extent: Extent) -> int:
        """The number of the row that stands at an index from 0."""
        return self.between.places.ref(index, extent)

    def index(self, ref: int, extent: Extent) -> int | None:
        """Where the row of that number stands, if it is there."""
        return self.between.places.index(ref, extent)

    @property
    def version(self) -> int:
        """Another number whenever a row is revised."""
        return len(self._revised)

    def revised(self, since: int) -> set[int]:
        """The rows revised since that version."""
        return set(self._revised[since:])

    def spans(self, ref: int) -> Spans:
        """Where a row's texts stand."""
        return self._columns.spans(ref) if ref < BETWEEN else self.between.spans(ref)

    def returned(self, first: int, last: int) -> Iterable[int]:
        """The rows that one of the events `first` to `last` revised by a result, and perhaps some beside them."""
        return chain(self._columns.returned(first, last), self.between.turned(first, last))

    def brief(self, ref: int, until: int | None = None) -> Brief:
        """What is known of a row without its texts; `until` a seq, as it was before that event."""
        return self._columns.brief(ref, until) if ref < BETWEEN else Brief(self.between.kind(ref, until))

    def ref_of(self, seq: int, until: int | None = None) -> int | None:
        """The row that shows an event; `until` a seq, as it was before that event.

        Its first event or its result is `seq`, else it is the one before it; of a change its own, if it has one.
        """
        if (ref := self.between.ref_of(seq, until)) is not None:
            return ref
        index = self._elsewhere.get(seq)
        return self._columns.index_of(seq) if index is None else index

    def home(self, seq: int) -> int:
        """The seq with which the row begins that shows the event `seq`; itself where there is none."""
        ref = self.ref_of(seq)
        return seq if ref is None else self[ref].seq

    def feed(self, event: Event) -> None:
        """Take in one numbered event."""
        if goes_on(event):
            self._spoken.clear()
        match event:
            case Thought() | Said():
                self._speech(event)
            case ToolCalled():
                self._called(event)
            case ToolReturned():
                self._returned(event)
            case Prompted():
                self._add(self._prompter(event), event)
            case RequestEnded():
                self._ended(event)
            case RunStarted():
                self._started(event)
            case Acted():
                self._acted(event)
            case Waiting():
                self._revisable("waiting", event, ("waiting", event.actor, event.call))
            case FileChanged():
                self.between.changed(event)
            case ReplyEnded() if event.empty:
                self._add("notice", event)
            case _ if (kind := PLAIN.get(type(event))) is not None:
                self._add(kind, event)
            case _:
                pass

    def reveal(self, seq: int, after: int) -> None:
        """Show a change, once the event `after` shows that it was from outside: where its file changed."""
        if (ref := self.between.reveal(seq, after, self._columns)) is not None:
            self._revised.append(ref)

    def take_back(self, seq: int, after: int) -> None:
        """The event `after` shows that a change was not from outside: its row says so."""
        if (ref := self.between.take_back(seq, after)) is not None:
            self._revised.append(ref)

    def _add(self, kind: RowKind, event: Event) -> int:
        index = self._columns.add(kind, event)
        self.between.told(index, self._columns)
        return index

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
        self._columns.move(index, event)
        self._revised.append(index)

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
            if event.delta:
                self._columns.begin_pieces(index)
        elif event.delta:
            if self._columns.extend(index, event.place):
                self._revised.append(index)
        else:
            self._move(index, event)
        if isinstance(event, Said) and not event.actor:
            self._spoken.hear(index, event)

    def _called(self, event: ToolCalled) -> None:
        index = self._revisable(CALLS[event.kind], event, ("call", event.actor, event.call))
        self._columns.rename(index, CALLS[event.kind])

    def _returned(self, event: ToolReturned) -> None:
        index = self._open.get(("call", event.actor, event.call))
        if index is None:
            index = self._add("call", event)
            self._remember(("call", event.actor, event.call), index)
        self._columns.result(index, event)
        self._revised.append(index)

    def _ended(self, event: RequestEnded) -> None:
        """The words that were judged are the claim: the row that shows them, else one of the answer's own."""
        if event.actor:
            return
        said = self._spoken.answer(event.text)
        self._spoken.clear()
        if event.how in ("answered", "refused", "asked") and said is not None:
            self._columns.rename(said, "claim")
            self._revised.append(said)
            if said < len(self._columns) - 1:
                self._elsewhere[event.seq] = said
        elif event.how in ("answered", "refused"):
            self._add("claim", event)
        else:
            self._add("notice", event)

    def _acted(self, event: Acted) -> None:
        self._revisable(DOERS[event.by], event, ("acted", event.id))
        if event.by == "policy" and event.text and event.receipt != "failed":
            self._policy_words.append(hash(event.text.strip()))

    def _prompter(self, event: Prompted) -> RowKind:
        """A prompt is the user's, the operator's, or his policy's where it sent those very words."""
        if event.by == "operator":
            return "policy" if hash(event.text.strip()) in self._policy_words else "you"
        return "prompt" if event.by == "user" else "notice"

    def _started(self, event: RunStarted) -> None:
        key = ("started", event.actor)
        if key not in self._open:
            self._remember(key, self._add("started", event))

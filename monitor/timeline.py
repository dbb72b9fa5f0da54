"""The compact store behind the timeline: numbers and byte spans per row, no texts."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Iterable

from msgspec import structs

from monitor.columns import Columns, Spans, Stored
from monitor.events import (
    Acted,
    Checked,
    Event,
    FileChanged,
    Noticed,
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
from monitor.rows import Brief, RowKind

_CALL_KINDS: dict[str, RowKind] = {
    "read": "read", "write": "write", "shell": "shell", "fetch": "fetch", "search": "search", "delegate": "delegate",
    "poll": "poll", "ask": "ask", "plan": "plan", "finish": "finish", "other": "call",
}  # fmt: skip
_OPEN = 20_000
"""Rows that a later event may still revise."""
_DOERS: dict[str, RowKind] = {"operator": "you", "policy": "policy", "monitor": "notice"}
"""Whose an action is, by the row's kind."""
_RECENT = 100
"""Words of a policy that are known again when the agent tells that it was prompted with them."""


class Timeline:
    """Rows, in the order in which their first event came; later events revise them."""

    def __init__(self) -> None:
        self._revised = array("I")
        self._columns = Columns()
        self._open: dict[tuple[object, ...], int] = {}
        self._elsewhere: dict[int, int] = {}
        """By the seq of an event the row that shows it, where that is not the one before it."""
        self._last_said = -1
        """The row of the root's last words, while it has done nothing since."""
        self._policy_words: deque[int] = deque(maxlen=_RECENT)
        """The hash of each text that a policy sent."""

    def __len__(self) -> int:
        return len(self._columns)

    def __getitem__(self, index: int) -> Stored:
        """The row at an index from 0."""
        return self._columns[index]

    @property
    def version(self) -> int:
        """Another number whenever a row is revised."""
        return len(self._revised)

    def revised(self, since: int) -> set[int]:
        """The rows revised since that version."""
        return set(self._revised[since:])

    def spans(self, index: int) -> Spans:
        """Where a row's texts stand."""
        return self._columns.spans(index)

    def returned(self, first: int, last: int) -> Iterable[int]:
        """The rows whose result is one of the events `first` to `last`, and perhaps some beside them."""
        return self._columns.returned(first, last)

    def brief(self, index: int, until: int | None = None) -> Brief:
        """What is known of a row without its texts; `until` a seq, as it was before that event."""
        return self._columns.brief(index, until)

    def index_of(self, seq: int) -> int | None:
        """The row whose first event or whose result is `seq`, else the one before it; of a change its own, if it has one."""
        index = self._elsewhere.get(seq)
        return self._columns.index_of(seq) if index is None else index

    def home(self, seq: int) -> int:
        """The seq with which the row begins that shows the event `seq`; itself where there is none."""
        index = self._elsewhere.get(seq)
        return self._columns.home(seq) if index is None else self._columns[index].seq

    def until(self, seq: int) -> int:
        """How many rows begin before the event `seq`."""
        return self._columns.until(seq)

    def feed(self, event: Event) -> None:
        """Take in one numbered event."""
        if _goes_on(event):
            self._last_said = -1
        match event:
            case Thought() | Said():
                self._speech(event)
            case ToolCalled():
                self._called(event)
            case ToolReturned():
                self._returned(event)
            case Prompted():
                self._columns.add(self._prompter(event), event)
            case RequestEnded():
                self._ended(event)
            case RunStarted():
                self._started(event)
            case Acted():
                self._acted(event)
            case Waiting():
                self._revisable("waiting", event, ("waiting", event.actor, event.call))
            case ReplyEnded() if event.empty:
                self._columns.add("notice", event)
            case _ if (kind := _PLAIN.get(type(event))) is not None:
                self._columns.add(kind, event)
            case _:
                pass

    def reveal(self, event: FileChanged, after: int) -> None:
        """A row for a change from outside, once it is known to be one: it stands after the event `after`."""
        index = self._elsewhere[event.seq] = self._columns.add("outside", structs.replace(event, seq=after))
        self._columns.retell(index, event.seq)

    def _remember(self, key: tuple[object, ...], index: int) -> None:
        self._open[key] = index
        if len(self._open) > _OPEN:
            for known in list(self._open)[: _OPEN // 2]:
                del self._open[known]

    def _revisable(self, kind: RowKind, event: Event, key: tuple[object, ...]) -> int:
        index = self._open.get(key)
        if index is None:
            index = self._columns.add(kind, event)
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
            index = self._columns.add(kind, event)
            if key:
                self._remember(key, index)
            if event.delta:
                self._columns.begin_pieces(index)
        elif event.delta:
            if self._columns.extend(index, event.place):
                self._revised.append(index)
        else:
            self._move(index, event)
        if kind == "said" and not event.actor:
            self._last_said = index

    def _called(self, event: ToolCalled) -> None:
        index = self._revisable(_CALL_KINDS[event.kind], event, ("call", event.actor, event.call))
        self._columns.rename(index, _CALL_KINDS[event.kind])

    def _returned(self, event: ToolReturned) -> None:
        index = self._open.get(("call", event.actor, event.call))
        if index is None:
            index = self._columns.add("call", event)
            self._remember(("call", event.actor, event.call), index)
        self._columns.result(index, event)
        self._revised.append(index)

    def _ended(self, event: RequestEnded) -> None:
        """An answer is the claim itself: the row that shows it becomes the claim's, whatever a hook said meanwhile."""
        if event.actor:
            return
        said, self._last_said = self._last_said, -1
        if event.how in ("answered", "refused", "asked") and said >= 0:
            self._columns.rename(said, "claim")
            self._revised.append(said)
            if said < len(self) - 1:
                self._elsewhere[event.seq] = said
        elif event.how in ("answered", "refused"):
            self._columns.add("claim", event)
        else:
            self._columns.add("notice", event)

    def _acted(self, event: Acted) -> None:
        self._revisable(_DOERS[event.by], event, ("acted", event.id))
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
            self._remember(key, self._columns.add("started", event))


def _goes_on(event: Event) -> bool:
    """Whether the root works on, or is asked anew: what it said before is no answer then."""
    match event:
        case Thought(actor="") | ToolCalled(actor="") | RunEnded(actor=""):
            return True
        case Prompted(actor="", by="user" | "operator"):
            return True
        case _:
            return False


_PLAIN: dict[type, RowKind] = {
    Noticed: "notice",
    Checked: "check",
    RunEnded: "ended",
    SourceChanged: "source",
    TreeMeasured: "measure",
    Unreadable: "unread",
}

"""Replies that hold neither an answer nor a call, of each actor within one request."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from monitor.actions import Want
from monitor.detectors.docket import Docket
from monitor.detectors.made_calls import EXECUTED
from monitor.detectors.numbers import DEFAULTS, RepliesNumbers
from monitor.detectors.replies_advice import advice, message
from monitor.detectors.replies_view import Lost, RepliesView
from monitor.detectors.reply_state import ReplyState
from monitor.events import (
    Acted,
    Event,
    Noticed,
    Prompted,
    ReplyEnded,
    RequestEnded,
    RunEnded,
    RunStarted,
    Said,
    ToolCalled,
    ToolReturned,
)
from monitor.findings import Finding, Level, Spot, rank

_ACTORS = 200
_NO_REPLY = ("error", "refusal", "filter")
"""Ends that are no reply of the model's, or an answer of their own kind."""
_SUBJECT = "no answer"


class Replies:
    """Counts replies without an answer, in a request and in the run.

    A cut-off never counts as empty, and replies that the source cannot tell apart count as cut off here.
    """

    name = "replies"
    reads: tuple[type[Event], ...] = (
        RunStarted, Prompted, Said, ToolCalled, ToolReturned, ReplyEnded, RequestEnded, RunEnded, Noticed, Acted,
    )  # fmt: skip

    def __init__(self, numbers: RepliesNumbers = DEFAULTS.replies) -> None:
        self._numbers = numbers
        self._request = 0
        self._blind = False
        """The source cannot tell why a reply held nothing."""
        self._actors: dict[str, ReplyState] = {}
        self._totals: Counter[Lost] = Counter()
        self._docket = Docket()
        self._view: RepliesView | None = None

    def feed(self, event: Event) -> Sequence[Want]:
        """Take in one numbered event; nothing is ever wanted."""
        if event.copied and not isinstance(event, RunStarted):
            return ()
        self._settle_held(event)
        if event.request > self._request:
            self._begin(event)
        match event:
            case Said():
                self._said(event)
            case ToolCalled():
                self._of(event).call = True
            case ToolReturned() if event.outcome in EXECUTED:
                self._answered(event.actor, event.seq, "a call was executed")
            case ReplyEnded():
                self._ended(event)
            case RequestEnded(how="answered") if event.text.strip():
                self._answered(event.actor, event.seq, "an answer came")
            case Noticed(kind="guard") if "circle" in event.name.lower():
                self._circled(event)
            case RunEnded(status="loop") if self._of(event).row.total():
                self._judge(event, self._of(event), "stop")
            case RunStarted():
                self._started(event)
            case Acted(action="settle", receipt="done") if self._docket.settle(event):
                self._view = None
            case _:
                pass
        return ()

    def view(self) -> RepliesView:
        """The replies up to now."""
        if self._view is None:
            totals = self._totals
            self._view = RepliesView(
                totals["empty"], totals["cut off"], totals["circled"], totals["no answer"], self._docket.findings()
            )
        return self._view

    def copy(self) -> Replies:
        """Another that goes on from here."""
        other = Replies()
        other.__dict__.update(self.__dict__)
        other._actors = {actor: state.copy() for actor, state in self._actors.items()}
        other._totals, other._docket = Counter(self._totals), self._docket.copy()
        return other

    def _begin(self, event: Event) -> None:
        self._docket.close(event.seq)
        self._request, self._view = event.request, None
        for state in self._actors.values():
            state.renew()

    def _started(self, event: RunStarted) -> None:
        if "replies" in event.coverage and not event.actor:
            self._blind = event.coverage["replies"].sees != "full"

    def _of(self, event: Event) -> ReplyState:
        """The actor's state, at the turn of the event."""
        state = self._actors.pop(event.actor, None) or ReplyState()
        self._actors[event.actor] = state
        if len(self._actors) > _ACTORS:
            gone = next(iter(self._actors))
            del self._actors[gone]
            self._docket.end(self._key(gone), "closed", event.seq, "too many actors are at work")
            self._view = None
        state.begin(event.turn)
        return state

    def _said(self, event: Said) -> None:
        state = self._of(event)
        if event.synthetic:
            state.synthetic = event.synthetic
        elif event.text and not state.text and not event.text.isspace():
            state.text = True

    def _ended(self, event: ReplyEnded) -> None:
        state = self._of(event)
        if state.ended >= event.turn > 0:
            return
        state.ended, state.lost = event.turn, None
        if not event.empty or state.call:
            state.row = Counter()
            if not state.call and not state.synthetic and event.stop not in _NO_REPLY:
                self._answered(event.actor, event.seq, "an answer came")
            return
        if state.synthetic or event.stop in _NO_REPLY:
            return
        lost = self._why(event)
        if lost == "no answer":
            state.held = event
        elif lost is not None:
            self._lose(event, state, lost)

    def _settle_held(self, event: Event) -> None:
        """A reply that ended for no reason told held nothing, if the actor goes on after it: else it was broken off."""
        state = self._actors.get(event.actor)
        if state is None or state.held is None or isinstance(event, (RunStarted, Acted)):
            return
        held, state.held = state.held, None
        if not (isinstance(event, RequestEnded) and event.how == "interrupted"):
            self._lose(held, state, "no answer")

    def _why(self, event: ReplyEnded) -> Lost | None:
        if event.stop == "length":
            return "cut off"
        if event.stop == "stopped":
            return "circled" if "circle" in event.raw.lower() else None
        return "no answer" if event.stop == "other" and (self._blind or not event.raw) else "empty"

    def _lose(self, event: Event, state: ReplyState, lost: Lost) -> None:
        state.lose(lost, Spot(event.seq, event.place.input, event.place.line))
        self._totals[lost] += 1
        self._judge(event, state)

    def _circled(self, event: Noticed) -> None:
        """The harness says that a reply went round in circles: the one that held nothing, or one it does not show."""
        state = self._of(event)
        if state.lost is None:
            self._lose(event, state, "circled")
        elif state.lost != "circled":
            self._totals[state.lost] -= 1
            self._totals["circled"] += 1
            state.rename("circled")
            self._judge(event, state)
        state.lost = "circled"

    def _judge(self, event: Event, state: ReplyState, least: Level | None = None) -> None:
        self._view = None
        level = max(self._level(state), least, state.level, key=rank)
        if level is None:
            return
        finding = Finding(
            self.name,
            _SUBJECT,
            level,
            message(state.counts),
            advice(state.lost or "no answer", state.counts.total(), stop=level == "stop"),
            actor=event.actor,
            request=self._request,
            opened=event.seq,
            raised=event.seq,
            places=state.spots,
            figure=f"×{state.counts.total()}",
        )
        state.level = level if self._docket.put(finding) else None

    def _level(self, state: ReplyState) -> Level | None:
        """What the replies so far are worth; none while too few are lost for a word."""
        numbers, lost = self._numbers, state.counts.total()
        empty = numbers.empty and state.row["empty"] >= numbers.empty
        untold = numbers.cut_offs and state.row["no answer"] >= numbers.cut_offs
        if empty or untold or (numbers.cut_offs and state.lost == "cut off" and state.cut_offs >= numbers.cut_offs):
            return "stop"
        if numbers.warn and lost >= numbers.warn:
            return "warn"
        return "note" if numbers.note and lost >= numbers.note else None

    def _answered(self, actor: str, seq: int, why: str) -> None:
        state = self._actors.get(actor)
        if state is None:
            return
        state.row = Counter()
        if state.level in ("note", "warn"):
            state.level = None
            self._docket.end(self._key(actor), "cleared", seq, why)
            self._view = None

    def _key(self, actor: str) -> str:
        return f"{self.name}:{actor}:{_SUBJECT}"

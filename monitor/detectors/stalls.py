"""A model that should be answering and does not, and calls whose results do not come, of each actor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf

from monitor.actions import Want
from monitor.detectors.call_identity import named
from monitor.detectors.docket import Docket
from monitor.detectors.numbers import DEFAULTS, StallsNumbers
from monitor.detectors.stalls_advice import advice, message
from monitor.detectors.stalls_view import Stall, StallsView
from monitor.detectors.waits import Clock, Wait, Waits, over
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
    SourceChanged,
    Thought,
    Tick,
    ToolCalled,
    ToolReturned,
    Waiting,
)
from monitor.findings import Finding, Level, Spot

_ACTORS = 200
_APART = frozenset((Tick, Acted, SourceChanged))


class Stalls:
    """Notes what takes too long, by the source's own times, and warns where it takes much longer.

    A source of whole turns says nothing of time. Ticks add no finding of their own: time does.
    """

    name = "stalls"
    reads: tuple[type[Event], ...] = (
        RunStarted, Prompted, Thought, Said, ToolCalled, ToolReturned, ReplyEnded, RequestEnded, Waiting, Noticed, RunEnded,
        SourceChanged, Acted, Tick,
    )  # fmt: skip

    def __init__(self, numbers: StallsNumbers = DEFAULTS.stalls) -> None:
        self._numbers = numbers
        self._blind = False
        """The source's times say nothing."""
        self._clock = Clock()
        self._due = inf
        """Nothing is due before this."""
        self._actors: dict[str, Waits] = {}
        self._fired: dict[tuple[str, str], Stall] = {}
        self._delegating: dict[str, None] = {}
        self._docket = Docket()
        self._view: StallsView | None = None

    def feed(self, event: Event) -> Sequence[Want]:
        """Take in one numbered event; nothing is ever wanted."""
        if event.copied and not isinstance(event, RunStarted):
            return ()
        match event:
            case _ if type(event) not in _APART:
                self._advance(self._clock.of(event))
                self._take(event)
            case Tick():
                self._advance(event.now)
            case Acted():
                self._advance(event.seen)
                if event.action == "settle" and event.receipt == "done" and self._docket.settle(event):
                    self._view = None
            case SourceChanged() if over(event):
                self._drop(event, whole=True)
        return ()

    def view(self) -> StallsView:
        """What stalls now."""
        if self._view is None:
            stalls = tuple(sorted(self._fired.values(), key=lambda stall: stall.since))
            self._view = StallsView(stalls, self._docket.findings())
        return self._view

    @property
    def due(self) -> float | None:
        """Nothing reaches its next level before this; none while nothing is awaited."""
        return None if self._due == inf else self._due

    def copy(self) -> Stalls:
        """Another that goes on from here."""
        other = Stalls()
        other.__dict__.update(self.__dict__)
        other._delegating = dict(self._delegating)
        other._actors = {actor: waits.copy() for actor, waits in self._actors.items()}
        other._fired, other._docket, other._clock = dict(self._fired), self._docket.copy(), replace(self._clock)
        return other

    def _advance(self, now: float) -> None:
        """Time has come this far: what was due by then has stalled."""
        self._clock.now = max(self._clock.now, now)
        if self._clock.now < self._due:
            return
        self._due, ripe = inf, list[tuple[float, str, str, Wait]]()
        for actor, waits in self._actors.items():
            for key, wait in waits.awaited():
                level = self._level(actor, key)
                while (due := wait.due(level, self._numbers.times)) is not None and due <= self._clock.now:
                    ripe.append((due, actor, key, wait))
                    level = "note" if level is None else "warn"
                self._due = min(self._due, inf if due is None else due)
        for due, actor, key, wait in sorted(ripe, key=lambda one: one[0]):
            self._fire(actor, key, wait, due)

    def _level(self, actor: str, key: str) -> Level | None:
        fired = self._fired.get((actor, key))
        return None if fired is None else fired.level

    def _fire(self, actor: str, key: str, wait: Wait, due: float) -> None:
        old = self._fired.get((actor, key))
        level: Level = "note" if old is None else "warn"
        stall = Stall(wait.what, old.name if old else wait.name, wait.since, due, level, wait.spot, actor, key)
        self._fired[actor, key] = stall
        self._docket.put(
            Finding(
                self.name, stall.subject, level, message(stall), advice(stall), actor=actor, opened=wait.spot.seq,
                raised=wait.spot.seq, places=(wait.spot,), deadline=due,
            )
        )  # fmt: skip
        self._view = None

    def _take(self, event: Event) -> None:
        """What an event says of the waits."""
        waits = self._of(event.actor)
        spot = Spot(event.seq, event.place.input, event.place.line)
        if event.actor:
            self._others_work(event)
        match event:
            case Thought() | Said() if event.turn > waits.closed:
                self._hear(event.actor, waits, spot, speaking=True)
            case RunStarted():
                self._started(event, waits)
            case Prompted():
                self._hear(event.actor, waits, spot)
            case ToolCalled():
                self._called(event, waits, spot)
            case ToolReturned() if waits.returned(event):
                self._end(event.actor, event.call, event.seq, "its result came")
                self._hear(event.actor, waits, spot)
            case ReplyEnded() if waits.model is not None and waits.model.speaking:
                self._end(event.actor, "", event.seq, "it answered")
                waits.model = None
            case Noticed() if waits.model is not None:
                self._hear(event.actor, waits, spot)
            case Waiting():
                self._asked(event, waits)
            case RequestEnded() | RunEnded():
                self._drop(event, whole=isinstance(event, RunEnded) and not event.actor)

    def _of(self, actor: str) -> Waits:
        waits = self._actors.get(actor)
        if waits is None:
            if len(self._actors) >= _ACTORS:
                gone = min((one for one in self._actors if one), key=lambda one: len(self._actors[one].calls))
                self._let_go(gone, -1, "too many actors are at work")
                del self._actors[gone]
            waits = self._actors[actor] = Waits()
        return waits

    def _started(self, event: RunStarted, waits: Waits) -> None:
        waits.deltas = event.deltas if event.deltas is not None else waits.deltas
        waits.lag = event.lag or waits.lag
        if not event.actor and "stalls" in event.coverage:
            self._blind = event.coverage["stalls"].sees == "none"

    def _mute(self, waits: Waits) -> bool:
        """Whether times say nothing here; an event at no known time begins no wait."""
        lag = waits.lag or self._actors.get("", waits).lag
        return self._blind or lag in ("turn", "end") or self._clock.now == -inf

    def _hear(self, actor: str, waits: Waits, spot: Spot, *, speaking: bool = False) -> None:
        """The model spoke, or has the floor: its time begins anew."""
        waits.person = False
        self._end(actor, "", spot.seq, "it answered")
        deltas = waits.deltas if waits.deltas is not None else self._actors.get("", waits).deltas
        limit = 0 if self._mute(waits) else self._numbers.deltas if deltas else self._numbers.messages
        waits.model = Wait("model", self._clock.now, limit, spot, speaking=speaking)
        self._expect(limit, self._clock.now)

    def _called(self, event: ToolCalled, waits: Waits, spot: Spot) -> None:
        self._hear(event.actor, waits, spot, speaking=True)
        if event.partial or not event.call or waits.has_result(event):  # without an id no result can end the wait
            return
        limit = event.timeout + self._numbers.grace if event.timeout and event.timeout > 0 else self._numbers.calls
        if not self._numbers.calls or event.kind == "ask" or self._mute(waits):
            limit = 0
        self._delegating |= {event.actor: None} if event.kind == "delegate" else {}
        wait = Wait("call", self._clock.now, limit, spot, named(event), event.kind == "delegate", event.message)
        self._end(event.actor, waits.add(event.call, wait), event.seq, "too many calls wait")
        self._expect(limit, waits.calls[event.call].since)

    def _expect(self, limit: float, since: float) -> None:
        if limit:
            self._due = min(self._due, since + limit)

    def _others_work(self, event: Event) -> None:
        """A sub-agent shows life: the calls that have others work are no stalls."""
        for actor in [one for one in self._delegating if one != event.actor]:
            renewed = self._actors.get(actor, Waits()).renew_delegates(self._clock.now)
            if not renewed:
                del self._delegating[actor]
            for call, limit in renewed.items():
                self._end(actor, call, event.seq, "the sub-agent goes on")
                self._expect(limit, self._clock.now)

    def _asked(self, event: Waiting, waits: Waits) -> None:
        """A person is asked, or has answered: what is awaited begins anew then."""
        self._let_go(event.actor, event.seq, "a person has answered" if event.over else "a person is asked")
        waits.person = not event.over
        if event.over:
            waits.restart(self._clock.now)
            self._due = self._clock.now

    def _drop(self, event: Event, *, whole: bool) -> None:
        """Nothing is awaited any more, of the actor or of all; a source that is lost says nothing by its silence."""
        for actor, waits in self._actors.items():
            if whole or actor == event.actor:
                self._let_go(actor, event.seq, over(event))
                waits.drop(event.turn if actor == event.actor else waits.closed)

    def _let_go(self, actor: str, seq: int, why: str) -> None:
        for key in [key for key in self._fired if key[0] == actor]:
            self._end(*key, seq, why)

    def _end(self, actor: str, key: str, seq: int, why: str) -> None:
        stall = self._fired.pop((actor, key), None)
        if stall is not None:
            self._docket.end(f"{self.name}:{actor}:{stall.subject}", "cleared", seq, why)
            self._view = None

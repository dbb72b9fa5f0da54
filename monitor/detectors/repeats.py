"""Calls made over and over, and turns that bring nothing, of each actor within one request."""

from __future__ import annotations

from collections.abc import Sequence

from monitor.actions import Want
from monitor.detectors.call_identity import waits
from monitor.detectors.docket import Docket
from monitor.detectors.folding import Held
from monitor.detectors.habits import Habits, Hit, Over
from monitor.detectors.made_calls import UNTOLD, made_of
from monitor.detectors.numbers import DEFAULTS
from monitor.detectors.pending import Pending
from monitor.detectors.repeat_limits import RepeatLimits
from monitor.detectors.repeat_rules import Count
from monitor.detectors.repeats_advice import advice, figure, message
from monitor.detectors.repeats_view import ENTRIES, Repeat, RepeatsView, Rule
from monitor.events import (
    Acted,
    Checked,
    Event,
    Prompted,
    ReplyEnded,
    RequestEnded,
    RunEnded,
    Said,
    ToolCalled,
    ToolReturned,
)
from monitor.findings import Finding, Spot, rank

_ACTORS = 100
_OPEN = 30
"""Findings of one rule and actor that are open at once."""


class Repeats:
    """Counts repeats by `RepeatLimits`; results are compared without what differs on every run."""

    name = "repeats"
    reads: tuple[type[Event], ...] = (
        Prompted, Said, ToolCalled, ToolReturned, ReplyEnded, RequestEnded, RunEnded, Checked, Acted,
    )  # fmt: skip

    def __init__(self, limits: RepeatLimits = DEFAULTS.repeats) -> None:
        self._limits = limits
        self._request = 0
        self._seq = -1
        self._pending = Pending()
        self._held = Held()
        self._habits: dict[str, Habits] = {}
        self._open: dict[tuple[str, Rule], dict[int, str]] = {}
        """By actor and rule: what is counted, and its finding's subject."""
        self._entries: dict[tuple[int, str, str], Repeat] = {}
        self._warned: dict[str, None] = {}
        self._docket = Docket()
        self._view: RepeatsView | None = None

    def feed(self, event: Event) -> Sequence[Want]:
        """Take in one numbered event; nothing is ever wanted."""
        if event.copied:
            return ()
        self._seq = event.seq
        if event.request > self._request:
            self._begin(event)
        match event:
            case ToolCalled():
                self._pending.called(event)
                self._turned(event)
            case ToolReturned():
                self._returned(event)
            case Said() | ReplyEnded() | RequestEnded() | RunEnded():
                self._turned(event)
            case Prompted() if event.by in ("user", "operator"):
                self._over(Over("no progress", "new words came"), event.actor, event.seq)
                self._of(event.actor).progress.moved()
            case Checked(passed=False):
                self._over(self._of(event.actor).checked(), event.actor, event.seq)
            case Acted():
                self._acted(event)
            case _:
                pass
        return ()

    def view(self) -> RepeatsView:
        """What was repeated, up to now."""
        if self._view is None:
            self._view = RepeatsView(tuple(self._entries.values()), self._docket.findings())
        return self._view

    def copy(self) -> Repeats:
        """Another that goes on from here."""
        other = Repeats(self._limits)
        other.__dict__.update(self.__dict__)
        other._pending, other._held, other._docket = self._pending.copy(), self._held.copy(), self._docket.copy()
        other._habits = {actor: habits.copy() for actor, habits in self._habits.items()}
        other._open = {key: dict(found) for key, found in self._open.items()}
        other._entries, other._warned = dict(self._entries), dict(self._warned)
        return other

    def _begin(self, event: Event) -> None:
        """A new request: everything is counted anew."""
        self._docket.close(event.seq)
        self._habits = {actor: habits.renewed() for actor, habits in self._habits.items()}
        self._open, self._request, self._view = {}, event.request, None

    def _of(self, actor: str) -> Habits:
        habits = self._habits.pop(actor, None) or Habits()
        self._habits[actor] = habits
        if len(self._habits) > _ACTORS:
            self._forget(next(iter(self._habits)))
        return habits

    def _forget(self, actor: str) -> None:
        """Too many actors: the one that has been quiet for longest is let go."""
        del self._habits[actor]
        for key in [key for key in self._open if key[0] == actor]:
            for subject in self._open.pop(key).values():
                self._docket.end(f"{self.name}:{actor}:{subject}", "closed", self._seq, "too many actors are at work")
        self._view = None

    def _turned(self, event: Said | ToolCalled | ReplyEnded | RequestEnded | RunEnded) -> None:
        """Count the turn before, once it is over."""
        progress = self._of(event.actor).progress
        if isinstance(event, (RequestEnded, RunEnded)):
            count = progress.over()
        else:
            count = progress.turned(event.turn, _spot(event))
            if isinstance(event, ReplyEnded):
                count = progress.replied(waiting=self._waits(event.actor, event.turn)) or count
        self._idle(count, event)

    def _idle(self, count: Count | None, event: Event) -> None:
        if count is not None:
            unsure = self._of(event.actor).progress.unsure
            self._hit(Hit("no progress", 0, count, unsure=unsure), event.actor, _spot(event))

    def _waits(self, actor: str, turn: int) -> bool:
        return any(asked.call.actor == actor and asked.call.turn == turn for asked in self._pending)

    def _returned(self, event: ToolReturned) -> None:
        habits = self._of(event.actor)
        asked = self._pending.returned(event)
        if event.background and event.outcome == "ok":
            habits.starts(event.call)
        else:
            habits.running.pop(event.call, None)
        if asked is None:
            return
        call = asked.call
        if event.outcome in UNTOLD or waits(call, running=bool(habits.running)):
            habits.progress.excused()
        else:
            made = made_of(call, event)
            self._held.hold(made.told)
            for other in self._habits.values() if made.changes else ():
                if other is not habits:
                    other.stirred()
            for found in habits.made(made, call.message or call.turn):
                if isinstance(found, Over):
                    self._over(found, event.actor, event.seq)
                else:
                    self._hit(found, event.actor, made.spot)
        if not self._waits(event.actor, call.turn):
            self._idle(habits.progress.returned(call.turn), event)

    def _hit(self, hit: Hit, actor: str, last: Spot) -> None:
        level = self._limits.level(hit.rule, hit.count.times, failed=hit.failed, unsure=hit.unsure)
        if level is None:
            return
        subject = self._subject(hit, actor, last.seq)
        name, times = hit.count.name, hit.count.times
        put = self._docket.put(
            Finding(
                self.name,
                subject,
                level,
                message(hit.rule, name, times),
                advice(hit.rule, name, times, stop=level == "stop"),
                actor=actor,
                request=self._request,
                opened=last.seq,
                raised=last.seq,
                places=tuple(dict.fromkeys((hit.count.first, last))),
                figure=figure(hit.rule, times),
            )
        )
        key = self._request, actor, subject
        old = self._entries.pop(key, None)
        highest = old.level if old is not None and rank(old.level) > rank(level) else level
        self._entries[key] = Repeat(hit.rule, name, times, highest, hit.count.first, last, actor, self._request)
        if len(self._entries) > ENTRIES:
            del self._entries[next(iter(self._entries))]
        if not put:
            self._open[actor, hit.rule].pop(hit.key, None)
        self._view = None

    def _subject(self, hit: Hit, actor: str, seq: int) -> str:
        """What the finding is about; two calls that read alike are told apart by a number."""
        known = self._open.setdefault((actor, hit.rule), {})
        if hit.key not in known:
            if len(known) >= _OPEN:
                self._end(actor, hit.rule, next(iter(known)), seq, "many others like it are open")
            name = ": ".join(filter(None, (hit.rule, hit.count.name)))
            taken = set(known.values())
            known[hit.key] = next(one for one in (name, *(f"{name} ({n})" for n in range(2, 99))) if one not in taken)
        return known[hit.key]

    def _over(self, over: Over, actor: str, seq: int) -> None:
        for key in list(self._open.get((actor, over.rule), ())):
            if over.key in (None, key) and over.other_than != key:
                self._end(actor, over.rule, key, seq, over.why)

    def _end(self, actor: str, rule: Rule, key: int, seq: int, why: str) -> None:
        subject = self._open[actor, rule].pop(key)
        if self._docket.end(f"{self.name}:{actor}:{subject}", "cleared", seq, why):
            self._view = None

    def _acted(self, event: Acted) -> None:
        if event.action == "settle" and event.receipt == "done" and self._docket.settle(event):
            self._view = None
        told = event.action in ("warn", "feedback") and event.receipt in ("delivered", "seen", "done")
        if told and event.id not in self._warned:
            self._warned = dict([*self._warned.items(), (event.id, None)][-_ACTORS:])
            about = event.subject.partition(":")[2]
            self._of(max((one for one in self._habits if about.startswith(f"{one}:")), key=len, default="")).warned()


def _spot(event: Event) -> Spot:
    return Spot(event.seq, event.place.input, event.place.line)

"""One run, folded: a root session with its sub-agents goes through the detectors and gives one snapshot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from monitor.actions import Want
from monitor.detectors.every import Every
from monitor.detectors.numbers import DEFAULTS, Numbers
from monitor.detectors.outside_view import merged
from monitor.events import Acted, Event, Prompted, RequestEnded, Tick, TreeMeasured, Unreadable
from monitor.findings import Finding, Spot, rank
from monitor.run.activity import Activity
from monitor.run.evidence import Evidence
from monitor.run.facts import Facts
from monitor.run.numbering import Numbering
from monitor.run.verdict import judge
from monitor.snapshot import ActionFacts, Claim, RunFacts, Snapshot, State

_CLAIMS, _ACTIONS = 200, 1_000
"""How many of each are kept."""
_REACHED = ("delivered", "seen", "done")
_APART = frozenset((Unreadable, Acted, Tick))
"""What says nothing of what the agent is doing."""


@dataclass(frozen=True, slots=True)
class Folded:
    """An event with its numbers, and what the run wants to know because of it."""

    event: Event
    wants: Sequence[Want]


class Run:
    """Folds events; pure: the same events give the same snapshots, whatever the pieces they come in."""

    def __init__(self, numbers: Numbers = DEFAULTS) -> None:
        self._numbers = numbers
        self._numbering = Numbering()
        self._facts = Facts()
        self._every = Every.by(numbers)
        self._activity = Activity()
        self._claims: tuple[Claim, ...] = ()
        self._earlier_claims = 0
        self._actions: dict[str, ActionFacts] = {}
        self._abort = ""
        """The abort that reached the agent since the latest prompt."""
        self._unreadable = 0
        self._tick: Tick | None = None
        self._snapshot: Snapshot | None = None
        self._stale = True
        """Something was folded in since the snapshot was made."""

    def feed(self, event: Event) -> Folded:
        """Fold one event in; the numbered event comes back. A `Tick` takes no number."""
        if type(event) is not Tick:
            event = self._numbering.number(event)
        self._stale = True
        turns = self._facts.turns
        self._facts.feed(event)
        self._note(event)
        wants: list[Want] = []
        for detector in self._every.readers(type(event)):
            wants += detector.feed(event)
        if self._facts.turns != turns:
            wants += self._every.worktree.turned(event, self._facts.turns)
        if type(event) is RequestEnded and not event.actor and not event.copied:
            self._claimed(event)
        elif type(event) is TreeMeasured and self._claims and self._activity.idle is not None:
            self._weigh_again()
        return Folded(event, wants)

    @property
    def seq(self) -> int:
        """That of the latest event; -1 before the first."""
        return self._numbering.seq

    @property
    def facts(self) -> RunFacts:
        """What is known of the run itself, as a snapshot made now would tell it."""
        return self._facts.run

    def snapshot(self) -> Snapshot:
        """Everything there is to show now; the same object until something in it is another: mere time changes little."""
        if self._snapshot is None or self._stale:
            built, self._stale = self._build(), False
            if built != self._snapshot:
                self._snapshot = built
        assert self._snapshot is not None
        return self._snapshot

    def copy(self) -> Run:
        """Another that goes on from here: a checkpoint."""
        other = Run.__new__(Run)
        vars(other).update(
            vars(self),
            _numbering=self._numbering.copy(),
            _facts=self._facts.copy(),
            _every=self._every.copy(),
            _activity=self._activity.copy(),
            _actions=dict(self._actions),
        )
        return other

    def _note(self, event: Event) -> None:
        """What is no detector's business."""
        if type(event) not in _APART:
            if type(event) is Prompted and not event.actor and event.by in ("user", "operator"):
                self._abort = ""
            self._activity.feed(event)
            if self._activity.new_call:
                self._facts.count_call(event.actor)
            return
        match event:
            case Unreadable():
                self._unreadable += 1
            case Acted():
                self._acted(event)
                self._activity.answered(event)
                if event.action == "abort":
                    self._abort = _reaching(event, self._abort)
            case Tick():
                self._tick = event

    def _acted(self, event: Acted) -> None:
        old = self._actions.get(event.id)
        self._actions[event.id] = ActionFacts(
            id=event.id,
            action=event.action or (old.action if old else ""),
            by=event.by,
            receipt=event.receipt,
            text=event.text or (old.text if old else ""),
            evidence=event.evidence,
            subject=event.subject or (old.subject if old else ""),
            at=old.at if old else event.at,
            steps=_grown(old.steps if old else (), event),
            until=event.until,
            then=event.then,
        )
        if len(self._actions) > _ACTIONS:
            del self._actions[next(iter(self._actions))]

    def _claimed(self, event: RequestEnded) -> None:
        idle = self._activity.idle
        if idle is None or idle.how not in ("answered", "could not"):
            return
        spot = Spot(event.seq, event.place.input, event.place.line)
        state = judge(self._evidence()).state
        claim = Claim(spot, event.at, idle.how == "answered", event.text[:2000], state, event.request)
        self._earlier_claims += len(self._claims) == _CLAIMS
        self._claims = (*self._claims, claim)[-_CLAIMS:]

    def _weigh_again(self) -> None:
        """A measurement asked for by the latest claim has come: it may tell what the claim is worth."""
        claim = self._claims[-1]
        if claim.request == self._facts.run.requests:
            self._claims = (*self._claims[:-1], replace(claim, state=judge(self._evidence()).state))

    def _evidence(self) -> Evidence:
        activity, gone = self._activity, self._activity.gone
        waits = activity.waiting
        return Evidence(
            run=self._facts.run,
            idle=activity.idle,
            writes=self._every.writes.view(),
            worktree=merged(self._every.worktree.view(), self._every.outside.view()),
            findings=self._findings(),
            coverage=self._facts.coverage,
            waiting=activity.question,
            waiting_since=waits.at if waits else None,
            gone=gone.text if gone else "",
            process_gone=gone is not None and gone.what == "gone",
            abort=self._actions.get(self._abort),
            dropped=self._dropped(),
            open_call=activity.open_call,
            children=self._facts.children_running,
            begun=activity.begun,
            unreadable=self._unreadable,
            now=self._tick.now if self._tick else None,
            alive=self._tick.alive if self._tick else None,
            since=self._since(),
        )

    def _dropped(self) -> bool:
        """The root's latest reply was dropped by the agent's own guard, and nothing came of it since."""
        flags = [one for one in self._every.thinking.view().flags if not one.actor]
        return bool(flags) and flags[-1].theirs and flags[-1].spot.seq > self._activity.spoke

    def _since(self) -> dict[State, float | None]:
        """When the run became blocked or began to loop."""
        since: dict[State, float | None] = {}
        for entry in self._every.sites.view().entries:
            if entry.level == "stop":
                since.setdefault("blocked", entry.at)
        if flags := self._every.thinking.view().flags:
            since["looping"] = flags[-1].at
        return since

    def _findings(self) -> tuple[Finding, ...]:
        found = [finding for detector in self._every for finding in detector.view().findings]
        return tuple(sorted(found, key=lambda one: (one.state != "open", -rank(one.level), -one.raised)))

    def _build(self) -> Snapshot:
        evidence = self._evidence()
        return Snapshot(
            seq=self._numbering.seq,
            run=evidence.run,
            actors=tuple(self._facts.actors.values()),
            verdict=judge(evidence),
            claims=self._claims,
            earlier_claims=self._earlier_claims,
            coverage=MappingProxyType(dict(self._facts.coverage)),
            writes=evidence.writes,
            sites=self._every.sites.view(),
            thinking=self._every.thinking.view(),
            repeats=self._every.repeats.view(),
            replies=self._every.replies.view(),
            folder=self._every.folder.view(),
            scripts=self._every.scripts.view(),
            tests=self._every.tests.view(),
            stalls=self._every.stalls.view(),
            outside=self._every.outside.view(),
            worktree=evidence.worktree,
            findings=evidence.findings,
            waiting=evidence.waiting,
            waiting_since=evidence.waiting_since,
            waiting_call=waits.call if (waits := self._activity.waiting) else "",
            actions=tuple(self._actions.values()),
            calls=self._activity.calls,
            sources=self._activity.sources,
            missed=self._activity.missed,
            unwatched=self._activity.unwatched,
            unreadable=self._unreadable,
            numbers=self._numbers,
        )


def _reaching(event: Acted, known: str) -> str:
    """The abort that has reached the agent; one that failed has not."""
    if event.receipt in _REACHED:
        return event.id
    return "" if event.id == known else known


def _grown(steps: tuple[tuple[str, float | None], ...], event: Acted) -> tuple[tuple[str, float | None], ...]:
    """The steps with one more, where it is another."""
    return steps if steps and steps[-1][0] == event.receipt else (*steps, (event.receipt, event.at))

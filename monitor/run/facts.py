"""Folds what a run says of itself, and counts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from msgspec.structs import astuple

from monitor.events import DETECTORS, OURS, Coverage, Event, Prompted, RunEnded, RunStarted, Tokens, ToolCalled, Used
from monitor.snapshot import ActorFacts, RunFacts

_KEPT = 512
"""Uses that a later one may still replace."""
_ACTORS = 10_000
"""Actors kept; of more, those that ended are forgotten, the first ones first."""
_OURS = frozenset(OURS)
_TAKEN = frozenset((Prompted, ToolCalled, RunEnded, Used))
"""What says more than when it was; told apart by its very type, which costs a fifth of asking what it is an instance of."""
_SAID_OF_RUN = ("agent", "version", "model", "session", "cwd", "project", "task", "lag")


@dataclass(frozen=True, slots=True)
class _Sum:
    """Tokens and cost of one scope, each key counted once."""

    tokens: Tokens = Tokens()
    cost: float | None = None

    def replaced(self, old: Used | None, new: Used) -> _Sum:
        less = old.tokens if old else Tokens()
        tokens = Tokens(
            *(a + b - c for a, b, c in zip(astuple(self.tokens), astuple(new.tokens), astuple(less), strict=True))
        )
        if new.cost is None:
            return _Sum(tokens, self.cost)
        return _Sum(tokens, (self.cost or 0.0) + new.cost - ((old.cost or 0.0) if old else 0.0))


class Facts:
    """The run's facts, its actors, and what was consumed."""

    def __init__(self) -> None:
        self.actors: dict[str, ActorFacts] = {}
        self.coverage: dict[str, Coverage] = {}
        self.turns = 0
        """Of all actors."""
        self._requests = self._calls = 0
        self._first: float | None = None
        self._last: float | None = None
        self._over = False
        self._run = RunFacts()
        self._new: dict[str, Any] = {}
        """What is to be put into the run's facts when they are asked for: most events only move a time."""
        self._used: dict[tuple[str, str], Used] = {}
        self._sums: dict[str, _Sum] = {}

    def feed(self, event: Event) -> None:
        """Take in one numbered event."""
        if event.at is not None and not event.copied and type(event) not in _OURS:
            self._timed(event.at)
        if type(event) is RunStarted:
            self._started(event)
        elif type(event) in _TAKEN and not event.copied:
            self._take(event)
        actor = self._actor(event.actor)
        if event.turn > actor.turns:
            self.actors[event.actor] = replace(actor, turns=event.turn)
            self.turns = self._new["turns"] = self.turns + 1
        if event.request > self._requests:
            self._requests = self._new["requests"] = event.request

    @property
    def run(self) -> RunFacts:
        """What is known of the run now."""
        if self._new:
            self._run = replace(self._run, **self._new)
            self._new = {}
        return self._run

    def _timed(self, at: float) -> None:
        if self._first is None or at < self._first:
            self._first = self._new["started"] = at
        if self._last is None or at > self._last:
            self._last = self._new["last"] = at

    def _take(self, event: Event) -> None:
        match event:
            case Prompted():
                self._prompted(event)
            case ToolCalled():
                self._called(event)
            case RunEnded():
                self._ended(event)
            case Used():
                self._consumed(event)
            case _:
                pass

    def copy(self) -> Facts:
        """Another that goes on from here."""
        other = Facts()
        other.__dict__.update(self.__dict__)
        other.actors, other.coverage, other._new = dict(self.actors), dict(self.coverage), dict(self._new)
        other._used, other._sums = dict(self._used), dict(self._sums)
        return other

    @property
    def children_running(self) -> int:
        """Sub-agents that have not ended."""
        return sum(1 for actor in self.actors.values() if actor.id and actor.running)

    def _actor(self, name: str) -> ActorFacts:
        if name not in self.actors:
            if len(self.actors) >= _ACTORS:
                self._forget()
            self.actors[name] = ActorFacts(id=name, parent="" if name else None)
        return self.actors[name]

    def _forget(self) -> None:
        others = [name for name in self.actors if name]
        ended = [name for name in others if not self.actors[name].running]
        for name in (ended or others)[: _ACTORS // 10]:
            del self.actors[name]

    def _started(self, event: RunStarted) -> None:
        actor = self._actor(event.actor)
        self.actors[event.actor] = replace(
            actor,
            parent=event.parent if event.actor and event.parent is not None else actor.parent,
            task=event.task or actor.task,
            model=event.model or actor.model,
            started=actor.started if actor.started is not None else event.at,
        )
        if event.actor:
            return
        self.coverage |= {name: cover for name, cover in event.coverage.items() if name in DETECTORS}
        self._new |= {name: getattr(event, name) for name in _SAID_OF_RUN if getattr(event, name)}
        if event.change_required is not None:
            self._new["change_required"] = event.change_required
        if event.deltas is not None:
            self._new["deltas"] = event.deltas

    def _prompted(self, event: Prompted) -> None:
        if event.actor:
            actor = self._actor(event.actor)
            self.actors[event.actor] = replace(actor, task=actor.task or event.text[:2000], running=True, ended=None)
            return
        self._reopen()
        if event.by == "user" and not self.run.task:
            self._new["task"] = event.text[:2000]

    def _called(self, event: ToolCalled) -> None:
        if not event.actor:
            self._reopen()
        else:
            self._runs(event.actor)

    def count_call(self, actor: str) -> None:
        """One more call; `Run` knows which calls are told again."""
        self._calls = self._new["calls"] = self._calls + 1
        self.actors[actor] = replace(self._actor(actor), calls=self._actor(actor).calls + 1)

    def _reopen(self) -> None:
        if self._over:
            self._over = False
            self._new.update(over=False, ended=None, status="", exit=None)
        self._runs("")

    def _runs(self, name: str) -> None:
        """The actor is at work, again if it had ended."""
        actor = self._actor(name)
        if not actor.running or actor.ended is not None:
            self.actors[name] = replace(actor, running=True, ended=None)

    def _ended(self, event: RunEnded) -> None:
        actor = self._actor(event.actor)
        self.actors[event.actor] = replace(actor, running=False, ended=event.at, status=event.status)
        if not event.actor:
            at = event.at if event.at is not None else self._last
            self._over = True
            self._new.update(over=True, ended=at, status=event.status, exit=event.exit)

    def _consumed(self, event: Used) -> None:
        if event.context_used is not None and not event.actor:
            self._new["context_used"] = event.context_used
        if event.context_size is not None and not event.actor:
            self._new["context_size"] = event.context_size
        key = (event.scope, f"{event.actor}\0{event.key}")
        self._sums[event.scope] = self._sums.get(event.scope, _Sum()).replaced(self._used.get(key), event)
        self._used[key] = event
        if len(self._used) > _KEPT:
            for known in ([known for known in self._used if known[0] != "run"] or list(self._used))[: _KEPT // 2]:
                del self._used[known]
        total = self._total()
        self._new.update(tokens=total.tokens, cost=total.cost)

    def _total(self) -> _Sum:
        """The run's own total where it gives one, else the larger sum of its requests and its messages."""
        if "run" in self._sums:
            return self._sums["run"]
        parts = [self._sums.get(scope, _Sum()) for scope in ("request", "message")]
        return max(parts, key=lambda part: (part.tokens.input + part.tokens.output, part.cost or 0))

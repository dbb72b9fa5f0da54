"""Folds what a run says of itself, and counts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from msgspec.structs import astuple

from monitor.events import OURS, Coverage, Event, Prompted, RunEnded, RunStarted, Tokens, ToolCalled, Used
from monitor.snapshot import ActorFacts, RunFacts

_KEPT = 512
"""Uses that a later one may still replace."""
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
        self.run = RunFacts()
        self.actors: dict[str, ActorFacts] = {}
        self.coverage: dict[str, Coverage] = {}
        self._used: dict[tuple[str, str], Used] = {}
        self._sums: dict[str, _Sum] = {}

    def feed(self, event: Event) -> None:
        """Take in one numbered event."""
        run = self.run
        if event.at is not None and not event.copied and not isinstance(event, OURS):
            started = event.at if run.started is None else min(run.started, event.at)
            if started != run.started or run.last is None or event.at > run.last:
                self.run = run = replace(run, started=started, last=max(run.last or event.at, event.at))
        if isinstance(event, RunStarted):
            self._started(event)
        elif not event.copied:
            self._take(event)
        if event.turn > self._actor(event.actor).turns:
            self.actors[event.actor] = replace(self.actors[event.actor], turns=event.turn)
            self.run = replace(self.run, turns=self.run.turns + 1)
        if event.request > self.run.requests:
            self.run = replace(self.run, requests=event.request)

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
        other.run, other.actors, other.coverage = self.run, dict(self.actors), dict(self.coverage)
        other._used, other._sums = dict(self._used), dict(self._sums)
        return other

    @property
    def children_running(self) -> int:
        """Sub-agents that have not ended."""
        return sum(1 for actor in self.actors.values() if actor.id and actor.running)

    def _actor(self, name: str) -> ActorFacts:
        if name not in self.actors:
            self.actors[name] = ActorFacts(id=name, parent="" if name else None)
        return self.actors[name]

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
        self.coverage |= event.coverage
        told: dict[str, Any] = {name: getattr(event, name) for name in _SAID_OF_RUN if getattr(event, name)}
        if event.change_required is not None:
            told["change_required"] = event.change_required
        if event.deltas is not None:
            told["deltas"] = event.deltas
        self.run = replace(self.run, **told)

    def _prompted(self, event: Prompted) -> None:
        if event.actor:
            actor = self._actor(event.actor)
            self.actors[event.actor] = replace(actor, task=actor.task or event.text[:2000], running=True, ended=None)
            return
        self._reopen()
        if event.by == "user" and not self.run.task:
            self.run = replace(self.run, task=event.text[:2000])

    def _called(self, event: ToolCalled) -> None:
        actor = self._actor(event.actor)
        if not event.actor:
            self._reopen()
        self.actors[event.actor] = replace(actor, running=True, ended=None)

    def count_call(self, actor: str) -> None:
        """One more call; `Run` knows which calls are told again."""
        self.run = replace(self.run, calls=self.run.calls + 1)
        self.actors[actor] = replace(self._actor(actor), calls=self._actor(actor).calls + 1)

    def _reopen(self) -> None:
        if self.run.over:
            self.run = replace(self.run, over=False, ended=None, status="", exit=None)
        self.actors[""] = replace(self._actor(""), running=True, ended=None)

    def _ended(self, event: RunEnded) -> None:
        actor = self._actor(event.actor)
        self.actors[event.actor] = replace(actor, running=False, ended=event.at, status=event.status)
        if not event.actor:
            at = event.at if event.at is not None else self.run.last
            self.run = replace(self.run, over=True, ended=at, status=event.status, exit=event.exit)

    def _consumed(self, event: Used) -> None:
        if event.context_used is not None and not event.actor:
            self.run = replace(self.run, context_used=event.context_used)
        if event.context_size is not None and not event.actor:
            self.run = replace(self.run, context_size=event.context_size)
        key = (event.scope, f"{event.actor}\0{event.key}")
        self._sums[event.scope] = self._sums.get(event.scope, _Sum()).replaced(self._used.get(key), event)
        self._used[key] = event
        if len(self._used) > _KEPT:
            for known in [known for known in self._used if known[0] == "message"][: _KEPT // 2]:
                del self._used[known]
        total = self._total()
        self.run = replace(self.run, tokens=total.tokens, cost=total.cost)

    def _total(self) -> _Sum:
        """The run's own total where it gives one, else the larger sum of its requests and its messages."""
        if "run" in self._sums:
            return self._sums["run"]
        parts = [self._sums.get(scope, _Sum()) for scope in ("request", "message")]
        return max(parts, key=lambda part: (part.tokens.input + part.tokens.output, part.cost or 0))

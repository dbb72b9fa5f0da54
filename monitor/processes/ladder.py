"""Stops a run step by step: asked first, then harder, never harder than was allowed."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from monitor.actions import Force
from monitor.processes.family import Family, Member, reachable
from monitor.processes.identity import CHANGED, why_not_itself
from monitor.processes.plan import DEAF, FORCES, SIGNALS, WAIT
from monitor.processes.signals import deliver, ignores, untouchable
from monitor.processes.suspects import Suspect
from monitor.text import plural, shorten

_NUMBERS = {"interrupt": signal.SIGINT, "terminate": signal.SIGTERM, "kill": signal.SIGKILL}
_ROUNDS = 20
"""Times that new processes are looked for while all are killed: each round may have let one slip."""
_KILLS = 3
_NAMED = 5


@dataclass(frozen=True, slots=True)
class Standing:
    """How far it has got."""

    words: str
    """What was done, what is gone and what is left, in one line."""
    until: float | None = None
    """How long the step that was taken is given, seconds since the epoch; none when it is given no more time."""
    then: str = ""
    """The step that is taken at `until`; empty when none is taken unless it is asked for."""
    reached: bool = False
    """Something was sent to the agent."""
    over: bool = False
    """All processes that may be touched are gone."""
    stuck: bool = False
    """All that was allowed has been tried, and time was given."""


class Ladder:
    """Climbs while it is asked to `step`; it never waits itself.

    `ask` stops the agent by its own protocol and says how, or says nothing where it cannot.
    """

    def __init__(
        self,
        family: Family,
        ask: Callable[[], str] | None = None,
        wait: float = WAIT,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._family = family
        self._ask = ask
        self._wait = wait
        self._clock = clock
        self._limit = -1
        self._next = 0
        """The step to be taken next, as an index of `FORCES`."""
        self._due = 0.0
        self._done: list[str] = []
        self._met: dict[tuple[int, float], str] = {}
        """Every process it has seen, with its command."""
        self._kills = 0
        self._swept: set[tuple[int, float]] = set()
        """What the agent left behind and was told to end."""

    def climb(self, upto: Force) -> None:
        """Allow it to go so far; what was allowed before stays so."""
        self._limit = max(self._limit, FORCES.index(upto))

    def step(self) -> Standing:
        """Look, do what is due, and say how it stands."""
        members = self._seen()
        if self._root(members) is not None and self._clock() >= self._due:
            self._rise(members)
            members = self._seen()
        if members and self._root(members) is None:
            self._sweep(members)
            members = self._seen()
        return self._standing(members)

    def _seen(self) -> tuple[Member, ...]:
        members = self._family.look()
        self._met |= {one.identity.key: one.identity.command for one in members}
        return members

    def _root(self, members: Sequence[Member]) -> Member | None:
        return next((one for one in members if one.identity.pid == self._family.root.pid), None)

    def _rise(self, members: Sequence[Member]) -> None:
        """Take the next step that is allowed and possible."""
        root = self._root(members)
        while root is not None and self._next <= self._limit:
            force = FORCES[self._next]
            self._next += 1
            if self._taken(force, root, members):
                self._due = self._clock() + self._wait
                return

    def _taken(self, force: Force, root: Member, members: Sequence[Member]) -> bool:
        """Whether the step was taken, not skipped.

        What the agent runs in its own process group gets the signal too, as from a terminal's ctrl+c: a script
        that started the agent would wait for it in vain.
        """
        if force == "ask":
            how = self._ask() if self._ask else ""
            self._done += [how] if how else []
            return bool(how)
        if why_not_itself(root.identity) == CHANGED:
            self._done.append(f"nothing was sent to {root.identity.pid}: {CHANGED}")
            self._next = len(FORCES)
            return True
        if force == "interrupt" and ignores(root.identity.pid, signal.SIGINT):
            self._done.append(f"{root.identity.pid} {DEAF}")
            return False
        if force == "kill":
            self._kill()
            return True
        reason = self._send(root, force)
        for one in reachable(members):
            if not reason and one.depth and one.group == root.group:
                self._send(one, force)
        name = f"{SIGNALS[force]} {'not sent' if reason else 'sent'} to {root.identity.pid}"
        self._done.append(f"{name}: {reason}" if reason else name)
        return not reason

    def _send(self, member: Member, force: Force) -> str:
        """Send it; one that is stopped takes a signal only when it goes on."""
        reason = deliver(member.identity, _NUMBERS[force])
        if not reason and member.state == "T" and force != "kill":
            deliver(member.identity, signal.SIGCONT)
        return reason

    def _kill(self) -> None:
        """End all at once; stopped first, so that none starts another meanwhile."""
        self._kills += 1
        for number in (signal.SIGSTOP, signal.SIGKILL):
            reached: set[tuple[int, float]] = set()
            for _ in range(_ROUNDS):
                fresh = [one for one in reachable(self._seen()) if one.identity.key not in reached]
                if not fresh:
                    break
                for one in fresh:
                    deliver(one.identity, number)
                    reached.add(one.identity.key)
        self._done.append(f"SIGKILL sent to {plural(len(reached), 'process', 'processes')}")

    def _sweep(self, members: Sequence[Member]) -> None:
        """The agent is gone: what it left behind is asked to end, and killed where that is allowed."""
        fresh = [one for one in reachable(members) if one.identity.key not in self._swept]
        for one in fresh:
            self._send(one, "terminate")
            self._swept.add(one.identity.key)
        if fresh:
            self._done.append(f"SIGTERM sent to what it left behind: {_named([one.identity.command for one in fresh])}")
            self._due = self._clock() + self._wait
        elif self._may_kill() and self._clock() >= self._due:
            self._kill()
            self._due = self._clock() + self._wait

    def _may_kill(self) -> bool:
        """What is left after being killed a few times hangs in the kernel, and will not be killed by once more."""
        return self._limit == len(FORCES) - 1 and self._kills < _KILLS

    def _standing(self, members: Sequence[Member]) -> Standing:
        left = [one for one in members if not untouchable(one.identity)]
        kept = [f"{one.identity.command}: {untouchable(one.identity)}" for one in members if untouchable(one.identity)]
        lives = self._root(members) is not None
        coming = self._coming(lives=lives)
        waits = self._clock() < self._due
        alive = {one.identity.key for one in members}
        gone = [command for key, command in self._met.items() if key not in alive]
        parts = [*self._done]
        if gone:
            parts.append(f"{plural(len(gone), 'process', 'processes')} ended: {_named(gone)}")
        if left:
            parts.append(f"{plural(len(left), 'process', 'processes')} left: {_named([_shown(one) for one in left])}")
        if kept:
            parts.append(f"not touched: {_named(kept)}")
        if left and not coming:
            parts.append(self._harder(lives=lives))
        if self._done and (not left or not (coming or waits)):
            parts.append(_suspected(self._family.suspects()))
        return Standing(
            words="; ".join(filter(None, parts)),
            until=self._due if left and waits else None,
            then=coming if left and waits else "",
            reached=bool(self._done),
            over=not left,
            stuck=bool(left) and not coming and not waits,
        )

    def _coming(self, *, lives: bool) -> str:
        """The signal that comes next by itself, if any does."""
        if not lives:
            return SIGNALS["kill"] if self._may_kill() else ""
        following = FORCES[max(self._next, 1) : self._limit + 1]
        deaf = ignores(self._family.root.pid, signal.SIGINT)
        return next((SIGNALS[force] for force in following if not (force == "interrupt" and deaf)), "")

    def _harder(self, *, lives: bool) -> str:
        """What could still be asked for."""
        index = max(self._next, self._limit + 1) if lives else len(FORCES) - 1
        return f"{SIGNALS[FORCES[index]]} only when it is asked for" if 0 < index < len(FORCES) else ""


def _suspected(found: Sequence[Suspect]) -> str:
    """What may be the run's too, and why."""
    shown = [f"{one.pid} {shorten(one.command, 40)} ({one.why})" for one in found[:_NAMED]]
    more = [f"and {len(found) - _NAMED} more"] if len(found) > _NAMED else []
    return f"may belong to it, not touched: {', '.join([*shown, *more])}" if found else ""


def _shown(member: Member) -> str:
    return f"{member.identity.pid} {member.identity.command}"


def _named(commands: Sequence[str]) -> str:
    """The first few, shortened."""
    rest = len(commands) - _NAMED
    shown = [shorten(command, 60) for command in commands[:_NAMED]]
    return ", ".join([*shown, f"and {rest} more"] if rest > 0 else shown)

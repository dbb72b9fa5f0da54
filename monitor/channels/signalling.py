"""Reaches a run through its process alone: it can be ended, paused and continued, but takes no words."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from monitor.actions import Action, Verb, When
from monitor.channels.body import SIGNALLED, UNKNOWN, Body
from monitor.channels.receipts import Receipts
from monitor.events import Acted, Event
from monitor.processes.identity import Identity
from monitor.processes.plan import WAIT, Plan
from monitor.streams.record import Record

_SIGNALS = "by signals to its process and all it started"
_NOTHING = "it takes no words while it runs"
_DEAF = "its agent asks its own terminal, not monitor"


class SignalChannel:
    """Signals to the verified process that `find` gives.

    `offering` words the command that resumes with a text, `ending` what an abort means to this agent, `remains` what
    is left of the run then, `unknown` why no process is known while none is.
    """

    name = "signals"
    hooked = False
    """Signals end the process, and with it the session."""

    def __init__(
        self,
        find: Callable[[], Identity | None],
        *,
        offering: Callable[[str], str] = lambda _: "",
        ending: str = _SIGNALS,
        remains: Callable[[], str] = lambda: "",
        unknown: Callable[[], str] = lambda: UNKNOWN,
        mark: str = "",
        wait: float = WAIT,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._offering = offering
        self._ending = ending
        self._remains = remains
        self._unknown = unknown
        self._receipts = Receipts(self.name, clock)
        self._body = Body(find, self._receipts, mark=mark, wait=wait, clock=clock)
        self._body.look(now=True)

    @property
    def identity(self) -> Identity | None:
        """The agent's process, if it lived at the last look."""
        return self._body.identity

    @property
    def due(self) -> float | None:
        """Soon while the run is being stopped."""
        return self._body.due

    def can(self, verb: Verb) -> str:
        """What signals can do."""
        if verb in SIGNALLED:
            reason = self._body.can(verb)
            return self._unknown() if reason == UNKNOWN else reason
        if verb in ("allow", "deny"):
            return _DEAF
        if verb not in ("warn", "feedback"):
            return "this is not done through the agent"
        offer = self._offering("…")
        return f"{_NOTHING}; once it has ended: {offer}" if offer else _NOTHING

    def how(self, verb: Verb, when: When = "next") -> str:
        """By signals."""
        del when
        if self.can(verb):
            return ""
        return self._ending if verb == "abort" else _SIGNALS

    def plan(self) -> Plan | None:
        """What an abort would end."""
        plan = self._body.plan()
        return replace(plan, remains=self._remains()) if plan is not None else None

    def offer(self, text: str) -> str:
        """The command that resumes the run with this text."""
        return self._offering(text)

    def send(self, action: Action) -> None:
        """Begin to do it, or refuse."""
        if action.verb in SIGNALLED:
            self._body.perform(action)
        else:
            self._receipts.refuse(action, self.can(action.verb))

    def hear(self, record: Record) -> None:
        """Signals are not acknowledged in a log."""

    def observe(self, event: Event) -> None:
        """Signals are not acknowledged in a log."""

    def receipts(self) -> list[Acted]:
        """What is new."""
        self._body.step()
        return self._receipts.take()

    def close(self) -> None:
        """Nothing is held."""

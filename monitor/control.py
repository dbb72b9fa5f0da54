"""The operator's hand: one small protocol for every agent, and for runs that cannot be reached."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from monitor.actions import Action, Verb, When
from monitor.events import Acted, Event
from monitor.processes.plan import Plan
from monitor.streams.record import Record


class Channel(Protocol):
    """Reaches one run. `can`, `how`, `plan` and `offer` may be asked by any thread; the rest is one thread's.

    A receipt goes queued, delivered, seen, done, or failed. `seen` is told only on evidence from the agent's side,
    `done` of an abort only when the run's processes are gone, or where it ends the run and not the session (by hooks)
    when the agent's own record says so.
    """

    @property
    def name(self) -> str:
        """How it reaches the run, as receipts name it."""

    @property
    def due(self) -> float | None:
        """When `receipts` wants to be called again, seconds since the epoch; none when only news matter."""

    def can(self, verb: Verb) -> str:
        """Nothing when it can be done here and now, else why not, as one sentence."""

    def how(self, verb: Verb, when: When = "next") -> str:
        """In what way it would be done now, as one sentence; nothing where `can` says why not.

        `when` matters for words alone; the sentence is the same where the channel cannot choose.
        """

    def plan(self) -> Plan | None:
        """What an abort would end and how; none where no process is known."""

    def offer(self, text: str) -> str:
        """A command line to copy that goes on with the run once it has ended, with this text; or nothing."""

    def send(self, action: Action) -> None:
        """Begin to do it; what becomes of it stands in `receipts`. Never waits, never raises."""

    def hear(self, record: Record) -> None:
        """A record of the run as it was read, before it is decoded: acknowledgements stand there."""

    def observe(self, event: Event) -> None:
        """An event of the run."""

    def receipts(self) -> list[Acted]:
        """What is new, in order; goes on with what is under way."""

    def close(self) -> None:
        """Let go; the agent goes on."""


class NoChannel:
    """A run that cannot be reached, with the reason."""

    name = "none"
    due: float | None = None

    def __init__(self, why: str, offering: Callable[[str], str] = lambda _: "") -> None:
        self._why = why
        self._offering = offering
        self._failed: list[Acted] = []

    def can(self, verb: Verb) -> str:
        """Nothing can be done."""
        del verb
        return self._why

    def how(self, verb: Verb, when: When = "next") -> str:
        """In no way."""
        del verb, when
        return ""

    def plan(self) -> Plan | None:
        """No process is known."""
        return None

    def offer(self, text: str) -> str:
        """The command that goes on with the run, where one is known."""
        return self._offering(text)

    def send(self, action: Action) -> None:
        """Fails at once."""
        self._failed.append(
            Acted(
                id=action.id, action=action.verb, by=action.by, channel=self.name, receipt="failed",
                evidence=self._why, text=action.text, subject=action.subject,
            )
        )  # fmt: skip

    def hear(self, record: Record) -> None:
        """Nothing is waited for."""

    def observe(self, event: Event) -> None:
        """Nothing is waited for."""

    def receipts(self) -> list[Acted]:
        """Those that failed."""
        taken, self._failed = self._failed, []
        return taken

    def close(self) -> None:
        """Nothing is held."""

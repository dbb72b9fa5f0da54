"""What can be done to a run that is only played back: nothing."""

from __future__ import annotations

from monitor.actions import Action, Verb, When
from monitor.processes.plan import Plan


class PastHand:
    """Says why nothing can be done, and does nothing."""

    def act(self, action: Action) -> None:
        """Nothing: what is past cannot be acted on, and `can` says so."""

    def can(self, verb: Verb) -> str:
        """Why nothing can be done to a run that is over."""
        return f"this is a replay: there is nothing left to {verb}"

    def how(self, verb: Verb, when: When = "next") -> str:
        """In no way."""
        del verb, when
        return ""

    def plan(self) -> Plan | None:
        """Nothing would be ended: the run is over."""
        return None

    def offer(self, text: str) -> str:
        """Nothing is gone on with from a replay: the run itself is to be attached to."""
        del text
        return ""

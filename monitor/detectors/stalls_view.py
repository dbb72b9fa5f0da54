"""What the stalls detector shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from monitor.findings import Finding, Level, Spot


@dataclass(frozen=True, slots=True)
class Stall:
    """Something that has been awaited for too long."""

    what: Literal["model", "call"]
    name: str
    """The call in a few words; empty for the model."""
    since: float
    """When the wait began, seconds since the epoch."""
    deadline: float
    """When it reached its level."""
    level: Level
    spot: Spot
    """The event after which nothing came."""
    actor: str = ""
    call: str = ""

    @property
    def subject(self) -> str:
        """What names it among the actor's findings."""
        return f"{self.name} ({self.call})" if self.call else "model"


@dataclass(frozen=True, slots=True)
class StallsView:
    """What stalls now."""

    stalls: tuple[Stall, ...] = ()
    """Longest wait first."""
    findings: tuple[Finding, ...] = ()

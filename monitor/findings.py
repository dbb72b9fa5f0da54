"""What a detector concludes: one finding, its level, and the places that prove it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["note", "warn", "stop"]
LEVELS: tuple[Level, ...] = ("note", "warn", "stop")
"""From the least to the most pressing."""
State = Literal["open", "cleared", "settled", "closed"]
"""`cleared` by what happened, `settled` by the operator, `closed` with its request."""


def rank(level: Level | None) -> int:
    """How pressing a level is: none is 0, stop is 3."""
    return 0 if level is None else LEVELS.index(level) + 1


@dataclass(frozen=True, slots=True)
class Spot:
    """An event that proves a finding."""

    seq: int
    input: int
    line: int


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found; screen, report, policy and the warning to the agent all use this object."""

    detector: str
    """A name of `events.DETECTORS`."""
    subject: str
    """What it is about, unique within the detector: a file, a site, a command."""
    level: Level
    message: str
    """One line, plain English, for the operator."""
    advice: str = ""
    """Addressed to the agent, under 1,200 characters."""
    state: State = "open"
    actor: str = ""
    request: int = 0
    opened: int = 0
    """The seq at which it was opened."""
    raised: int = 0
    """The seq at which it reached its level."""
    ended: int | None = None
    """The seq at which it was cleared, settled or closed."""
    why_ended: str = ""
    places: tuple[Spot, ...] = ()
    figure: str = ""
    """The count in short, such as `×3`."""
    deadline: float | None = None
    """When its time ran out, seconds since the epoch; only of findings made of time."""

    @property
    def key(self) -> str:
        """What names this finding within the run."""
        return f"{self.detector}:{self.actor}:{self.subject}"

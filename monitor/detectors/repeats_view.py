"""What the repeats detector shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from monitor.findings import Finding, Level, Spot

ENTRIES = 200
"""Entries kept, the last."""
Rule = Literal["same call", "same failing command", "same change", "cycle of calls", "not executed", "no progress"]


@dataclass(frozen=True, slots=True)
class Repeat:
    """Calls made again and again, or turns that brought nothing."""

    rule: Rule
    call: str
    """The call in a few words; of a cycle all of them; empty where the rule counts turns."""
    count: int
    """Calls, rounds or turns, as the rule counts."""
    level: Level
    """The highest it reached."""
    first: Spot
    last: Spot
    actor: str = ""
    request: int = 0


@dataclass(frozen=True, slots=True)
class RepeatsView:
    """What was repeated."""

    entries: tuple[Repeat, ...] = ()
    """Oldest first; the last 200."""
    findings: tuple[Finding, ...] = ()

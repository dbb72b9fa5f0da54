"""What the replies detector shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from monitor.findings import Finding

Lost = Literal["empty", "cut off", "circled", "no answer"]
"""Why a reply held no answer and no call; `no answer` where the source cannot tell."""


@dataclass(frozen=True, slots=True)
class RepliesView:
    """Replies without an answer and without a call, of all actors and requests."""

    empty: int = 0
    cut_off: int = 0
    """Cut off by length before they said anything."""
    circled: int = 0
    """Dropped by the harness because they went round in circles."""
    no_answer: int = 0
    """Without an answer for a reason that the source does not tell."""
    findings: tuple[Finding, ...] = ()

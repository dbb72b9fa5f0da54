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
    cut_answers: int = 0
    """Answers that were cut off by length: they exist, and are not whole."""
    synthetic: int = 0
    """Replies whose words are not the model's: API errors, limits, logins, fillers."""
    findings: tuple[Finding, ...] = ()

"""What the thinking detector shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from monitor.findings import Finding, Spot

Where = Literal["thinking", "answer"]
FLAGS = 50
"""Flags kept, the last."""
NOSPOT = Spot(-1, -1, 0)


@dataclass(frozen=True, slots=True)
class ThinkingFlag:
    """One reply that went in circles."""

    spot: Spot
    rule: Literal["circles", "cycle", "harness"]
    """The same sentences, the same piece of text, or a note of the agent's own guard that it dropped the reply."""
    at_character: int = 0
    """Where it showed, in characters from the start of the reply's thinking or answer; 0 for `harness`."""
    of: int = 0
    """Characters of that thinking or answer so far; 0 for `harness`."""
    text: str = ""
    """What is repeated, or the guard's own words, up to 300 characters on one line."""
    where: Where = "thinking"
    theirs: bool = False
    """The agent's own guard said so too, or alone."""
    actor: str = ""
    at: float | None = None
    request: int = 0


@dataclass(frozen=True, slots=True)
class ThinkingView:
    """How much of the thinking and of the answers was said before."""

    characters: int = 0
    """Of thinking."""
    said: int = 0
    """Of answers, and of text between calls."""
    density: float | None = None
    """The share of the last 20 sentences of the reply that spoke last which it had said 4 times or more; none before
    it has 20."""
    last: float | None = None
    """The latest density of any reply; none before any had 20 sentences."""
    peak: float | None = None
    history: tuple[float, ...] = ()
    """The density over the run, the newest last, at most 512 samples."""
    limit: float = 0.8
    """The density that counts as circles."""
    flags: tuple[ThinkingFlag, ...] = ()
    """The replies that went in circles, oldest first; the last 50."""
    noted: int = 0
    """Notes of the agent's own guard that it dropped a reply for circling."""
    findings: tuple[Finding, ...] = ()

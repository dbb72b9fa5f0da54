"""How often the runs that are followed together are read, and all of them drawn."""

from __future__ import annotations

from monitor.channels.hold import BEAT

ROUNDS = 5
"""Rounds that all runs at which nobody looks make in a second, at the most: twenty cost little more than five."""


def beat(runs: int) -> float:
    """Seconds between two rounds of each of so many runs while nobody looks at it: whole beats, since all share them."""
    return BEAT * max(-(-runs // ROUNDS), 1)

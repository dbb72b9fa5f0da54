"""The order of runs: by need, by the last word, or by cost; it rests while nothing but the time of a word changes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from monitor.finding.standing import Standing

Sort = Literal["need", "last", "cost"]
SORTS: tuple[Sort, ...] = ("need", "last", "cost")
NAMES: dict[Sort, tuple[str, str]] = {
    "need": ("those that need you first", "by need"),
    "last": ("the latest word first", "by last word"),
    "cost": ("the dearest first", "by cost"),
}
"""What each order is called, at length and in short."""
_JUST_NOW = 60.0
"""Seconds within which words count as said at once: runs that all work keep their places."""
_AHEAD = 86_400.0
"""Seconds by which another machine's clock may be ahead; a time beyond that says nothing of when."""


def ordered(runs: Iterable[Standing], sort: Sort, now: float, before: dict[str, int]) -> list[Standing]:
    """The runs in order; those that are level stand as `before`, and new ones after them, the latest first."""
    end = len(before)

    def place(run: Standing) -> tuple[float, float, int, float, str]:
        last = said(run, now)
        level = -min(last, now - _JUST_NOW)
        return _weight(run, sort), level, before.get(run.key, end), -last, run.key

    return sorted(runs, key=place)


def said(run: Standing, now: float) -> float:
    """When the run said its last word, seconds since the epoch; 0 where that is not known, or lies far ahead."""
    told = run.snapshot.run.last if run.snapshot is not None else None
    return max((at for at in (told, run.listed.last) if at is not None and at <= now + _AHEAD), default=0.0)


def _weight(run: Standing, sort: Sort) -> float:
    if sort == "cost":
        cost = run.snapshot.run.cost if run.snapshot is not None else None
        return -(cost or 0.0)
    return float(-run.urgency) if sort == "need" else 0.0

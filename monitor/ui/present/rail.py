"""The scroll bar of the timeline, with the findings of the whole run on it."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from monitor.ui.marks import weight
from monitor.ui.pen import Pen
from monitor.ui.present.lines import put, role

Tick = tuple[int, str]
"""A row's index, and the level of what was found there."""


def rail(pen: Pen, ticks: Sequence[Tick], view: tuple[int, int, int], y: int) -> Content:
    """The cell at height `y`: bar, thumb or tick. `view` is the top row, the rows that fit, and all rows."""
    top, room, total = view
    if total <= room or room <= 0:
        return Content("  ")
    size = max(1, round(room * room / total))
    begin = round((room - size) * top / max(total - room, 1))
    thumb = begin <= y < begin + size
    levels = [level for index, level in ticks if place(index, room, total) == y] if room >= 8 else []
    tone = max(levels, key=weight) if levels else "muted" if thumb else "rule"
    return put(" ", (pen.mark("thumb" if thumb or levels else "bar"), role(tone)))


def place(index: int, room: int, total: int) -> int:
    """The cell in which a row's tick stands."""
    return min(room - 1, index * room // max(total, 1))

"""Percentages over time, in eighths of a cell."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from monitor.ui.pen import Pen
from monitor.ui.present.lines import put, role, spread

LIMIT = 80
"""The percentage from which a value takes its colour: 16 of 20 sentences."""


def spanned(values: Sequence[int], room: int) -> tuple[int, ...]:
    """All values in at most so many cells: where several share one, the highest stands for them."""
    count = len(values)
    if count <= room:
        return tuple(values)
    return tuple(max(values[cell * count // room : (cell + 1) * count // room]) for cell in range(room))


def bars(pen: Pen, values: Sequence[int], room: int) -> str:
    """The values on one line."""
    return "".join(pen.eighth(max(1, round(value / 100 * 8))) for value in spanned(values, room))


def chart(pen: Pen, values: Sequence[int], room: int, height: int, limit: int = LIMIT) -> list[Content]:
    """The newest values at the right; what passes the limit takes its colour, and a line shows where that is."""
    space = max(room - 6, 1)
    shown = (-1,) * (space - len(values)) + spanned(values, space)
    marked = int((limit - 0.1) / 100 * height) if height > 1 else -1
    lines: list[Content] = []
    for row in reversed(range(height)):
        rule = pen.mark("limit") if row == marked else " "
        least = 1 if row == 0 else 0
        cells = [
            (pen.eighth(filled), role("warn" if value >= limit else "muted")) if filled > 0 else (rule, role("rule"))
            for value in shown
            for filled in [max(round(value / 100 * height * 8) - row * 8, least if value >= 0 else 0)]
        ]
        lines.append(spread(pen, put(*cells), put(("limit" if row == marked else "", role("muted"))), room, 1))
    return lines

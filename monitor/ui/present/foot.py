"""The footer: what each key does now; what is not possible stands dimmed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from monitor.text import width
from monitor.ui.pen import Pen
from monitor.ui.present.lines import fit, put, role, spread


@dataclass(frozen=True, slots=True)
class Hint:
    """One key in the footer."""

    id: str
    key: str
    label: str
    off: bool = False
    last: bool = False
    """Stays at the right edge, always."""


def foot(pen: Pen, hints: Sequence[Hint], room: int) -> tuple[Content, tuple[tuple[int, int, str], ...]]:
    """The line, and which cells belong to which key."""
    kept = [one for one in hints if one.last]
    right, spots = row([one for one in hints if one.last], room)
    if right.cell_length > room:
        return fit(pen, right, room), tuple(spots)
    at = room - right.cell_length
    left, more = row([one for one in hints if not one.last], at - 2)
    end = [(begin + at, stop + at, name) for begin, stop, name in spots]
    return (spread(pen, left, right, room) if kept else fit(pen, left, room)), (*more, *end)


def row(hints: Sequence[Hint], room: int) -> tuple[Content, list[tuple[int, int, str]]]:
    """As many keys as fit, whole."""
    line, spots = Content(""), []
    for one in hints:
        begin = line.cell_length + (2 if line.plain else 0)
        end = begin + width(one.key) + 1 + width(one.label)
        if end > room and line.plain:
            break
        line = line + put("  " if begin else "") + hint(one)
        spots.append((begin, end, one.id))
    return line, spots


def hint(one: Hint) -> Content:
    """A key and its word."""
    key = (one.key, role("muted" if one.off else "accent", bold=not one.off))
    return put(key, (" " + one.label, role("muted" if one.off else "")))

"""The footer: what each key does now; what is not possible stands dimmed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from monitor.text import width
from monitor.ui.pen import Pen
from monitor.ui.present.lines import fit, put, role


@dataclass(frozen=True, slots=True)
class Hint:
    """One key in the footer."""

    id: str
    key: str
    label: str
    off: bool = False
    last: bool = False
    """Stays at the right edge, always."""


Spots = tuple[tuple[int, int, str], ...]
"""From which cell to which, and the key that stands there."""


def foot(pen: Pen, hints: Sequence[Hint], room: int) -> tuple[Content, Spots]:
    """The line, and which cells belong to which key."""
    right, end = row([one for one in hints if one.last])
    left, spots = row(fitting([one for one in hints if not one.last], room - right.cell_length - 2))
    at = max(room - right.cell_length, 0)
    line = fit(pen, left, at) + right if right.cell_length < room else right
    return fit(pen, line, room), (*spots, *[(begin + at, stop + at, name) for begin, stop, name in end])


def fitting(hints: Sequence[Hint], room: int) -> list[Hint]:
    """The keys that fit, whole: those not possible now go first, and the last ones before the first."""
    kept = list(hints)
    while kept and sum(taken(one) + 2 for one in kept) - 2 > room:
        off = [one for one in kept if one.off]
        kept.remove(off[-1] if off else kept[-1])
    return kept


def taken(one: Hint) -> int:
    """Cells of a key and its word."""
    return width(one.key) + 1 + width(one.label)


def row(hints: Sequence[Hint]) -> tuple[Content, Spots]:
    """Keys side by side, and where each stands."""
    begin, spots = 0, []
    for one in hints:
        spots.append((begin, begin + taken(one), one.id))
        begin += taken(one) + 2
    return put("  ").join([hint(one) for one in hints]), tuple(spots)


def hint(one: Hint) -> Content:
    """A key and its word."""
    key = (one.key, role("muted" if one.off else "accent", bold=not one.off))
    return put(key, (" " + one.label, role("muted" if one.off else "")))

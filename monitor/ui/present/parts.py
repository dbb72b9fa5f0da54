"""The parts a detail is made of, and how they are laid into the room there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from textual.content import Content

from monitor.text import width
from monitor.timeline.rows import Row
from monitor.ui.pen import Pen
from monitor.ui.present.lines import both_ends, fit, hang, middle, put, role, spread, stacked
from monitor.ui.present.quote import quoted
from monitor.ui.present.row import call_line

PartKind = Literal["what", "path", "level", "label", "quote", "text", "quiet", "pair", "cells", "row", "blank", "tail"]


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of a detail."""

    kind: PartKind
    text: str = ""
    right: str = ""
    """A label's words at the right edge, a pair's value, or a quoted line's number."""
    level: str = ""
    hits: frozenset[str] = frozenset()
    """The words to be made bold in a quoted line."""
    spare: bool = False
    """Goes first where there are only a few lines."""
    row: Row | None = None
    """A row of the timeline, what came of it before what it is."""
    cells: tuple[str, ...] = ()
    """Short values in columns at the right edge, after a pair's value."""


LABELLED = 6
"""Rows from which on labels are worth their place."""
COLUMN = 14
"""Cells of a pair's name."""
CELL = 9
"""Cells of a column at the right edge, its gap included."""
BLANK = Part("blank")
TAIL = Part("tail")
"""From here on the end matters more than the beginning."""


def laid(pen: Pen, parts: Sequence[Part], room: int, height: int | None = None, *, opens: bool = True) -> list[Content]:
    """All lines of the parts, or at most `height` of them: blanks go first, then what is spare, then the middle or end.

    What is not shown is counted; `opens` says by which key it is. No label stands there without what it names.
    """
    lines, tail = _collected(pen, parts, room)
    if height is None or len(lines) <= height:
        return lines
    lines, tail = _collected(pen, parts, room, tight=True)
    if len(lines) <= height:
        return lines
    if height <= 1:
        return lines[: max(height, 0)]
    full = len(lines)
    needed = [part for part in parts if not part.spare and (height >= LABELLED or part.kind != "label")]
    lines, tail = _collected(pen, needed, room, tight=True)
    keep = height - 1 - tail
    if len(lines) < height:
        shown = lines
    elif tail and keep > 0:
        shown = [*lines[:tail], *lines[-keep:]]
    else:
        shown = lines[: height - 1]
        if shown[-1].plain in {one.plain for part in needed if part.kind == "label" for one in drawn(pen, part, room)}:
            shown = shown[:-1]
        tail = len(shown)
    hint = f" · {pen.key('open')} opens them" if opens else ""
    more = put((pen.own(f"{full - len(shown)} more lines{hint}"), role("muted")))
    at = tail if tail and len(lines) >= height else len(shown)
    return [*shown[:at], fit(pen, more, room), *shown[at:]]


def _collected(pen: Pen, parts: Sequence[Part], room: int, *, tight: bool = False) -> tuple[list[Content], int]:
    lines: list[Content] = []
    tail = 0
    for part in parts:
        if part.kind == "tail":
            tail = len(lines)
        else:
            found = drawn(pen, part, room)
            lines += [line for line in found if line.plain.strip()] if tight and part.kind != "quote" else found
    return lines, tail


def drawn(pen: Pen, part: Part, room: int) -> list[Content]:
    """The lines of one part."""
    match part.kind:
        case "what":
            return stacked(part.text, room, role("", bold=True))
        case "path":
            return [fit(pen, put((middle(pen, part.text, room), role("", bold=True))), room)]
        case "level":
            sign = put((pen.mark(part.level) + " ", role(part.level, bold=True)))
            return hang(sign, put((part.text, role(part.level))), room)
        case "label":
            left, right = put((part.text, role("muted"))), put((part.right, role("muted")))
            return [Content(""), spread(pen, left, right, room)]
        case "quote":
            return [fit(pen, quoted(pen, part.text, part.right, part.hits), room)]
        case "text" | "quiet":
            return stacked(part.text, room, role("muted" if part.kind == "quiet" else ""))
        case "pair":
            return pair(part, room)
        case "cells":
            return [celled(pen, part, room)]
        case "row" if part.row is not None:
            return [call_line(pen, part.row, room)]
        case _:
            return [Content("")] if part.kind == "blank" else []


def pair(part: Part, room: int) -> list[Content]:
    """A name and its value, which hangs under itself when it is long."""
    column = max(COLUMN, width(part.text) + 1)
    if room < column + 8:
        return stacked(f"{part.text} {part.right}", room)
    lines = stacked(part.right, room - column, role(part.level))
    name = put((part.text + " " * (column - width(part.text)), role("muted")))
    return [name + lines[0], *[put(" " * column) + line for line in lines[1:]]]


def celled(pen: Pen, part: Part, room: int) -> Content:
    """A name, a value, and short values in columns; the first columns go where there is no room for them all."""
    column = max(COLUMN, width(part.text) + 1)
    cells = list(part.cells)
    while cells and room - column - CELL * len(cells) < 2 * CELL:
        del cells[0]
    value = both_ends(pen, part.right, max(room - column - CELL * len(cells), 0))
    left = put((part.text + " " * (column - width(part.text)), role("muted")), (value, role(part.level)))
    right = "".join(" " * max(CELL - width(cell), 1) + cell for cell in cells)
    return fit(pen, left, room - width(right)) + put((right, role("muted")))

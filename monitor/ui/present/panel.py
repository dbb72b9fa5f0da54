"""A panel: what one detector shows, and how that is drawn in the room there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from monitor.text import width
from monitor.ui.pen import Pen
from monitor.ui.present.chart import bars, chart
from monitor.ui.present.lines import first_word, fit, heading, middle, put, role, spread, wrap

ROOMY = 64
"""Cells from which on a one-line panel shows its figure."""
_SUMMARY = 15
"""Cells of the summary of a one-line panel."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing in a panel."""

    level: str
    text: str
    right: str = ""
    """A figure at the right edge."""
    below: str = ""
    """A second line, shown where there is room."""
    tone: str = ""
    """The role of the figure; muted when empty."""
    of: tuple[int, int] | None = None
    """How far towards the limit it is, drawn as a meter."""
    path: bool = False
    """The text is a path: folders go before the name does."""
    seq: int | None = None
    """The event that proves it."""
    subject: str = ""
    """What the detector calls it."""
    why: str = ""
    """What the detail says of it."""


@dataclass(frozen=True, slots=True)
class Panel:
    """What one detector shows."""

    name: str
    summary: str
    level: str = ""
    entries: tuple[Entry, ...] = ()
    bars: tuple[int, ...] = ()
    """Percentages over time, the newest last."""
    limit: int = 80
    """The percentage that is too much."""
    blind: str = ""
    """Why nothing can be said; then no figure is."""
    brief: str = ""
    """What stands for the summary where it does not fit; its first word where this is empty."""


@dataclass(frozen=True, slots=True)
class Line:
    """One drawn line, and the entry it belongs to."""

    content: Content
    entry: int = -1


def drawn(pen: Pen, view: Panel, room: int, height: int, *, focus: bool = False, here: int = 0) -> list[Line]:
    """The panel in so many lines; a single line is a row of a table."""
    if height <= 1:
        row = row_of(pen, view, room, here if focus else 0)
        return [Line(row.stylize("on $panel") if focus else row, here if focus else 0)]
    told, brief = pen.own(view.summary), pen.own(view.brief)
    lines = [Line(heading(pen, view.name, told, room, level=view.level, focus=focus, brief=brief))]
    if view.blind:
        words = wrap(put((view.blind, role("muted"))), room - 2)
        return [*lines, *[Line(put("  ") + one) for one in words]][:height]
    space = height - 1
    if view.bars:
        lines += [Line(one) for one in chart(pen, view.bars, room, max(space - len(view.entries), 1), view.limit)]
        space = height - len(lines)
    return lines + entries(pen, view.entries, room, space, here if focus else -1)


def entries(pen: Pen, shown: Sequence[Entry], room: int, space: int, here: int) -> list[Line]:
    """As many entries as fit, the one at `here` among them; the rest is counted, but where one line is all there is."""
    if space <= 0:
        return []
    hidden = len(shown) > space
    kept = max(space - 1, int(here >= 0)) if hidden else len(shown)
    first = max(0, here - kept + 1)
    numbered = list(enumerate(shown))[first : first + kept]
    roomy = sum(1 + bool(one.below) for _, one in numbered) <= space and not hidden
    lines: list[Line] = []
    for index, one in numbered:
        content = entry_line(pen, one, room)
        lines.append(Line(content.stylize("on $panel") if index == here else content, index))
        if roomy and one.below:
            below = one.below if width(one.below) + 2 <= room else timeless(one.below)
            lines.append(Line(fit(pen, put("  ", (pen.own(below), role("muted"))), room), index))
    if hidden and kept < space:
        lines.append(Line(fit(pen, put("  ", (f"{len(shown) - kept} more", role("muted"))), room)))
    return lines


def timeless(below: str) -> str:
    """The second line without its last clause, or else without its time, for want of room."""
    return below.rsplit(", ", 1)[0] if ", " in below else below.rsplit(" at ", 1)[0]


def meter(pen: Pen, entry: Entry, room: int) -> str:
    """`4 of 5`, with its little bar before it when there is room."""
    figure = pen.own(entry.right)
    if not entry.of or room < width(entry.text) + width(figure) + entry.of[1] + 3:
        return figure
    have, need = entry.of
    return pen.mark("full") * min(have, need) + pen.mark("empty") * max(need - have, 0) + " " + figure


def entry_line(pen: Pen, entry: Entry, room: int) -> Content:
    """Mark, text, figure. A path is shortened; before other words are cut, the figure goes."""
    right = meter(pen, entry, room - 2)
    name = entry.text.rsplit("/", 1)[-1] if entry.path else entry.text
    shorter = ("/".join(map(str, entry.of)),) if entry.of else (first_word(right), "")
    for figure in shorter:
        if width(name) + width(right) > room - 4:
            right = figure
    space = room - 2 - (width(right) + 2 if right else 0)
    text = middle(pen, entry.text, space) if entry.path else entry.text
    tone = "" if entry.level or entry.path else "muted"
    left = put((pen.mark(entry.level), role(entry.level, bold=True)), " ", (text, role(tone)))
    return spread(pen, left, put((right, role(entry.tone or "muted"))), room)


def row_of(pen: Pen, view: Panel, room: int, here: int = 0) -> Content:
    """The panel as one line: name, summary, figure, one entry."""
    entry = view.entries[min(here, len(view.entries) - 1)] if view.entries else Entry("", "")
    sign = view.level if view.level not in ("", "ok") else entry.level
    figure = bars(pen, view.bars, 15) if view.bars else meter(pen, entry, 99)
    told = view.brief if view.brief and width(view.summary) > _SUMMARY else view.summary
    line = put(
        (pen.mark(sign if sign != "ok" else ""), role(sign, bold=True)), " ",
        (f"{view.name:<15}", role("", bold=True)),
        fit(pen, put((pen.own(told), role(view.level or "muted", view.level not in ("", "ok", "blind")))), _SUMMARY),
        " ",
    )  # fmt: skip
    if not view.blind and room >= ROOMY:
        line += fit(pen, put((figure, role("muted" if view.bars else entry.tone or "muted"))), 18)
    space = room - line.cell_length
    text = middle(pen, entry.text, space) if entry.path else entry.text
    return fit(pen, line + put((sentences(view.blind, space) if view.blind else text, role("muted"))), room)


def sentences(text: str, room: int) -> str:
    """As many of the first sentences as fit, one at the least; without the full stop where others are left out."""
    kept = text
    while width(kept) > room and ". " in kept:
        kept = kept.rsplit(". ", 1)[0]
    return kept

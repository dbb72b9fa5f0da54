"""A row of the timeline as one line."""

from __future__ import annotations

from textual.content import Content

from monitor.text import shorten
from monitor.timeline.rows import Row
from monitor.ui.marks import BIG, KINDS, LOUD, QUIET
from monitor.ui.pen import Pen, took, whole
from monitor.ui.present.lines import Part, fit, middle, put, role

OUTCOME = ((110, 26), (60, 20), (0, 12))
"""Cells of the outcome's column from a width on; `found more than once` takes 20."""
_ACTOR = 20
"""Characters of a sub-agent's name."""


def row_line(pen: Pen, row: Row, room: int, *, here: bool = False, lead: int = 2, now: float = 0.0) -> Content:
    """Mark, time, kind, what, outcome, took (of a running call until `now`); what is narrow goes first."""
    gutter = put((pen.mark("cursor" if here else ""), role("accent")), " " * (lead - 1)) if lead else Content("")
    sign = put((pen.mark(row.level), role(row.level, bold=True)), " ")
    at = put((f"{pen.clock(row.at):<8}", role("muted")), "  ") if room >= 36 else Content("")
    left = gutter + sign + at + kind(row)
    right = outcome(pen, row, room, now)
    space = room - left.cell_length - right.cell_length
    line = fit(pen, left + fit(pen, words(pen, row, space), space) + right, room)
    return line.stylize("on $panel") if here else line


def call_line(pen: Pen, row: Row, room: int) -> Content:
    """A call by what came of it: mark, time where there is one, outcome, what."""
    sign = put((pen.mark(row.level), role(row.level, bold=True)), " ")
    at = put((pen.clock(row.at), role("muted")), "  ") if row.at is not None and room >= 48 else Content("")
    came = fit(pen, put((pen.own(row.outcome or row.kind), role(row.level if row.level in LOUD else "muted"))), 12)
    left = sign + at + came + put("  ")
    return fit(pen, left + words(pen, row, room - left.cell_length), room)


def kind(row: Row) -> Content:
    """What kind of event it is, in its nine cells."""
    tone = KINDS.get(row.kind, "muted" if row.kind in QUIET else "")
    return put((f"{row.kind:<9}", role("muted" if row.copied else tone, bold=row.kind in BIG)))


def words(pen: Pen, row: Row, space: int) -> Content:
    """What it is about; the sub-agent that did it stands before it."""
    before: list[Part] = []
    if row.copied:
        before.append(("copied ", role("note")))
    if row.actor:
        before.append((shorten(row.name or row.actor, _ACTOR, pen.mark("more")) + " ", role("note")))
    lead = put(*before)
    quiet = row.kind in QUIET or row.copied
    text = middle(pen, row.text, space - lead.cell_length) if row.path else row.text
    return lead + put((text, role("muted" if quiet else "", bold=row.kind in BIG and not row.copied)))


def growing(row: Row) -> bool:
    """Whether it is a call that runs, begun at a known time."""
    return row.outcome == "running" and row.at is not None and row.took is None


def outcome(pen: Pen, row: Row, room: int, now: float = 0.0) -> Content:
    """What came of it, and how long it took, or has taken so far, where there is room."""
    lasted = whole(now - row.at) if growing(row) and row.at is not None and now > row.at else took(row.took)
    if room < 48 or not (row.outcome or lasted):
        return Content("")
    wide = room > 84
    tone = role(row.level if row.level in LOUD else "muted")
    took_part = put((f"{lasted:>7}", role("muted"))) if wide else Content("")
    if not row.outcome:
        return put("  ") + took_part if wide else Content("")
    column = next(cells for least, cells in OUTCOME if room > least)
    return put("  ", fit(pen, put((pen.own(row.outcome), tone)), column)) + took_part

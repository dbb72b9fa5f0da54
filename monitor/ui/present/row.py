"""A row of the timeline as one line."""

from __future__ import annotations

from textual.content import Content

from monitor.rows import Row
from monitor.text import shorten
from monitor.ui.marks import BIG, KINDS, LOUD, QUIET
from monitor.ui.pen import Pen, took
from monitor.ui.present.lines import Part, fit, middle, put, role

OUTCOME = ((110, 26), (60, 20), (0, 12))
"""Cells of the outcome's column from a width on; `found more than once` takes 20."""


def row_line(pen: Pen, row: Row, room: int, *, here: bool = False, lead: int = 2) -> Content:
    """Mark, time, kind, what, outcome, took; what is narrow goes first."""
    gutter = put((pen.mark("cursor" if here else ""), role("accent")), " " * (lead - 1)) if lead else Content("")
    sign = put((pen.mark(row.level), role(row.level, bold=True)), " ")
    at = put((f"{pen.clock(row.at):<8}", role("muted")), "  ") if room >= 36 else Content("")
    left = gutter + sign + at + kind(row)
    right = outcome(pen, row, room)
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
        before.append((shorten(row.actor, 12, pen.mark("more")) + " ", role("note")))
    lead = put(*before)
    quiet = row.kind in QUIET or row.copied
    text = middle(pen, row.text, space - lead.cell_length) if row.path else row.text
    return lead + put((text, role("muted" if quiet else "", bold=row.kind in BIG and not row.copied)))


def outcome(pen: Pen, row: Row, room: int) -> Content:
    """What came of it, and how long it took where there is room."""
    if room < 48 or not (row.outcome or took(row.took)):
        return Content("")
    wide = room > 84
    tone = role(row.level if row.level in LOUD else "muted")
    took_part = put((f"{took(row.took):>7}", role("muted"))) if wide else Content("")
    if not row.outcome:
        return put("  ") + took_part if wide else Content("")
    column = next(cells for least, cells in OUTCOME if room > least)
    return put("  ", fit(pen, put((pen.own(row.outcome), tone)), column)) + took_part

"""The verdict strip: what is to be said of the run now, and what else holds."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from monitor.snapshot import Snapshot, Verdict
from monitor.text import width
from monitor.ui.marks import STATES
from monitor.ui.pen import Pen, whole
from monitor.ui.present.lines import fit, put, role, spread

Fact = tuple[str, str]
"""Its level, and its words."""


def strip(
    pen: Pen, snapshot: Snapshot, said: Sequence[Fact], now: float, room: int, *, live: bool, as_of: str = ""
) -> list[Content]:
    """Badge, reason and since when, or `as_of` which moment; below it the facts by weight."""
    when = f"as of {as_of}" if as_of else since(pen, snapshot.verdict, now, live=live)
    right = put((when if room > 90 else "", role("muted")))
    sign = badge(pen, snapshot.verdict) + put("   ")
    words = reason(snapshot.verdict, room - sign.cell_length - right.cell_length - 2)
    first = sign + put((words, role("", bold=tone(snapshot) != "")))
    return [spread(pen, first, right, room), row(pen, said, room)]


def reason(verdict: Verdict, room: int) -> str:
    """Why the state holds; where a claim's reason does not fit, why nothing was measured is left to the panel."""
    if verdict.state == "claimed" and width(verdict.reason) > room:
        return verdict.reason.split(": ", 1)[0]
    return verdict.reason


def tone(snapshot: Snapshot) -> str:
    """The role of the state; empty for a state that asks for nothing."""
    return STATES[snapshot.verdict.state][1]


def badge(pen: Pen, verdict: Verdict) -> Content:
    """The state's name; filled when it asks for the operator or states an end."""
    sign, filled = STATES[verdict.state]
    name = verdict.state.upper() + (" so far" if verdict.provisional and verdict.state != "running" else "")
    if filled:
        return put((f" {pen.mark(sign)} {name} ", f"bold $ink on ${filled}"))
    return put((pen.mark(sign) + " ", role("", bold=True)), (name, role("", bold=True)))


def since(pen: Pen, verdict: Verdict, now: float, *, live: bool) -> str:
    """Since when the state holds, in the words that fit it."""
    if verdict.since is None:
        return ""
    what = verdict.since_what
    if live and what in ("last event", "waits"):
        passed = whole(now - verdict.since)
        told = f"last event {passed} ago" if what == "last event" else f"waits {passed}"
        return told if passed else ""
    at = pen.clock(verdict.since, now)
    if not at:
        return ""
    return f"{what} at {at}" if what == "claimed done" else f"{'waited since' if what == 'waits' else what} {at}"


def row(pen: Pen, said: Sequence[Fact], room: int) -> Content:
    """Whole facts only, the most pressing first; what does not fit is counted."""
    wide = room > 90
    gap = put((f"  {pen.mark('bar')}  " if wide else f" {pen.mark('dot')} ", role("rule" if wide else "muted")))
    line = Content("")
    for index, (level, words) in enumerate(said):
        item = fact(pen, level, words)
        if index:
            item = gap + item
        last = index == len(said) - 1
        if line.cell_length + item.cell_length > room - (0 if last else 9):
            return fit(pen, rest(pen, line, said[index:], room), room)
        line += item
    return fit(pen, line, room)


def rest(pen: Pen, line: Content, left: Sequence[Fact], room: int) -> Content:
    """The line with what did not fit as a count; a first fact too long for it is cut instead."""
    if not line.plain:
        more = f" {pen.mark('dot')} {len(left) - 1} more" if len(left) > 1 else ""
        return fit(pen, fact(pen, *left[0]), room - width(more)) + put((more, role("muted")))
    return line + put((f" {pen.mark('dot')} {len(left)} more", role("muted")))


def fact(pen: Pen, level: str, words: str) -> Content:
    """One fact: a mark where it has a level, and its words."""
    sign = put((pen.mark(level) + " ", role(level, bold=True))) if level else Content("")
    return sign + put((words, role("" if level else "muted")))

"""What became of an action: each step with its time."""

from __future__ import annotations

from textual.content import Content

from monitor.snapshot import ActionFacts, Snapshot
from monitor.ui.pen import Pen
from monitor.ui.present.lines import Part, put, role, wrap


def last(snapshot: Snapshot, verb: str) -> ActionFacts | None:
    """The latest action of that verb."""
    return next((one for one in reversed(snapshot.actions) if one.action == verb), None)


def receipts(pen: Pen, action: ActionFacts | None, now: float, room: int) -> list[Content]:
    """`last sent ✓ queued 12:05:02 → ✓ seen 12:05:19`; below it why, where it failed."""
    if action is None:
        return [put(("nothing sent yet", role("muted")))]
    parts: list[Part] = [("last sent  ", role("muted"))]
    for index, (receipt, at) in enumerate(action.steps or ((action.receipt, action.at or 0.0),)):
        level = "stop" if receipt == "failed" else "ok"
        arrow = (f" {pen.mark('to')} ", role("muted")) if index else ""
        sign = (pen.mark(level) + " ", role(level, bold=True))
        parts += [arrow, sign, receipt + " ", (pen.clock(at, now), role("muted"))]
    lines = wrap(put(*parts), room)
    if action.evidence:
        lines += wrap(put((action.evidence, role("stop" if action.receipt == "failed" else "muted"))), room)
    return lines

"""What became of an action: each step with its time, and how long what was done is given."""

from __future__ import annotations

from math import ceil

from textual.content import Content

from monitor.snapshot import ActionFacts, Snapshot
from monitor.ui.pen import Pen
from monitor.ui.present.lines import Part, fit, put, role, spread, wrap

FINAL = ("done", "failed")
STAYS = 12.0
"""Seconds for which a receipt that grows no more is still shown."""
_OWN = ("settle", "measure")
"""What needs no agent: done at once."""
WHOLE = 80
"""Cells from which on each step has its time."""


def last(snapshot: Snapshot, verb: str) -> ActionFacts | None:
    """The latest action of that verb."""
    return next((one for one in reversed(snapshot.actions) if one.action == verb), None)


def under_way(snapshot: Snapshot, now: float) -> ActionFacts | None:
    """The action to be shown now: an abort that has not ended before all, else the latest, for a while."""
    for one in reversed(snapshot.actions):
        if one.action == "abort" and one.receipt not in FINAL:
            return one
    latest = next((one for one in reversed(snapshot.actions) if not _quiet(one)), None)
    if latest is None:
        return None
    since = (latest.steps[-1][1] if latest.steps else latest.at) or 0.0
    return latest if now - since < STAYS or latest.receipt in ("queued", "delivered") else None


def _quiet(action: ActionFacts) -> bool:
    """Whether it is not waited for: a refusal that a policy ordered waits for a claim that may never come."""
    return action.action in _OWN or (action.action == "refuse" and action.receipt == "queued")


def growing(pen: Pen, action: ActionFacts, now: float, room: int) -> list[Content]:
    """Two lines: the action with its receipts and the time it is given, and the evidence for the latest."""
    steps = _steps(pen, action, now, times=room >= WHOLE)
    waits = put((waiting(pen, action, now), role("warn")))
    evidence = action.evidence or ("" if action.receipt in FINAL else "no news of it yet")
    name = f"{action.by}: {action.action}" if action.by != "operator" else action.action
    return [
        spread(pen, put((name + "  ", role("", bold=True)), *steps), waits, room),
        fit(pen, put((evidence, role("stop" if action.receipt == "failed" else "muted"))), room),
    ]


def waiting(pen: Pen, action: ActionFacts, now: float) -> str:
    """`SIGINT in 4s`; where nothing comes by itself, how long it is given and what would come then."""
    if action.receipt in FINAL:
        return ""
    seconds = ceil(action.until - now) if action.until is not None else 0
    if seconds > 0:
        return f"{action.then} in {seconds}s" if action.then else f"given {seconds}s more"
    if action.action == "abort" and action.receipt == "delivered" and not action.then:
        return f"not ended: press {pen.key('abort')} again to force it"
    return ""


def receipts(pen: Pen, action: ActionFacts | None, now: float, room: int) -> list[Content]:
    """`last sent ✓ queued 12:05:02 → ✓ seen 12:05:19`; below it why, where it failed."""
    if action is None:
        return [put(("nothing sent yet", role("muted")))]
    lines = wrap(put(("last sent  ", role("muted")), *_steps(pen, action, now)), room)
    if action.evidence:
        lines += wrap(put((action.evidence, role("stop" if action.receipt == "failed" else "muted"))), room)
    return lines


def _steps(pen: Pen, action: ActionFacts, now: float, *, times: bool = True) -> list[Part]:
    parts: list[Part] = []
    for index, (receipt, at) in enumerate(action.steps or ((action.receipt, action.at),)):
        level = "stop" if receipt == "failed" else "ok"
        arrow = (f" {pen.mark('to')} ", role("muted")) if index else ""
        sign = (pen.mark(level) + " ", role(level, bold=True))
        parts += [arrow, sign, receipt]
        parts += [(" " + pen.clock(at, now), role("muted"))] if times and at is not None else []
    return parts

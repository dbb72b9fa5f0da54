"""The columns of the overview beside the task, and what stands in each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from textual.content import Content

from monitor.finding.standing import Standing
from monitor.text import line, width
from monitor.ui.arranged import state_of
from monitor.ui.marks import LOUD, STATES
from monitor.ui.pen import Pen, took, whole
from monitor.ui.present.head import lasted
from monitor.ui.present.lines import middle, put, role

MARKED = {"idle": ("hold", ""), "ended": ("ended", ""), "live": ("live", "")}
"""States that only the list tells, to mark and role."""
GAP = 2
_AHEAD = 60
"""Seconds by which another clock may be ahead and its time still count as now."""
_TASK = 24
"""Cells the task keeps at least, before a column beside it goes."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column beside the task."""

    name: str
    cells: int
    weight: int
    """The lightest goes first."""
    draw: Callable[[Pen, Standing, float], Content]
    right: bool = False
    after: bool = True
    """It stands behind the task."""


@lru_cache(64)
def columns(room: int) -> tuple[Column, ...]:
    """Those that fit beside the task; the state goes before nothing, not even before the task."""
    kept = list(COLUMNS)
    while len(kept) > 1 and sum(one.cells + GAP for one in kept) + _TASK > room:
        kept.remove(min(kept, key=lambda one: one.weight))
    return tuple(kept)


def when(pen: Pen, at: float | None, now: float) -> str:
    """`now`, `2s ago`, `10:52`, `yesterday`, `28 Nov`; of a time to come its clock or its date."""
    if at is None:
        return ""
    since = now - at
    if -_AHEAD < since < 3600:
        return "now" if since < 2 else f"{int(since)}s ago" if since < 60 else f"{int(since // 60)}m ago"
    try:
        then, today = datetime.fromtimestamp(at, pen.zone), datetime.fromtimestamp(now, pen.zone)
    except (ValueError, OverflowError, OSError):
        return ""
    days = (today.date() - then.date()).days
    if days == 0:
        return f"{then:%H:%M}"
    if days == 1:
        return "yesterday"
    return f"{then.day} {then:%b}" + (f" {then.year}" if then.year != today.year else "")


def passed(pen: Pen, run: Standing, now: float) -> tuple[str, ...]:
    """What of a run's cells changes while nothing happens."""
    return (_last(pen, run, now).plain, _took(pen, run, now).plain if run.alive else "")


def _state(pen: Pen, run: Standing, _now: float) -> Content:
    name = state_of(run)
    sign, tone = STATES.get(name, MARKED.get(name, ("blind", "note")))
    if not run.alive:
        return put((pen.mark(sign) + " ", role(tone or "muted", bold=True)), (name, role("muted")))
    if name == "waiting":
        return put((f"{pen.mark(sign)} {name.upper()} ", "bold $ink on $accent"))
    colour = tone if tone in LOUD else ""
    return put(
        (pen.mark(sign) + " ", role("ok" if name == "running" else tone, bold=True)),
        (name.upper(), role(colour, bold=True)),
    )


def _agent(_pen: Pen, run: Standing, _now: float) -> Content:
    return put((line(run.agent), role("" if run.alive else "muted")))


def _project(pen: Pen, run: Standing, _now: float) -> Content:
    path = pen.place(line(run.listed.folder)) or "not known"
    return put((middle(pen, path, _PROJECT), role("" if run.alive else "muted")))


def _new(_pen: Pen, run: Standing, _now: float) -> Content:
    return put((f"+{run.new}" if 0 < run.new < 1_000 else "999+" if run.new else "", role("accent")))


def _writes(pen: Pen, run: Standing, _now: float) -> Content:
    """Failed writes outstanding; `none` only where the source would show them."""
    told = run.snapshot
    if told is None or told.seq < 0:
        return Content("")
    if told.writes.outstanding:
        level = "stop" if told.verdict.state == "not made" else "warn"
        return put((str(told.writes.outstanding), role(level, bold=True)))
    cover = told.coverage.get("failed_writes")
    if cover is not None and cover.sees != "full":
        return put((pen.mark("blind"), role("muted")))
    return put(("none", role("muted")))


def _changed(pen: Pen, run: Standing, _now: float) -> Content:
    """Files changed since the prompt, as measured; about how many, where they were only seen to; else nothing."""
    tree = run.snapshot.worktree if run.snapshot is not None else None
    if tree is not None and not tree.changed and (seen := len(tree.live) + tree.live_more):
        return put((f"~{seen:,}", role("muted")))
    if tree is None or tree.changed is None:
        return put((pen.mark("blind") if tree is not None and run.attached else "", role("muted")))
    if not tree.changed:
        return put(("no", role("muted")))
    return put((f"{tree.count:,}" if tree.files else "yes", role("" if run.alive else "muted")))


def _turns(_pen: Pen, run: Standing, _now: float) -> Content:
    turns = run.snapshot.run.turns if run.snapshot is not None else 0
    return put((f"{turns:,}" if turns else "", role("" if run.alive else "muted")))


def _took(_pen: Pen, run: Standing, now: float) -> Content:
    """How long the run has taken, by its own clock; where only the list knows it, since it began."""
    words = lasted(run.snapshot.run, now, running=run.alive) if run.snapshot is not None else ""
    listed = run.listed
    if not words and listed.began is not None and (run.alive or listed.last is not None):
        words = whole(now - listed.began) if run.alive else took(max((listed.last or 0.0) - listed.began, 0.0))
    words = words if width(words) <= _TOOK else words.partition(" ")[0]
    return put((words, role("" if run.alive else "muted")))


def _context(_pen: Pen, run: Standing, _now: float) -> Content:
    told = run.snapshot.run if run.snapshot is not None else None
    if told is None or told.context_used is None or not told.context_size:
        return Content("")
    return put((f"{round(100 * told.context_used / told.context_size)}%", role("" if run.alive else "muted")))


def _cost(_pen: Pen, run: Standing, _now: float) -> Content:
    cost = run.snapshot.run.cost if run.snapshot is not None else None
    return put(("" if cost is None else f"${cost:,.2f}", role("" if run.alive else "muted")))


def _last(pen: Pen, run: Standing, now: float) -> Content:
    told = run.snapshot
    if told is not None and told.waiting and told.waiting_since is not None and run.alive:
        words = f"waits {whole(now - told.waiting_since)}".rstrip()
        words = words if width(words) <= _LAST else words.rpartition(" ")[0]
        return put((words, role("accent", bold=True)))
    times = [at for at in (told.run.last if told is not None else None, run.listed.last) if at is not None]
    return put((when(pen, max(times, default=None), now), role("muted")))


_PROJECT, _TOOK, _LAST = 20, 7, 12
COLUMNS = (
    Column("state", 13, 99, _state, after=False),
    Column("agent", 10, 60, _agent, after=False),
    Column("project", _PROJECT, 90, _project, after=False),
    Column("new", 4, 30, _new, right=True),
    Column("unmade", 6, 55, _writes, right=True),
    Column("changed", 7, 50, _changed, right=True),
    Column("turns", 5, 45, _turns, right=True),
    Column("took", _TOOK, 40, _took, right=True),
    Column("context", 7, 35, _context, right=True),
    Column("cost", 7, 37, _cost, right=True),
    Column("last", _LAST, 80, _last),
)
"""From left to right."""

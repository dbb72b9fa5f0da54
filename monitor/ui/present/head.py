"""The header: who runs, where, on what, and how far it got."""

from __future__ import annotations

from textual.content import Content

from monitor.replay.playback import Playback
from monitor.snapshot import RunFacts, Snapshot
from monitor.text import line, shorten, width
from monitor.ui.pen import Pen, count, took, whole
from monitor.ui.present.lines import middle, put, role, spread

QUIET = 600
"""Seconds without an event after which a run's time no longer runs on."""
_NOWHERE = "folder not known"


def head(
    pen: Pen,
    snapshot: Snapshot,
    now: float,
    room: int,
    *,
    live: bool,
    playback: Playback | None = None,
    policy: str = "",
) -> Content:
    """One line; the least needed figure goes first when room is short. `policy` says how one acts on the run."""
    run = snapshot.run
    running = live and not run.over
    gap = "   " if room > 90 else f" {pen.mark('dot')} "
    replayed = "replay" if playback is not None else ""
    parts = (replayed, run.agent or "no agent yet", shorten(run.model, 32))
    who = f" {pen.mark('dot')} ".join(part for part in parts if part)
    sign = "play" if replayed else "live" if running else "ended"
    left = put((pen.mark(sign), role("ok" if running else "muted")), " ", (who, role("", bold=True)))
    where = pen.place(line(run.project or run.cwd))
    figures = [*([policy] if policy and running else []), *facts(run, now, running=running, playback=playback)]
    while figures and left.cell_length + sum(width(one) + len(gap) for one in figures) + 12 > room:
        figures.pop()
    right = put((gap.join(figures), role("")))
    space = room - left.cell_length - right.cell_length - len(gap) - 3
    if where and space > 8:
        shown = middle(pen, where, min(space, max(width(where), 24)))
        left += put((gap, role("muted")), shown)
    elif not where and space >= width(_NOWHERE):
        left += put((gap, role("muted")), _NOWHERE)
    if run.task and room > 130:
        left += put("   ", (run.task, role("muted")))
    return spread(pen, left, right, room, 3)


def facts(run: RunFacts, now: float, *, running: bool, playback: Playback | None = None) -> tuple[str, ...]:
    """The figures known, the most needed first."""
    begun = f"turn {run.turns:,}" if run.turns else f"request {run.requests:,}" if run.requests else ""
    if run.turns and playback is not None and playback.turns:
        begun += f" of {max(playback.turns, run.turns):,}"
    time = lasted(run, now, running=running)
    if time and playback is not None and playback.start is not None and playback.end is not None:
        time += f" of {took(playback.end - playback.start)}"
    return tuple(filter(None, (begun, time, context(run), cost(run))))


def lasted(run: RunFacts, now: float, *, running: bool) -> str:
    """How long the run has taken, by the source's clock; a run gone quiet does not grow older."""
    if run.started is None:
        return ""
    if running and (run.last is None or now - run.last < QUIET):
        return whole(now - run.started)
    end = run.ended if run.ended is not None else run.last
    return "" if end is None else took(max(end - run.started, 0.0))


def context(run: RunFacts) -> str:
    """How full the context is; its size where the limit is not known."""
    if run.context_used is None:
        return ""
    if run.context_size:
        return f"{round(100 * run.context_used / run.context_size)}% context"
    return f"{count(run.context_used)} tokens of context"


def cost(run: RunFacts) -> str:
    """US dollars, where the source says."""
    return "" if run.cost is None else f"${run.cost:,.2f}"

"""What stands below the last row of a short timeline: what the run says of itself, what its source can show."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from monitor.events import DETECTORS
from monitor.replay.playback import Playback
from monitor.snapshot import RunFacts, Snapshot
from monitor.text import plural
from monitor.ui.pen import Pen, count, took
from monitor.ui.present.lines import heading, put, role
from monitor.ui.present.parts import Part, laid

LAGS = {
    "event": "each event as it happens",
    "message": "whole messages, as they are complete",
    "turn": "whole turns, as they are complete",
    "end": "only at the end of the run",
}

AHEAD = (
    Part("pair", "at the top", "what is to be said of the run: what was claimed, and what was measured"),
    Part(
        "pair", "panels", "writes that failed, sites no call reached, thinking in circles, what changed in the folder"
    ),
    Part("pair", "here", "a row for each prompt, thought, call and result, as the agent tells of it"),
    Part("pair", "detail", "all there is to the row at the cursor"),
)
"""What a screen without any event yet promises."""


def about(
    pen: Pen,
    snapshot: Snapshot,
    room: tuple[int, int],
    now: float,
    *,
    live: bool,
    state: Playback | None = None,
) -> list[Content]:
    """Lines for the empty space under the rows, of that width and height; a section that does not fit stays away."""
    width, height = room
    over = (not live and state is None) or snapshot.run.over
    first = begun(snapshot, live=live) if state is None else replayed(state)
    lines = [put("  ", (first, role("muted")))] if first else []
    lines.append(Content(""))
    sections: tuple[tuple[str, Sequence[Part]], ...] = (
        ("What will stand where", AHEAD if snapshot.seq < 0 and live else ()),
        ("This run", run_parts(pen, snapshot.run, now, over=over)),
        ("What this source does not show", source_parts(snapshot)),
    )
    for name, parts in sections:
        section = [heading(pen, name, "", width), *laid(pen, parts, width)]
        if parts and len(lines) + len(section) <= height:
            lines += [*section, Content("")]
    return lines


def unfound(pen: Pen, problem: str, *, done: bool) -> list[Content]:
    """Why a filter shows no row."""
    if problem:
        return [put("  ", (problem, role("warn")))]
    words = f"No row holds all of this: {pen.key('back')} shows all rows." if done else "Searching."
    return [put("  ", (words, role("muted")))]


def begun(snapshot: Snapshot, *, live: bool) -> str:
    """Why there are no more rows."""
    if snapshot.seq < 0:
        return "Waiting for the agent's first event." if live else "The log holds no events."
    return "end of the log" if not live or snapshot.run.over else ""


def replayed(state: Playback) -> str:
    """Why a replay shows no more rows."""
    if state.read < 1:
        return "The log is being read; its rows come when that is done."
    if not state.total:
        return "The log holds no events."
    return "end of the log" if state.count >= state.total else "" if state.count else "Before the first event."


def run_parts(pen: Pen, run: RunFacts, now: float, *, over: bool) -> list[Part]:
    """What the run says of itself, where it does."""
    counts = ", ".join(
        plural(number, noun)
        for number, noun in ((run.requests, "request"), (run.turns, "turn"), (run.calls, "call"))
        if number
    )
    ended = pen.clock(run.ended, now)
    spent = took(run.ended - run.started) if run.ended is not None and run.started is not None else ""
    named = " ".join(filter(None, (run.agent, run.version)))
    pairs = (
        ("agent", f" {pen.mark('dot')} ".join(filter(None, (named, run.model)))),
        ("session", run.session),
        ("task", run.task),
        ("started", pen.clock(run.started, now)),
        ("ended", f"{ended}, after {spent}" if ended and spent else ended),
        ("status", run.status),
        ("in all" if over else "so far", counts),
        ("tokens", tokens(run)),
        ("arrives", LAGS.get(run.lag, run.lag)),
    )
    return [Part("pair", name, value) for name, value in pairs if value]


def tokens(run: RunFacts) -> str:
    """Tokens by kind, where the source counts them."""
    used = run.tokens
    kinds = (
        (used.input, "in"),
        (used.output, "out"),
        (used.cache_read, "read from the cache"),
        (used.cache_write, "written to it"),
    )
    return ", ".join(f"{count(number)} {what}" for number, what in kinds if number)


def source_parts(snapshot: Snapshot) -> list[Part]:
    """What the source cannot show, or shows in part, and why."""
    parts = []
    for name in DETECTORS:
        cover = snapshot.coverage.get(name)
        if cover is None or cover.sees == "full":
            continue
        blind = "not at all" if cover.sees == "none" else "in part"
        parts.append(Part("pair", name.replace("_", " "), f"{blind}: {cover.why}" if cover.why else blind))
    return parts

"""What the overview says above and below its list: who needs you, and the chosen run at a glance."""

from __future__ import annotations

from dataclasses import replace

from textual.content import Content

from monitor.finding.standing import FleetView, Place, Standing
from monitor.text import line, plural, shorten
from monitor.timeline.marking import names_of
from monitor.timeline.rows import Rows, called
from monitor.ui.arranged import Wish, task_of
from monitor.ui.ordered import NAMES
from monitor.ui.pen import Pen
from monitor.ui.present.facts import facts
from monitor.ui.present.head import context, cost
from monitor.ui.present.lines import fit, heading, put, role, spread, wrap
from monitor.ui.present.panel import drawn
from monitor.ui.present.panels import PANELS
from monitor.ui.present.receipts import growing, under_way
from monitor.ui.present.row import row_line
from monitor.ui.present.strip import Fact, row, strip

_PLAIN = Wish()
_FILTER = 40
"""Characters of a filter that are told."""
_PANELS = 9
"""Rows from which on the chosen run's panels are shown."""


def title(pen: Pen, now: float, room: int, policy: tuple[str, str] = ("", ""), wish: Wish = _PLAIN) -> Content:
    """The header: in which order the runs stand; `policy` says how one acts, and on which run."""
    long, short = NAMES[wish.sort]
    grouped = " in each project" if wish.grouped else ""
    names = (
        f"runs on this machine, {long}{grouped}",
        f"runs on this machine, {short}{grouped}",
        f"runs {short}",
        short,
    )
    clock = pen.clock(now)
    for sign in dict.fromkeys((" ".join(policy).strip(), policy[0], "")):
        right = put((sign, role("")), "   " if sign else "", (clock, role("muted")))
        for name in names:
            left = _named(pen, name)
            if left.cell_length + right.cell_length + 3 <= room:
                return spread(pen, left, right, room, 3)
    return spread(pen, _named(pen, names[-1]), put((clock, role("muted"))), room, 3)


def _named(pen: Pen, words: str) -> Content:
    return put((pen.mark("live"), role("ok")), " ", ("monitor", role("", bold=True)), (f"   {words}", role("muted")))


def tone(view: FleetView) -> str:
    """The role of the summary: of the run that needs somebody most."""
    urgency = max((one.urgency for one in (*view.live, *view.ended)), default=0)
    return {3: "accent", 2: "stop", 1: "note"}.get(urgency, "")


def summary(pen: Pen, view: FleetView, room: int, sought: str = "", shown: int = 0) -> list[Content]:
    """Who needs you and why; below it how many runs there are, and how many of them hold what is `sought`."""
    needing = sorted((one for one in (*view.live, *view.ended) if one.urgency), key=lambda one: -one.urgency)
    if not (needing or view.live or view.looked):
        return [put((pen.mark("live") + " ", role("ok", bold=True)), "Looking over this machine"), Content("")]
    if not needing:
        first = put(
            (pen.mark("live") + " ", role("ok", bold=True)),
            (f"{len(view.live) or 'NONE'} LIVE", role("", bold=True)),
            "   Nothing needs you",
        )
    else:
        top = needing[0].urgency
        count = sum(one.urgency == top for one in needing)
        sign, said, colour = _CALLS[top]
        words = f"{count} {said[count != 1]}"
        first = put(
            (f" {pen.mark(sign)} {words} ", f"bold $ink on ${colour}"),
            "   ",
            (_why(pen, needing[0]), role("", bold=True)),
        )
    counts = _counts(pen, view, live=bool(needing))
    if sought:
        every = len(view.live) + len(view.ended)
        told = shorten(line(sought), max(min(_FILTER, room - 30), 4))
        counts = [("note", f"filter: {told}  {shown:,} of {every:,}"), *counts]
    return [fit(pen, first, room), row(pen, counts, room)]


_CALLS = {
    3: ("wait", ("WAITS FOR YOU", "WAIT FOR YOU"), "accent"),
    2: ("stop", ("NEEDS YOU", "NEED YOU"), "stop"),
    1: ("note", ("HAS ENDED", "HAVE ENDED"), "note"),
}


def _why(pen: Pen, run: Standing) -> str:
    """One sentence for the run that needs somebody most."""
    where = pen.place(line(run.listed.folder)) or "a folder not known"
    who = f"{line(run.agent)} in {where}"
    told = run.snapshot
    if run.urgency == 3:
        asks = task_of(run)
        return f"{who} {asks[:1].lower()}{asks[1:]}" if told is not None and told.waiting else f"{who} waits"
    return f"{who}: {run.verdict.reason}" if run.verdict is not None else who


def _counts(pen: Pen, view: FleetView, *, live: bool) -> list[Fact]:
    """How many are what, the troubles first; how many are `live` only where nothing else says it."""
    found: list[Fact] = []
    writing = sum(bool(one.snapshot and one.snapshot.writes.outstanding) for one in view.live)
    if writing:
        found.append(("stop", f"{plural(writing, 'live run')} with writes outstanding"))
    shared = {one.listed.folder for one in view.live if one.together}
    if shared:
        found.append(("outside", f"{plural(len(shared), 'folder')} with more than one agent"))
    silent = sum(bool(one.problem) for one in view.live)
    if silent:
        found.append(("warn", f"{plural(silent, 'live run')} cannot be read"))
    if view.beyond:
        found.append(("note", f"{plural(view.beyond, 'live run')} only listed, {pen.key('enter')} follows"))
    unclear = sum(one.unclear for one in view.ended)
    ended = len(view.ended) - unclear
    return [
        *found,
        *([("", f"{len(view.live):,} live" if view.live else "none live")] if live else []),
        ("", f"{ended:,} ended" if ended else "none ended" if view.looked else "looking for more"),
        *([("", f"{unclear:,} not known")] if unclear else []),
    ]


def peek(pen: Pen, run: Standing | None, rows: Rows | None, now: float, size: tuple[int, int]) -> list[Content]:
    """The chosen run: its verdict and facts, its panels and its latest events as far as there is room."""
    room, height = size
    if run is None or height < 2:
        return []
    told = replace(run.snapshot, verdict=run.verdict) if run.snapshot is not None and run.verdict else None
    named = [run.agent, told.run.model if told is not None else "", pen.place(line(run.listed.folder))]
    lines = [heading(pen, "Selected", f" {pen.mark('dot')} ".join(line(one) for one in named if one), room)]
    if told is None or told.seq < 0:
        return [*lines, *_unread(pen, run, room)][:height]
    lines += strip(pen, told, facts(told, live=run.attached and not run.over, now=now), now, room, live=run.alive)
    known = put((f"{run.listed.state}: {line(run.listed.how)}", role("muted")))
    more = [*(f"also here: {line(one)}" for one in run.together), context(told.run), cost(told.run)]
    lines.append(spread(pen, known, put((f" {pen.mark('dot')} ".join(filter(None, more)), role("muted"))), room))
    if run.attached and (action := under_way(told, now)) is not None:
        lines += growing(pen, action, now, room)
    if height >= _PANELS:
        lines += [Content(""), *[drawn(pen, panel(pen, told, now), room, 1)[0].content for _, panel in PANELS]]
    left = height - len(lines) - 1
    if rows is not None and left > 1 and len(rows):
        lines.append(Content(""))
        names = names_of(told)
        lines += [
            row_line(pen, called(rows.row(rows.ref(index)), names), room, lead=0)
            for index in range(max(len(rows) - left, 0), len(rows))
        ]
    return lines[:height]


def _unread(pen: Pen, run: Standing, room: int) -> list[Content]:
    """A run of which only the list tells."""
    words = run.problem or f"{run.listed.how[:1].upper()}{run.listed.how[1:]}"
    rest = "" if run.problem or run.listed.path is None else f"; {pen.key('enter')} opens it"
    lines = wrap(put((line(words) + rest, role("warn" if run.problem else "muted"))), room)
    return [put((shorten(line(run.listed.title), 400), role("", bold=True))), *lines]


def nothing(pen: Pen, view: FleetView, words: str, room: int) -> list[Content]:
    """Why the list is empty: where was looked, and what can be done."""
    if words:
        return [
            put(("No run holds all of this: ", role("muted")), (f"{pen.key('back')} shows all runs", role("muted")))
        ]
    if not view.looked:
        return [put(("Looking over this machine.", role("muted")))]
    lines = [
        put(("No run was found on this machine.", role("", bold=True))),
        Content(""),
        put(("monitor looked here", role("muted"))),
    ]
    lines += [_place(pen, one, room) for one in view.places]
    lines += [
        Content(""),
        put("Start an agent, and it appears here. Or see monitor at work on a scripted one:"),
        Content(""),
        put("  ", ("monitor demo", role("accent", bold=True)), ("   no model, no network", role("muted"))),
        put(
            "  ",
            ("monitor run -- claude", role("accent", bold=True)),
            ("   an agent that can be told and stopped from here", role("muted")),
        ),
        put(
            "  ",
            ("monitor doctor", role("accent", bold=True)),
            ("   what is installed, and what is missing", role("muted")),
        ),
    ]
    return [fit(pen, one, room) for one in lines]


def _place(pen: Pen, place: Place, room: int) -> Content:
    said = place.problem or plural(place.found, "run")
    name = f"{line(place.agent):<12}"
    return spread(
        pen,
        put("  ", (name, role("")), pen.place(line(str(place.path)))),
        put((line(said), role("muted"))),
        min(room, 90),
    )

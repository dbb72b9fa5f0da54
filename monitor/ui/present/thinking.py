"""The panel of thinking, and the detail of what repeats."""

from __future__ import annotations

from monitor.detectors.numbers import DEFAULTS
from monitor.detectors.thinking_view import ThinkingFlag, ThinkingView
from monitor.findings import Finding
from monitor.snapshot import Snapshot
from monitor.ui.pen import Pen
from monitor.ui.present.panel import Entry, Panel
from monitor.ui.present.parts import BLANK, Part
from monitor.ui.present.words import in_part, sentence

MOST = 2
"""Replies named in the panel."""
NEED = 20
"""Sentences before a density is known."""
_NEVER = 101
"""A percentage that no density reaches, for where none counts as circles."""


def thinking(pen: Pen, snapshot: Snapshot, now: float) -> Panel:
    """How much of the thinking was said before, over the run, and the replies that went in circles."""
    view, cover = snapshot.thinking, snapshot.coverage.get("thinking")
    seen = view.characters or view.said or view.flags
    if cover is not None and cover.sees == "none" and not (view.flags or view.history):
        return Panel(
            "Thinking", "not seen", "blind", blind=sentence(cover.why or "Thinking is not shown by this source")
        )
    finding = open_finding(snapshot)
    level = finding.level if finding is not None else ""
    entries = tuple(_flag(pen, flag, level, now) for flag in reversed(_current(view, finding)[-MOST:]))
    if not entries:
        entries = (_quiet(pen, view, now) if seen else Entry("", "nothing yet"),)
    entries += in_part(cover)
    bars = tuple(round(value * 100) for value in view.history)
    limit = round(view.limit * 100) if judged(snapshot) else _NEVER
    brief = of_last(view) or ("too few" if seen else "")
    return Panel("Thinking", summary(view), level, entries, bars, limit=limit, brief=brief)


def summary(view: ThinkingView) -> str:
    """How many of the last sentences were said before, as of the latest count there is."""
    if figure := of_last(view):
        return f"{figure} repeat"
    return "too little yet" if view.characters or view.said else "none yet"


def judged(snapshot: Snapshot) -> bool:
    """Whether a share of repeated sentences counts as circles: a number of 0 turns that off."""
    numbers = snapshot.numbers.thinking
    return bool(numbers.circles and numbers.said)


def of_last(view: ThinkingView) -> str:
    """`17 of 20`; empty before there are so many sentences."""
    density = view.density if view.density is not None else view.last
    return "" if density is None else f"{round(density * NEED)} of {NEED}"


def open_finding(snapshot: Snapshot) -> Finding | None:
    """The finding that is open, the most pressing one where several actors circle."""
    found = (one for one in snapshot.findings if one.detector == "thinking" and one.state == "open")
    return next(found, None)


def _current(view: ThinkingView, finding: Finding | None) -> tuple[ThinkingFlag, ...]:
    """The flags of the open finding's request."""
    if finding is None:
        return ()
    return tuple(one for one in view.flags if (one.actor, one.request) == (finding.actor, finding.request))


def _flag(pen: Pen, flag: ThinkingFlag, level: str, now: float) -> Entry:
    words = {"harness": "guard dropped it"}.get(flag.rule) or (
        "repeats itself" if flag.where == "thinking" else "answer repeats"
    )
    return Entry(level, words, pen.clock(flag.at, now), seq=flag.spot.seq)


def _quiet(pen: Pen, view: ThinkingView, now: float) -> Entry:
    """What is to be said when nothing asks for anybody."""
    if view.flags:
        last = view.flags[-1]
        return Entry("", f"request {last.request} circled", pen.clock(last.at, now), seq=last.spot.seq)
    if view.history:
        return Entry("", "moves forward")
    return Entry("", f"needs {NEED} sentences")


def thinking_parts(pen: Pen, snapshot: Snapshot, now: float, key: str) -> list[Part]:
    """What repeats, where it showed, how much of it there is, and the advice; `key` sends it."""
    view, finding = snapshot.thinking, open_finding(snapshot)
    parts = []
    if finding is not None:
        parts.append(Part("level", f"{finding.message}.", level=finding.level))
    elif view.flags:
        now = view.flags[-1].request == snapshot.run.requests
        when = "this request; no finding of it is open" if now else "an earlier request"
        parts.append(Part("level", f"Replies went in circles in {when}.", level="note"))
    elif view.history:
        parts.append(Part("level", "It moves forward: no reply went in circles.", level="ok"))
    else:
        parts.append(Part("what", "Nothing to judge yet"))
    parts += [Part("pair", name, words) for name, words in _figures(snapshot) if words]
    for flag in reversed(_current(view, finding) or view.flags[-1:]):
        parts += repeats(pen, flag, now)
    if finding is not None and finding.advice:
        sends = f"{key} sends it" if key else ""
        parts += [Part("label", "advice to the agent", sends), Part("text", finding.advice)]
    return [*parts, BLANK]


def _figures(snapshot: Snapshot) -> tuple[tuple[str, str], ...]:
    view, times = snapshot.thinking, snapshot.numbers.thinking.said or DEFAULTS.thinking.said
    now = "" if view.density is None else f"{round(view.density * NEED)} of its last {NEED} sentences"
    enough = f"; {round(view.limit * NEED)} of {NEED} count as circles" if judged(snapshot) else ""
    peak = "" if view.peak is None else f"{round(view.peak * NEED)} of {NEED}"
    return (
        (
            "repeated",
            f"{now} were said {times} times or more in the same reply" if now else f"known from {NEED} sentences on",
        ),
        ("highest", f"{peak}{enough}" if peak else ""),
        ("thought", f"{view.characters:,} characters" if view.characters else ""),
        ("said", f"{view.said:,} characters" if view.said else ""),
    )


def repeats(pen: Pen, flag: ThinkingFlag, now: float) -> list[Part]:
    """One reply that went in circles."""
    where = f"character {flag.at_character:,} of {flag.of:,}" if flag.of else ""
    told = ", ".join(filter(None, (pen.clock(flag.at, now), where)))
    name = "what repeats" if flag.where == "thinking" else "what its answer repeats"
    if flag.rule == "harness":
        name = "the guard's words"
    guard = [Part("quiet", "The agent's own guard saw it too.")] if flag.theirs and flag.rule != "harness" else []
    return [Part("label", name, told), Part("text", flag.text or "not told"), *guard]

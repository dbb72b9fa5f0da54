"""The replay's bar: the findings of the whole log above it, the moment shown below its knob."""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content

from monitor.replay.playback import Playback
from monitor.ui.marks import weight
from monitor.ui.pen import Pen, took
from monitor.ui.present.lines import Part, fit, put, role


@dataclass(frozen=True, slots=True)
class Track:
    """Where the bar's line lies, and what its cells stand for."""

    begin: int = 0
    """The first cell of the line."""
    room: int = 0
    """Cells of the line."""
    total: int = 0
    """Events from its first cell to its last."""

    def cell(self, count: int) -> int:
        """The cell of the moment after so many events."""
        return round(max(0, min(count, self.total)) / max(self.total, 1) * max(self.room - 1, 0))

    def count(self, cell: int) -> int:
        """The moment a cell stands for."""
        return round(max(0, min(cell, self.room - 1)) / max(self.room - 1, 1) * self.total)


@dataclass(frozen=True, slots=True)
class Moment:
    """What the bar says besides the playback."""

    turn: int = 0
    today: float = 0.0
    """The day is named where the log's is another."""
    problem: str = ""
    """Why the replay goes no further."""


def bar(pen: Pen, state: Playback, told: Moment, room: int, height: int) -> tuple[list[Content], Track]:
    """Three rows, two, or the bar alone, and where its line lies."""
    begin = pen.clock(state.start, told.today) if state.timed else "1"
    end = pen.clock(state.end, state.start) if state.timed else f"{state.total:,}"
    left = begin if height > 2 else moment(pen, state)
    if state.read < 1:
        left, end = f"{int(state.read * 100)}%", ""
    speed = f"{pen.mark('play' if state.playing else 'hold')} {pace(pen, state.speed)}"
    lead = put((f"{speed:<7}", role("accent", bold=True)), " ", (left, role("muted")), "  " if left else " ")
    tail = put("  ", (end, role("muted"))) if room > 40 and end else Content("")
    track = Track(lead.cell_length, max(room - lead.cell_length - tail.cell_length, 0), state.total)
    lines = [lead + line(pen, state, track) + tail]
    words = passing(pen, state, told)
    if height > 1:
        above = words if height == 2 and words.plain else put(" " * track.begin) + marks(pen, state, track)
        lines.insert(0, above)
    if height > 2:
        lines.append(below(pen, state, told, track, room))
    return [fit(pen, one, room) for one in lines], track


def moment(pen: Pen, state: Playback) -> str:
    """Where it stands: a time, or where the log has none an event."""
    return (pen.clock(state.now, state.start) if state.timed else "") or f"event {state.count:,}"


def turn(here: int, of: int) -> str:
    """`turn 11 of 12`; nothing before the first."""
    if not here:
        return ""
    return f"turn {here:,} of {max(of, here):,}" if of else f"turn {here:,}"


def pace(pen: Pen, speed: float) -> str:
    """`4×`, `0.25×`, `max`."""
    return "max" if speed == float("inf") else f"{speed:g}{pen.mark('times')}"


def line(pen: Pen, state: Playback, track: Track) -> Content:
    """The line with its knob; while the log is being read, how far that got."""
    if state.read < 1:
        done = round(state.read * track.room)
        rest = track.room - done
        return put((pen.mark("heavy") * done, role("muted")), (pen.mark("rule") * rest, role("rule")))
    knob = track.cell(state.count)
    if track.room <= 0:
        return Content("")
    return put(
        (pen.mark("heavy") * knob, role("accent")),
        (pen.mark("live"), role("accent", bold=True)),
        (pen.mark("rule") * (track.room - knob - 1), role("rule")),
    )


def marks(pen: Pen, state: Playback, track: Track) -> Content:
    """The findings' signs where they were raised, the gravest of each cell."""
    found: dict[int, str] = {}
    for mark in state.marks:
        cell = track.cell(mark.count)
        found[cell] = max(found.get(cell, ""), mark.level, key=weight)
    signs: list[Part] = [
        (pen.mark(found[cell]), role(found[cell], bold=True)) if cell in found else " " for cell in range(track.room)
    ]
    return put(*signs)


def passing(pen: Pen, state: Playback, told: Moment) -> Content:
    """What is the case only for a while, and goes before all else."""
    if told.problem:
        return put(
            (pen.mark("stop") + " ", role("stop", bold=True)), (f"the replay ended: {told.problem}", role("stop"))
        )
    if state.read < 1:
        return put((f"reading the log: {int(state.read * 100)}%", role("note")))
    if state.shortened:
        return put((f"pause of {took(state.shortened)} shortened", role("note")))
    return Content("")


def below(pen: Pen, state: Playback, told: Moment, track: Track, room: int) -> Content:
    """The moment under the knob, and which event and turn that is."""
    words, here = passing(pen, state, told), moment(pen, state)
    if state.read < 1 or told.problem:
        return put(" " * track.begin) + words
    figures = [f"event {state.count:,} of {state.total:,}", turn(told.turn, state.turns)]
    said = put((f" {pen.mark('dot')} ".join(filter(None, figures)), role("muted")))
    if state.timed and state.now is not None:
        said = put((here, role("", bold=True)), "   ") + said
    if words.plain:
        said += put(f" {pen.mark('dot')} ") + words
    knob = track.begin + track.cell(state.count) - len(here) // 2
    return put(" " * max(min(knob, room - said.cell_length), 0)) + said

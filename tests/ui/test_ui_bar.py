"""The bar of a replay: what stands on it in any state and any room."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ui_samples import NOWS, PEN, at, joined

from monitor.replay.playback import Mark, Playback
from monitor.ui.present.bar import Moment, Track, bar

STATE = Playback(
    count=412, total=1204, playing=True, speed=4.0, start=at("11:58:20"), now=at("12:05:41"), end=at("12:14:48"),
    marks=(Mark(300, "stop"), Mark(301, "note"), Mark(900, "warn")),
)  # fmt: skip
TOLD = Moment(31, NOWS["replay"])


def lines(state: Playback, room: int = 100, height: int = 3, told: Moment = TOLD) -> list[str]:
    return [line.plain.rstrip() for line in bar(PEN, state, told, room, height)[0]]


def test_the_bar_has_the_findings_above_it_and_the_moment_below_its_knob() -> None:
    """Speed and the log's times at its ends; the gravest finding of a cell; time, event and turn under the knob."""
    above, line, below = lines(STATE)
    assert line.startswith("▸ 4×    11:58:20  ━━━")
    assert line.endswith("───  12:14:48")
    assert above.split() == ["✗", "▲"]
    assert "12:05:41   event 412 of 1,204 · turn 31" in below
    assert abs(line.index("●") - (below.index("12:05:41") + 4)) <= 1
    track = bar(PEN, STATE, TOLD, 100, 3)[1]
    assert above.index("✗") == track.begin + track.cell(300)


def test_two_rows_keep_the_moment_and_one_the_bar() -> None:
    """Where there is little room the moment stands at the left; what passes goes before the findings."""
    above, line = lines(STATE, 78, 2)
    assert "12:05:41  ━" in line
    assert "▲" in above
    assert lines(replace(STATE, shortened=240.0), 78, 2)[0] == "pause of 4m 00s shortened"
    assert len(lines(STATE, 78, 1)) == 1


def test_a_shortened_pause_and_an_early_end_are_said() -> None:
    """How long the log's own pause was; why the replay goes no further."""
    assert lines(replace(STATE, shortened=240.0))[2].endswith("turn 31 · pause of 4m 00s shortened")
    assert "the replay ended: disk full" in lines(STATE, told=Moment(31, 0.0, "disk full"))[2]


def test_while_the_log_is_read_the_bar_says_how_far() -> None:
    """The share read, and no knob; in one row the figure stands at the left."""
    reading = Playback(read=0.34)
    assert "reading the log: 34%" in lines(reading)[2]
    assert "●" not in "".join(lines(reading))
    assert "34%" in lines(reading, 60, 1)[0]


def test_a_log_without_times_counts_its_events() -> None:
    """No clock anywhere: the first and the last event stand at the ends."""
    text = joined(bar(PEN, replace(STATE, start=None, now=None, end=None), TOLD, 100, 3)[0])
    assert ":" not in text
    assert "  1  ━" in text
    assert "1,204" in text.splitlines()[1]
    assert "event 412 of 1,204" in text
    assert "event 412  ━" in lines(replace(STATE, start=None, now=None, end=None), 78, 2)[1]


def test_a_log_of_another_day_names_the_day_once() -> None:
    """At its beginning; the moments after it are of the same day."""
    text = lines(STATE, told=Moment(31, at("12:00:00") + 86_400 * 3))
    assert "28 Nov 11:58:20" in text[1]
    assert text[2].strip().startswith("12:05:41")


@pytest.mark.parametrize(("speed", "words"), [(0.25, "0.25×"), (64.0, "64×"), (float("inf"), "max")])
def test_the_speed_is_said(speed: float, words: str) -> None:
    """From a quarter to as fast as it goes; paused the sign is another."""
    assert lines(replace(STATE, speed=speed, playing=False))[1].startswith(f"‖ {words} ")


PLAYBACKS = st.builds(
    Playback,
    count=st.integers(0, 5_000),
    total=st.integers(0, 5_000),
    read=st.floats(0, 1),
    start=st.sampled_from([None, at("11:58:20")]),
    marks=st.lists(st.builds(Mark, st.integers(0, 6_000), st.sampled_from(["note", "warn", "stop"])), max_size=20).map(
        tuple
    ),
)


@settings(deadline=None, max_examples=150)
@given(st.integers(0, 200), st.integers(1, 3), PLAYBACKS)
def test_the_bar_fits_any_room(room: int, height: int, state: Playback) -> None:
    """As many rows as asked for, each of the full width, whatever the state."""
    drawn, track = bar(PEN, state, TOLD, room, height)
    assert [line.cell_length for line in drawn] == [room] * height
    assert track.begin + track.room <= max(room, track.begin)


@settings(deadline=None, max_examples=150)
@given(st.integers(1, 300), st.integers(1, 100_000), st.data())
def test_a_click_on_a_cell_leads_to_a_moment_that_is_drawn_there(room: int, total: int, data: st.DataObject) -> None:
    """From a moment to its cell and back never leaves the cell."""
    track = Track(0, room, total)
    count = data.draw(st.integers(0, total))
    cell = track.cell(count)
    assert 0 <= cell < room
    if total >= room:
        assert track.cell(track.count(cell)) == cell
    assert 0 <= track.count(cell) <= total

"""Moments of a run had again from copies of it: as near as memory allows, and the same however they were reached."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from monitor.replay import checkpoints, tape
from monitor.replay.checkpoints import Checkpoints
from monitor.replay.tape import Tape
from monitor.run.run import Run

sys.path.insert(0, str(Path(__file__).parent / "detectors"))

from any_events import flood


@pytest.fixture
def clock(monkeypatch):
    """The processor's time, to be put forward by hand."""
    now = [0.0]
    monkeypatch.setattr(checkpoints, "thread_time", lambda: now[0])
    return now


@pytest.fixture
def kept():
    """A tape of a new run."""
    held = Tape(Run())
    yield held
    held.close()


def events():
    """A run that never repeats itself."""
    return [event for number in range(60) for event in flood(number)]


@pytest.mark.parametrize("near", [-1.0, 0.003])
def test_each_moment_is_the_same_however_it_was_reached(monkeypatch, kept, near):
    """Back and forth over a run, by steps and by leaps: every moment shows what it showed when it was folded first."""
    monkeypatch.setattr(tape, "_NEAR", near)
    monkeypatch.setattr(checkpoints, "_SPAN", -1.0)
    run, chance = Run(), random.Random(1)
    shown = [run.snapshot()]
    for event in events():
        kept.append(run.feed(event).event, run)
        shown.append(run.snapshot())
    last = len(shown) - 1
    way = [*range(last, last - 40, -1), *(chance.randrange(last) for _ in range(60)), *range(30, 0, -1), last, 0]
    for count in way:
        assert kept.nearest(count) <= count
        assert kept.run_after(count).snapshot() == shown[count]


def test_who_steps_back_finds_checkpoints_on_the_way(monkeypatch, clock, kept):
    """Going to a moment lays checkpoints shortly before it, so that the step back from there is short; few are kept."""
    monkeypatch.setattr(tape, "_NEAR", -1.0)
    run = Run()
    for event in events():
        kept.append(run.feed(event).event, run)
    kept.run_after(200)
    assert kept.nearest(199) == 199
    for count in range(200, len(kept), 10):
        kept.run_after(count)
    assert len(kept._near) <= tape._LATELY


def test_checkpoints_stand_where_the_work_is(clock):
    """What takes long to fold has checkpoints close to each other, what is quick has few."""
    run, laid = Run(), Checkpoints(Run())
    for count in range(1, 801):
        clock[0] += checkpoints._SPAN / (400 if count <= 400 else 8)
        laid.passed(count, run)
    assert laid.before(400) <= laid.before(416) < 424
    assert len(laid) > 40
    assert [laid.before(count) for count in (480, 560, 640, 720, 800)] == pytest.approx(
        [480, 560, 640, 720, 800], abs=16
    )


def test_all_checkpoints_together_take_so_much_memory_and_no_more(clock, monkeypatch):
    """Many copies of a large run are thinned out evenly, and then laid more seldom."""
    run, room = Run(), 3_000_000
    monkeypatch.setattr(checkpoints, "_ROOM", room)
    for event in events():
        run.feed(event)
    laid = Checkpoints(run)
    for count in range(8, 16_001, 8):
        clock[0] += checkpoints._SPAN
        laid.passed(count, run)
    assert laid._weight > 1_000
    assert len(laid) * laid._weight <= room * 1.1
    gaps = [later - earlier for earlier, later in zip(laid._at, laid._at[1:], strict=False)]
    assert max(gaps) <= 4 * min(gaps)

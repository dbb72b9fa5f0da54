"""A finished run replayed: forwards, backwards, and to any moment."""

from __future__ import annotations

from datetime import datetime

import logs
import pytest
from waiting import until

from monitor.replay.playback import SPEEDS, nearest, pace
from monitor.replay.replay import Replay
from monitor.run.run import Run
from monitor.supervisor import Supervisor
from monitor.targets import find


def moments(found):
    """The snapshot after each event, straight on."""
    run, shown = Run(), []
    events = []
    supervisor = Supervisor(found, live=False, tap=lambda event, _: events.append(event))
    supervisor.read_all()
    supervisor.close()
    shown.append(run.snapshot())
    for event in events:
        run.feed(event)
        shown.append(run.snapshot())
    return shown


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_bytes(logs.lines(*logs.FALSE_DONE))
    return path


def ready(path, **more):
    """A replay that has read its log and stands still."""
    replay = Replay(find(str(path)), **more)
    replay.begin()
    until(lambda: replay.playback.read == 1.0 and replay.playback.total)
    replay.seek(0)
    until(lambda: not replay.playback.playing and replay.playback.count == 0)
    return replay


def go(replay, count):
    """Go to a moment and wait until it is shown."""
    replay.seek(count)
    until(lambda: replay.playback.count == count and replay.snapshot.seq == count - 1)


def test_there_and_back_again(log):
    """To the end, back to the start and to the end again: each moment shows the same snapshot."""
    straight = moments(find(str(log)))
    replay = ready(log)
    total = replay.playback.total
    for count in [*range(total + 1), *range(total, -1, -1), *range(total + 1)]:
        go(replay, count)
        assert replay.snapshot == straight[count]
    replay.close()


@pytest.mark.parametrize(
    "name",
    [
        "claude/p_stream_basic.jsonl",
        "claude/p_rep.stream.jsonl",
        "dirtywork/03-stuck-same-failing-cmd/rundir",
        "lcode/02-unreachable-404/stdout.jsonl",
        "lcode/11-failed-edits-then-claims-done/state/sessions",
        "lcode/34-acp-circles/acp-wire.jsonl",
    ],
)
def test_recordings_there_and_back(shared, name):
    """A recorded run shows the same at moments all over it: to the end, back to the start, and to the end again."""
    path = shared / "captures" / name
    path = next(path.glob("*.json")) if name.endswith("sessions") else path
    straight = moments(find(str(path)))
    replay = ready(path)
    last, step = len(straight) - 1, max(1, len(straight) // 40)
    way = [*range(0, last, step), last, *range(last, 0, -step), 0, *range(0, last, step), last]
    for count in [*way, 3, last // 2, 7, last - 1]:
        go(replay, count)
        assert replay.snapshot == straight[count]
    replay.close()


def test_rows_end_at_the_moment(log):
    """The timeline shows what had happened by then: no later row, and no result that came later."""
    replay = ready(log)
    go(replay, 3)
    assert [replay.rows.row(index).outcome for index in range(len(replay.rows))][-1] == "running"
    go(replay, 4)
    assert [replay.rows.row(index).outcome for index in range(len(replay.rows))][-1] == "old text not found"
    go(replay, replay.playback.total)
    assert len(replay.rows) > 4
    replay.close()


def test_what_the_bar_shows_of_the_whole_log(log):
    """How many turns there are in all, and for each finding its moment and the event that proves it."""
    replay = ready(log)
    assert replay.playback.turns == moments(find(str(log)))[-1].run.turns > 0
    for mark in replay.playback.marks:
        go(replay, mark.count)
        raised = [one for one in replay.snapshot.findings if mark.count - 1 in (one.opened, one.raised)]
        assert mark.seq in {spot.seq for one in raised for spot in one.places} | {mark.count - 1}
    rows, total = replay.rows_at(3), replay.playback.total
    assert rows.row(len(rows) - 1).outcome == "running"
    go(replay, total)
    assert len(rows) < len(replay.rows), "another moment's rows stay what they were"
    replay.close()


def test_steps_and_turns(log):
    """Steps go by event and by turn, both ways, and stop at the ends."""
    replay = ready(log)
    replay.step(-1)
    replay.step(2)
    until(lambda: replay.playback.count == 2)
    replay.turn(1)
    until(lambda: replay.playback.count == 3)
    replay.turn(1)
    until(lambda: replay.playback.count == 5)
    replay.turn(-1)
    until(lambda: replay.playback.count == 3)
    replay.step(10_000)
    until(lambda: replay.playback.count == replay.playback.total)
    replay.close()


def test_it_plays_to_the_end(log):
    """As fast as it goes, a replay comes to its end, stops there, and plays anew."""
    replay = ready(log, speed=float("inf"))
    replay.play()
    until(lambda: replay.playback.count == replay.playback.total and not replay.playback.playing)
    assert replay.snapshot.verdict.state == "not made"
    replay.play()
    until(lambda: replay.playback.count == replay.playback.total and not replay.playback.playing)
    replay.close()


def test_the_nearest_speed():
    """Any speed asked for becomes one there is."""
    assert [nearest(speed) for speed in (0.0, 1.1, 100.0, float("inf"))] == [0.25, 1.0, 64.0, float("inf")]


def test_speeds(log):
    """Speeds go from a quarter to as fast as it goes, and no further."""
    replay = ready(log)
    replay.faster(100)
    until(lambda: replay.playback.speed == SPEEDS[-1])
    replay.faster(-100)
    until(lambda: replay.playback.speed == SPEEDS[0])
    replay.close()


@pytest.mark.parametrize(("start", "count"), [(86_400.0 * 400, 9), (0.0, 4)])
def test_from_a_time(log, start, count):
    """A replay may begin at a time of the log, and waits there."""
    replay = Replay(find(str(log)), start=start or time_of_day(5.0))
    replay.begin()
    until(lambda: replay.playback.read == 1.0 and replay.playback.count == count)
    assert not replay.playback.playing
    replay.close()


def time_of_day(at):
    """Seconds since midnight, here, of a moment."""
    there = datetime.fromtimestamp(at).astimezone()
    return there.hour * 3600 + there.minute * 60 + there.second


def test_findings_are_marked(log):
    """The bar knows where findings were raised, the gravest among them."""
    replay = ready(log)
    assert "stop" in {mark.level for mark in replay.playback.marks}
    replay.close()


def test_pace():
    """A pause of the log is kept, shortened beyond two seconds, and divided by the speed."""
    assert pace(10.0, 11.0, 1.0) == (1.0, 0.0)
    assert pace(10.0, 70.0, 2.0) == (1.0, 60.0)
    assert pace(10.0, 9.0, 1.0) == (0.0, 0.0)
    assert pace(None, None, 1.0) == (0.5, 0.0)
    assert pace(10.0, 70.0, float("inf")) == (0.0, 0.0)


def test_nothing_can_be_done_to_the_past(log):
    """A replay says of every action why it cannot be done."""
    replay = ready(log)
    assert "replay" in replay.can("abort")
    replay.close()

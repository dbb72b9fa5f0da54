from __future__ import annotations

import pytest
from calls_story import Calls
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from stalls_story import Live, calling

from monitor.detectors.numbers import StallsNumbers
from monitor.detectors.stalls import Stalls
from monitor.detectors.stalls_advice import span
from monitor.events import (
    Acted,
    Prompted,
    ReplyEnded,
    RequestEnded,
    RunEnded,
    RunStarted,
    Said,
    SourceChanged,
    Thought,
    Tick,
    ToolCalled,
    ToolReturned,
    Waiting,
)  # fmt: skip


def test_attaching_to_a_run_that_stalls():
    """What is read late counts from the source's own time; a time ahead of ours is not believed."""
    told = Calls(Stalls(), cwd="")
    told.tell(RunStarted(deltas=True, at=100.0, seen=5_000.0))
    told.tell(Prompted(text="go", at=100.0, seen=5_000.0))
    told.tick(5_000.0)
    assert [one.level for one in told.open] == ["warn"]
    told = Calls(Stalls(), cwd="")
    told.tell(RunStarted(deltas=True, at=9_000.0, seen=100.0))
    told.tell(Prompted(text="go", at=9_000.0, seen=100.0))
    told.tick(220.0)
    assert [one.level for one in told.open] == ["note"]


def test_a_source_without_times():
    """It counts from when events came; without any time nothing is awaited."""
    told = Calls(Stalls(), cwd="")
    told.tell(Prompted(text="go", seen=100.0))
    told.tick(700.0)
    assert [one.level for one in told.open] == ["note"]
    told = Calls(Stalls(), cwd="")
    told.tick(1e12)
    assert told.findings == ()


def test_times_that_go_backwards():
    """An event of an earlier time does no harm, and brings no wait of its own forward."""
    told = Live()
    told.now = 10.0
    told.tell(Said(message="m", text="early"))
    told.now = 1_000.0
    assert [told.later(119), told.later(1)] == [None, "note"]


def test_limits_off_and_settled():
    """0 turns a limit off; what the operator settled stays quiet."""
    told = Live(deltas=True, calls=0)
    calling(told, timeout=10.0)
    assert told.later(100_000) is None
    told = Calls(Stalls(StallsNumbers(deltas=0, messages=0)), cwd="", deltas=True)
    told.tick(1e9)
    assert told.findings == ()
    told = Live()
    told.later(130)
    told.act("settle", told.open[0].key)
    told.later(1_000)
    assert told.open == []


def test_when_to_look_again():
    """It tells before when nothing can come to stall."""
    told = Live()
    assert told.detector.due == 1_120.0
    told.later(120)
    assert told.detector.due == 1_360.0
    told.later(240)
    assert told.detector.due is None


def test_messages_and_advice():
    """Times in words; advice under 1,200 characters."""
    assert [span(seconds) for seconds in (45, 90, 120, 600, 3_660, 7_200)] == [
        "45 s", "90 s", "2 min", "10 min", "1 h 1 min", "2 h",
    ]  # fmt: skip
    told = Live()
    calling(told, command="x" * 5_000)
    told.later(600)
    assert all(len(one.advice) < 1_200 and len(one.message) < 300 for one in told.findings)


steps = st.lists(
    st.tuples(
        st.floats(0, 400, width=16),
        st.sampled_from(
            [
                Prompted(text="x"), Thought(text="x", message="m"), ReplyEnded(message="m"), ToolReturned(call="c"),
                ToolCalled(call="c", message="m", tool="bash", kind="shell", command="make"), RequestEnded(text="Done."),
                Waiting(call="c"), Waiting(call="c", over=True), Thought(text="x", message="k", actor="kid"),
                ToolCalled(call="d", message="m", tool="Task", kind="delegate"),
                Acted(id="1", action="settle", receipt="done", subject="stalls::model"),
            ]
        ),
    ),
    max_size=30,
)  # fmt: skip


@given(steps, st.integers(1, 4))
@settings(deadline=None, max_examples=80)
def test_ticks_change_no_finding(told, every):
    """Ticks between the events show a finding earlier, and bring none that the events alone would not."""
    plain, ticked, now = Stalls(), Stalls(), 1_000.0
    for number, (after, event) in enumerate([(0.0, RunStarted(deltas=True)), *told]):
        for part in range(1, every + 1):
            ticked.feed(Tick(now=now + after * part / every))
        now += after
        numbered = replace(event, seq=number, at=now, seen=now, turn=1 + number)
        plain.feed(numbered)
        ticked.feed(numbered)
    plain.feed(Tick(now=now + 1_000))
    ticked.feed(Tick(now=now + 1_000))
    assert plain.view().findings == ticked.view().findings
    assert plain.view().stalls == ticked.view().stalls


def test_what_stalls_is_told_in_the_order_of_time():
    """Whose wait is over first stands first, also where nothing was heard until both are over."""
    told = Stalls()
    heard = RunStarted(deltas=True), Thought(text="x", message="k", actor="kid"), Prompted(text="x")
    for number, (at, event) in enumerate(zip((0.0, 0.0, 3.0), heard, strict=True)):
        told.feed(replace(event, seq=number, at=at, seen=at, turn=1))
    told.feed(Tick(now=150.0))
    assert [one.actor for one in told.view().findings] == ["kid", ""]


@pytest.mark.parametrize("what", ["aside", "unwatched", "back"])
def test_what_is_wrong_with_the_monitors_own_works_ends_no_wait(what):
    """A journal that finds no room, or a folder that is not watched, tells nothing of the agent: it is waited for as before."""
    told = Live()
    told.later(130)
    told.tell(SourceChanged(what=what, input=-2, text="x"))
    assert [one.level for one in told.open] == ["note"]
    assert told.later(230) == "warn"


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (SourceChanged(what="gone"), "the run ended"),
        (SourceChanged(what="end"), "the run ended"),
        (RunEnded(status="x"), "the run ended"),
        (RequestEnded(how="answered", text="Done."), "the request ended"),
        (SourceChanged(what="lost"), "the source was interrupted"),
        (SourceChanged(what="lagging"), "the source was interrupted"),
        (SourceChanged(what="gap"), "the source was interrupted"),
    ],
)
def test_why_nothing_is_awaited_any_more_is_told(event, why):
    """A source that is lost is no end of the run."""
    told = Live()
    told.later(130)
    told.tell(event)
    assert [one.why_ended for one in told.findings] == [why]

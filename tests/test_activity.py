"""Which tool calls run now, as the events say."""

from __future__ import annotations

import pytest

from monitor.events import (
    Acted,
    Change,
    Prompted,
    RequestEnded,
    RunEnded,
    RunStarted,
    Said,
    SourceChanged,
    ToolCalled,
    ToolReturned,
    Waiting,
)
from monitor.run.activity import Activity
from monitor.run.run import Run


def shell(call, command="make", **more):
    return ToolCalled(call=call, message="m", tool="bash", kind="shell", command=command, **more)


def running(*events):
    """What runs after these events: what each call is about."""
    run = Run()
    for event in (RunStarted(agent="a"), Prompted(text="x"), *events):
        run.feed(event)
    return [one.what for one in run.snapshot().calls]


def test_a_call_runs_until_its_result():
    """The call is named by its command, its file, its address or else its tool, until its result has come."""
    assert running(shell("1")) == ["make"]
    assert running(shell("1"), ToolReturned(call="1")) == []
    written = ToolCalled(call="1", tool="edit", kind="write", changes=(Change("a.py", old="x", new="y"),))
    assert running(written) == ["a.py"]
    assert running(ToolCalled(call="1", tool="read", kind="read", paths=("b.py",))) == ["b.py"]
    assert running(ToolCalled(call="1", tool="fetch", kind="fetch", url="https://example.org")) == [
        "https://example.org"
    ]
    assert running(ToolCalled(call="1", tool="think")) == ["think"]


def test_a_call_told_again_is_the_same_call():
    """A fuller telling says better what it is about, and changes neither its time nor its row."""
    run = Run()
    for event in (RunStarted(agent="a"), Prompted(text="x"), shell("1", "ma", at=5.0), shell("1", "make all", at=9.0)):
        run.feed(event)
    (call,) = run.snapshot().calls
    assert (call.what, call.at, call.seq) == ("make all", 5.0, 2)


def test_several_of_one_batch_run():
    """The calls of one message run beside each other, the oldest first; only a few are told."""
    assert running(shell("1", "a"), shell("2", "b"), ToolReturned(call="1")) == ["b"]
    assert running(*(shell(str(number), str(number)) for number in range(40))) == ["0", "1", "2", "3", "4"]


def test_a_call_whose_result_was_never_told():
    """By the next turn of its actor it does not run any more; that of another actor does."""
    lost = shell("1", "lost")
    assert running(lost, ToolCalled(call="2", message="n", tool="read", kind="read", paths=("b",))) == ["b"]
    child = shell("1", "child's", actor="helper")
    assert running(child, shell("2", "a"), ToolReturned(call="2"), shell("3", "b")) == ["child's", "b"]


@pytest.mark.parametrize(
    "end", [RequestEnded(text="Done."), RunEnded(status="x"), SourceChanged(what="gone"), SourceChanged(what="end")]
)
def test_nothing_runs_after_the_end(end):
    """Once the request or the run is over, or its process gone, no call runs."""
    assert running(shell("1"), end) == []


def test_calls_without_results_are_bounded():
    """However many actors call and are never answered, only so many are kept; a copy goes on by itself."""
    activity = Activity()
    for number in range(3_000):
        activity.feed(shell("1", seq=number, actor=f"a{number}"))
    assert len(activity._running) <= 1_000
    other = activity.copy()
    other.feed(ToolReturned(call="1", actor="a2999"))
    assert len(activity._running) == len(other._running) + 1


@pytest.mark.parametrize(
    ("action", "receipt", "waits"),
    [("allow", "queued", "c1"), ("allow", "failed", "c1"), ("warn", "done", "c1"), ("allow", "delivered", "c2"), ("deny", "done", "c2")],
)  # fmt: skip
def test_what_was_answered_waits_no_more(action, receipt, waits):
    """Once an answer has reached the agent, the next question is what it waits for, though the call still runs."""
    run = Run()
    asked = (Waiting(on="approval", about=call, call=call) for call in ("c1", "c2"))
    for event in (
        RunStarted(agent="a"),
        shell("c1"),
        *asked,
        Acted(id="1", action=action, receipt=receipt, subject="c1"),
    ):
        run.feed(event)
    assert run.snapshot().waiting_call == waits
    assert [one.what for one in run.snapshot().calls] == ["make"]


GONE = SourceChanged(what="gone", text="the agent's process is gone")


def test_what_the_agent_goes_on_without_does_not_run():
    """Words of a later turn, or another request, come after the results there are: a call without one has none to come."""
    late = Said(text="Next.", message="n")
    assert running(shell("1"), Said(text="Listing.", message="m")) == ["make"]
    assert running(shell("1"), late) == []
    assert running(shell("1"), Said(text="Mine.", message="n", actor="child")) == ["make"]
    assert running(shell("1"), RequestEnded(how="interrupted"), Prompted(text="y"), late) == []


@pytest.mark.parametrize(
    ("events", "reason"),
    [
        ([shell("1")], "The log ends in a call"),
        ([shell("1"), Said(text="Next.", message="n")], "The log stops before the run ends"),
        ([shell("1"), RequestEnded(how="interrupted"), Prompted(text="y")], "The log stops before the run ends"),
    ],
)
def test_where_a_log_ends(events, reason):
    """It ends in a call only where that is the latest the agent did, not where any call of it had no result once."""
    run = Run()
    for event in (RunStarted(agent="a"), Prompted(text="x"), *events, GONE):
        run.feed(event)
    assert run.snapshot().verdict.reason.startswith(reason)

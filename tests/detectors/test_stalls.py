from __future__ import annotations

import pytest
from msgspec.structs import replace
from stalls_story import Live, calling

from monitor.events import (
    Coverage,
    Noticed,
    Prompted,
    ReplyEnded,
    RequestEnded,
    RunEnded,
    RunStarted,
    Said,
    SourceChanged,
    Thought,
    ToolCalled,
    ToolReturned,
    Waiting,
)  # fmt: skip


def test_a_silent_model_on_a_source_with_deltas():
    """After two minutes a note, after six a warning; the first word clears it."""
    told = Live()
    assert [told.later(seconds) for seconds in (119, 1, 239, 1)] == [None, "note", "note", "warn"]
    (finding,) = told.open
    assert finding.message == "The model should be answering and has said nothing for 6 min"
    assert (finding.subject, finding.deadline, finding.opened) == ("model", 1_360.0, 1)
    (stall,) = told.detector.view().stalls
    assert (stall.what, stall.since, stall.level) == ("model", 1_000.0, "warn")
    told.tell(Thought(message="m", text="Hm", delta=True))
    assert told.open == []
    assert [one.why_ended for one in told.findings] == ["it answered"]
    assert told.later(119) is None
    assert told.later(1) == "note"


def test_a_source_of_whole_messages():
    """Ten minutes, where the model is heard only in whole messages."""
    for deltas in (False, None):
        told = Live(deltas=deltas, lag="message")
        assert [told.later(seconds) for seconds in (599, 1, 1_200)] == [None, "note", "warn"]


@pytest.mark.parametrize(("lag", "coverage"), [("turn", {}), ("end", {}), ("event", {"stalls": Coverage("none")})])
def test_a_source_of_whole_turns_never_stalls(lag, coverage):
    """Silence says nothing where a turn is told when it is over."""
    told = Live(lag=lag, coverage=coverage)
    assert told.later(100_000) is None
    calling(told)
    assert told.later(100_000) is None


def test_a_call_without_a_result():
    """Ten minutes, and a warning at thirty; the result clears it, and then the model is awaited."""
    told = Live()
    calling(told)
    assert [told.later(seconds) for seconds in (599, 1, 1_200)] == [None, "note", "warn"]
    (finding,) = told.open
    assert finding.message == "A call has had no result for 30 min: make"
    assert finding.deadline == 2_800.0
    told.tell(ToolReturned(call="c"))
    assert told.open == []
    assert told.later(120) == "note"
    assert told.open[0].subject == "model"


def test_a_call_without_an_id_is_not_awaited():
    """No result could end the wait for it, whatever else is told or awaited."""
    told = Live()
    told.tell(ToolCalled(call="", tool="bash", kind="shell", command="make"))
    calling(told)
    told.tell(ToolReturned(call="c"))
    assert told.later(120) == "note"
    assert told.open[0].subject == "model"


def test_a_calls_own_timeout():
    """It counts from its own timeout plus a minute, shorter or longer than ten minutes."""
    for timeout, limit in ((120.0, 180), (1_200.0, 1_260)):
        told = Live()
        calling(told, timeout=timeout)
        assert [told.later(limit - 1), told.later(1), told.later(2 * limit)] == [None, "note", "warn"]


def test_waiting_for_a_person_is_no_stall():
    """While approval or an answer is awaited no time runs; after it, it begins anew."""
    told = Live()
    calling(told)
    told.later(300)
    told.tell(Waiting(on="approval", call="c"))
    assert told.later(100_000) is None
    told.tell(Waiting(call="c", over=True))
    assert [told.later(599), told.later(1)] == [None, "note"]
    told.tell(Waiting(on="user"))
    assert told.open == []
    told = Live()
    calling(told, kind="ask", tool="AskUser", command="")
    assert told.later(100_000) is None


@pytest.mark.parametrize(
    "end",
    [
        RequestEnded(how="answered", text="Done."),
        RunEnded(status="x"),
        SourceChanged(what="gone"),
        SourceChanged(what="end"),
        SourceChanged(what="lost"),
    ],
)
def test_what_is_over_is_not_awaited(end):
    """After the answer, the end, or the loss of the source, silence says nothing; what had stalled is cleared."""
    told = Live()
    told.later(130)
    told.tell(end)
    assert told.open == []
    assert told.later(100_000) is None
    told.tell(Said(message="m1", text="told late"))
    told.tell(ToolReturned(call="unknown", output="of the background"))
    told.tell(Noticed(kind="status"))


def test_more_of_an_ended_turn_awaits_nothing():
    """A reply's whole text that comes after the request's end starts no wait."""
    told = Live()
    told.tell(Said(message="m", text="Do"))
    told.tell(RequestEnded(text="Done."))
    told.tell(Said(message="m", text="Done."))
    assert told.later(100_000) is None
    told.prompt()
    assert told.later(120) == "note"


def test_signs_of_life():
    """A notice of a retry, and each piece of a call being written, begin the time anew."""
    told = Live()
    told.later(110)
    told.tell(Noticed(kind="retry"))
    assert told.later(110) is None
    told.tell(ToolCalled(call="c", message="m", partial=True))
    assert told.later(110) is None
    assert told.later(10) == "note"


def test_a_sub_agent_at_work():
    """A call that has others work is awaited from the last sign of them; each actor stalls for itself."""
    told = Live()
    calling(told, kind="delegate", tool="Task", command="")
    told.tell(RunStarted(actor="kid", parent=""))
    told.tell(Prompted(actor="kid", text="Look."))
    for _ in range(20):
        told.later(100)
        told.tell(Thought(actor="kid", message="k", text="Hm", delta=True))
    assert told.findings == ()
    assert told.later(120) == "note"
    assert [(one.actor, one.subject) for one in told.open] == [("kid", "model")]
    told.tell(RunEnded(actor="kid"))
    assert [told.later(479), told.later(121)] == [None, "note"]


def test_a_call_told_again_keeps_its_time():
    """A fuller telling changes neither when it began nor what was found."""
    told = Live()
    calling(told)
    told.later(600)
    told.tell(ToolCalled(call="c", message="m", tool="bash", kind="shell", command="make all"))
    assert told.level == "note"
    assert told.later(1_200) == "warn"
    told.tell(ToolReturned(call="c"))
    assert told.open == []


@pytest.mark.parametrize("copied", [False, True])
def test_a_call_told_after_its_result_is_not_awaited(copied):
    """Nobody waits for a result that has come: not when its call is told once more, nor when it is told only then."""
    told = Live()
    call = ToolCalled(call="c", message="m", tool="bash", kind="shell", command="make")
    told.tell(call)
    told.result("c")
    told.result("d")
    if copied:
        told.detector = told.detector.copy()
    told.tell(call)
    told.tell(replace(call, call="d"))
    told.tell(ReplyEnded(message="m", stop="tools"))
    assert told.later(100_000) is None


def test_an_id_that_is_used_again_is_awaited():
    """A call of another message, or of another request, is another call, though it has the id of one that came back."""
    for again in ("message", "request"):
        told = Live()
        calling(told)
        told.result("c")
        if again == "request":
            told.tell(RequestEnded(text="Done."))
            told.tell(Prompted(text="more"))
        told.tell(ToolCalled(call="c", message="n" if again == "message" else "m", kind="shell", command="make"))
        told.tell(ReplyEnded(message="n", stop="tools"))
        assert told.later(601) == "note"


def test_a_background_command_is_not_awaited():
    """Once acknowledged it may take its time."""
    told = Live()
    calling(told)
    told.tell(ToolReturned(call="c", background=True))
    told.tell(RequestEnded(text="It runs."))
    assert told.later(100_000) is None

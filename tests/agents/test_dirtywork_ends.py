"""How a dirtywork run ends, by its transcript and by run.json."""

from __future__ import annotations

from dirtywork_logs import (
    decode,
    document,
    line,
    of,
    records,
    reply,
    run_json,
    start,
)

from monitor.agents.dirtywork.decode import RUN, DirtyworkDecoder
from monitor.agents.dirtywork.started import About
from monitor.events import (
    Checked,
    Prompted,
    RequestEnded,
    RunEnded,
    RunStarted,
    ToolReturned,
    TreeMeasured,
)


def end(status="completed", **fields):
    return line("run_end", status=status, turns=1, usage={"prompt_tokens": 10, "completion_tokens": 3}, **fields)


def test_calls_left_open_by_an_interrupt():
    """The call under way was cancelled; those behind it never began."""
    one, two = {"command": "sleep 30"}, {"path": "a", "content": "x"}
    events = decode(start(), reply(("bash", one), ("write_file", two)), end("interrupted", changed=None))
    assert [(back.call, back.outcome) for back in of(events, ToolReturned)] == [
        ("t2.1", "cancelled"), ("t2.2", "not_executed"),
    ]  # fmt: skip
    (measured,) = of(events, TreeMeasured)
    assert measured.changed is None
    assert "takes no measurement" in measured.reason
    assert of(events, RequestEnded)[0].how == "interrupted"


def test_a_write_under_way_when_the_budget_broke_may_have_been_made():
    """Nobody knows whether it was written; after a model's error nothing more was begun."""
    told = {"path": "a", "content": "x"}
    for status, fields, outcome in (
        ("budget_exceeded", {}, "unknown"),
        ("model_error", {"error": "unexpected error"}, "unknown"),
        ("model_error", {}, "not_executed"),
    ):
        events = decode(start(), reply(("write_file", told)), end(status, **fields))
        assert of(events, ToolReturned)[0].outcome == outcome, status


def test_how_a_run_ends():
    """Limits, errors and interrupts end the request; its own guards' ends are no limit, and claims are told once."""
    for status, how in (
        ("max_turns", "limit"), ("timeout", "limit"), ("context_exhausted", "limit"), ("budget_exceeded", "limit"),
        ("model_error", "error"), ("sandbox_error", "error"), ("interrupted", "interrupted"),
    ):  # fmt: skip
        assert [one.how for one in of(decode(start(), end(status)), RequestEnded)] == [how], status
    for status in ("stuck", "stalled", "of a later version"):
        assert of(decode(start(), end(status)), RequestEnded) == []
    assert [one.text for one in of(decode(end(last_assistant_text="Done.")), RequestEnded)] == ["Done."]
    assert len(of(decode(start(), reply(text="Done."), end()), RequestEnded)) == 1


def test_why_a_run_ended():
    """The reason is read where the record holds one."""
    stuck = {"command": "make", "output": "no", "repeats": 4}
    verify = {"command": "make test", "exit_code": 2, "passed": False}
    for status, fields, reason in (
        ("stuck", {"stuck_on": stuck}, "the same command failed 4 times running: make"),
        ("verify_failed", {"verify": verify}, "verify failed with exit 2: make test"),
        ("model_error", {"truncations": 6}, "6 replies were cut off at the token limit"),
        ("model_error", {"error": "HTTP 500"}, "HTTP 500"),
        ("completed", {}, ""),
    ):
        assert of(decode(end(status, **fields)), RunEnded)[0].reason == reason


def test_what_a_run_says_it_changed():
    """Its files are those of the branch, so a resumed run's are left out, and none are named where nothing changed."""
    told = {"changed": True, "files_changed": ["a", "b"]}
    assert of(decode(start(), end(**told)), TreeMeasured)[0].files == ("a", "b")
    assert of(decode(start(resumed_from="x"), end(**told)), TreeMeasured)[0].files == ()
    assert of(decode(start(), end(**told | {"changed": False})), TreeMeasured)[0].files == ()
    why = of(decode(start(), end(changed=None, changed_reason="fatal: no")), TreeMeasured)[0]
    assert (why.changed, why.reason) == (None, "fatal: no")
    assert of(decode(start(), end()), TreeMeasured) == []


def test_run_json_adds_nothing_to_an_end_that_was_told():
    """The same end told by both is one end, whichever is read first."""
    final = document(run_json(status="completed", changed=True, ended="2026-11-30T07:34:21+00:00"), RUN)
    told = records([start(), reply(text="Done."), end(changed=True)])
    for order in ([*told, final], [told[0], final, *told[1:]]):
        decoder = DirtyworkDecoder()
        events = [event for record in order for event in decoder.feed(record)] + list(decoder.finish(()))
        assert len(of(events, RunEnded)) == len(of(events, TreeMeasured)) == len(of(events, RequestEnded)) == 1
        assert isinstance(events[-1], RunEnded)


def test_run_json_has_the_last_word_on_the_status():
    """An export that failed after the transcript was closed stands in run.json alone, and stands last."""
    final = document(run_json(status="export_failed", finalize_error="disk full"), RUN)
    told = records([start(), reply(text="Done."), end()])
    for order in ([*told, final], [told[0], final, *told[1:]], [final, *told]):
        decoder = DirtyworkDecoder()
        events = [event for record in order for event in decoder.feed(record)] + list(decoder.finish(()))
        assert events[-1].status == "export_failed"
        assert events[-1].reason == "disk full"
        assert len(of(events, RequestEnded)) == (2 if order[0] is final else 1)


def test_an_end_that_only_run_json_tells():
    """Where the transcript stops short, run.json's end is told when no more will come."""
    final = document(run_json(status="model_error", changed=None), RUN)
    decoder = DirtyworkDecoder()
    events = [event for record in [*records([start()]), final] for event in decoder.feed(record)]
    assert of(events, RunEnded) == []
    assert [type(one) for one in decoder.finish(())] == [TreeMeasured, RequestEnded, RunEnded]
    assert list(decoder.finish(())) == []


def test_run_json_alone():
    """Without its transcript, run.json tells the task and the end, and says that it shows no calls."""
    about = About("rename", alone=True)
    verify = {"command": "make", "exit_code": 0, "passed": True}
    data = run_json(status="completed", changed=True, files_changed=["a"], verify=verify, last_assistant_text="Done.")
    events = list(DirtyworkDecoder(about).feed(document(data, RUN)))
    assert [type(one) for one in events] == [RunStarted, Prompted, Checked, TreeMeasured, RequestEnded, RunEnded]
    assert events[0].coverage["failed_writes"].sees == "none"
    assert events[4].text == "Done."


def test_a_rewritten_run_json_tells_only_its_news():
    """Being resumed and being judged are told once, and the end is not told again."""
    decoder = DirtyworkDecoder(About("rename", alone=True))
    first = list(decoder.feed(document(run_json(status="completed"), RUN)))
    later = run_json(status="completed", resumed_by="rename-2", verdict="reject", note="No.")
    assert len(of(first, RunEnded)) == 1
    assert [(one.name, one.text) for one in decoder.feed(document(later, RUN))] == [
        ("resumed_by", "rename-2"), ("verdict", "reject: No."),
    ]  # fmt: skip
    assert list(decoder.feed(document(later, RUN))) == []


def test_a_killed_run_leaves_its_calls_open():
    """Without an end, a call without a result is told as not known when no more will come."""
    decoder = DirtyworkDecoder()
    for record in records([start(), reply(("write_file", {"path": "a", "content": "x"}))]):
        decoder.feed(record)
    assert [(one.call, one.outcome) for one in decoder.finish(())] == [("t2.1", "unknown")]

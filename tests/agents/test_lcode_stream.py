"""What the lines of lcode's stream tell."""

from __future__ import annotations

import pytest
from lcode_logs import CWD, FINISHED, ID, STREAMED, UNREAD, decode, document, ended, line, of, reply, result, start

from monitor.agents.lcode.decode import LcodeDecoder
from monitor.events import (
    Checked,
    Noticed,
    Prompted,
    ReplyEnded,
    RequestEnded,
    RunEnded,
    RunStarted,
    Said,
    Tokens,
    ToolCalled,
    ToolReturned,
    TreeMeasured,
    Unreadable,
    Used,
)

EDIT = ("edit_file", {"path": "app/strings.xml", "old_string": "a", "new_string": "b"})


def test_the_start_says_what_the_stream_cannot_show():
    """Thinking does not show at all, an empty reply looks like one cut off, and results end at 4,000 characters."""
    begun, told = decode(start())
    assert isinstance(begun, RunStarted)
    assert (begun.agent, begun.version, begun.session, begun.model, begun.cwd) == ("lcode", "0.51.0", ID, "m", CWD)
    assert (begun.lag, begun.deltas) == ("message", False)
    assert {name: one.sees for name, one in begun.coverage.items()} == {
        "thinking": "none", "replies": "partial", "sites": "partial", "repeats": "partial",
        "outside_edits": "partial", "stalls": "partial",
    }  # fmt: skip
    assert isinstance(told, Prompted)
    assert (told.text, told.by, told.into) == ("", "user", "new")


def test_failed_edits_and_then_a_claim():
    """A write that was refused is a failure with its file; a reply without a call is the claim."""
    events = decode(start(), reply(EDIT), result("edit_file", UNREAD), reply(text="It is done."), ended())
    (call,), (back,) = of(events, ToolCalled), of(events, ToolReturned)
    assert (call.kind, call.changes[0].file, call.changes[0].old, call.changes[0].new) == (
        "write", "app/strings.xml", "a", "b",
    )  # fmt: skip
    assert (back.call, back.message, back.outcome, back.failure) == (call.call, call.message, "failed", "unread")
    assert [(one.file, one.outcome, one.cause) for one in back.files] == [("app/strings.xml", "failed", True)]
    assert [(one.how, one.text) for one in of(events, RequestEnded)] == [("answered", "It is done.")]
    assert [(one.status, one.exit) for one in of(events, RunEnded)] == [("success", None)]
    assert [one.tokens for one in of(events, Used)] == [Tokens(input=100, output=7)]
    assert of(events, TreeMeasured) == []


def test_calls_of_one_reply_are_one_batch_and_find_their_results():
    """Results are paired by id; where a model server gives two calls the same id, by their order."""
    same = line("assistant", text="", tool_calls=[{"id": "x", "name": "bash", "arguments": {}}] * 2)
    events = decode(same, result("bash", "a\n[exit code: 0]", "x"), result("bash", "b\n[exit code: 1]", "x"))
    first, second = of(events, ToolCalled)
    assert first.message == second.message
    assert [(one.call, one.exit) for one in of(events, ToolReturned)] == [(first.call, 0), (second.call, 1)]


@pytest.mark.parametrize("text", ["", "  \n"])
def test_a_reply_that_says_nothing_is_only_that(text):
    """The stream does not tell why there is no answer, so no reason is given."""
    (end,) = decode(reply(text=text))
    assert isinstance(end, ReplyEnded)
    assert (end.empty, end.stop, end.raw) == (True, "other", "")


def test_an_answer_that_is_sent_back_is_a_claim_and_the_next_one_another():
    """Its checks may go on with the request after an answer; the stream does not say why."""
    events = decode(reply(text="Ready."), reply(text="Trust me."), ended())
    assert [one.text for one in of(events, RequestEnded)] == ["Ready.", "Trust me."]


@pytest.mark.parametrize(
    ("status", "how", "outcomes"),
    [
        ("interrupted", "interrupted", ["cancelled", "not_executed"]),
        ("loop", None, ["not_executed", "not_executed"]),
        ("blocked", None, ["not_executed", "not_executed"]),
        ("max_steps", "limit", ["unknown", "not_executed"]),
        ("error", "error", ["unknown", "not_executed"]),
        ("new_word", None, ["unknown", "not_executed"]),
    ],
)
def test_each_end_and_what_it_leaves_open(status, how, outcomes):
    """Every status is passed on as it is; an end that is no answer says how; calls without a result get one."""
    call = ("bash", {"command": "sleep 9"})
    events = decode(reply(call, call), ended(status, error="why" if status == "error" else ""))
    assert [one.outcome for one in of(events, ToolReturned)] == outcomes
    assert [one.how for one in of(events, RequestEnded)] == ([how] if how else [])
    assert [one.status for one in of(events, RunEnded)] == [status]


def test_an_error_gives_its_text():
    """The error stands with the end of the request; a start that failed has nothing else."""
    failed = line("result", status="error", error="cannot reach Ollama")
    for events in (decode(start(), ended("error", error="cannot reach Ollama")), decode(failed)):
        assert [(one.how, one.text) for one in of(events, RequestEnded)] == [("error", "cannot reach Ollama")]
        assert [(one.status, one.reason) for one in of(events, RunEnded)] == [("error", "cannot reach Ollama")]


def test_an_end_without_its_beginning_still_claims():
    """Read from the middle, a success whose answer was not seen is the claim itself."""
    assert [one.text for one in of(decode(ended(text="Done.")), RequestEnded)] == ["Done."]
    assert of(decode(ended("loop", text="Done.")), RequestEnded) == []


def test_what_lcode_found_at_the_end():
    """Its own checks, its review, the stronger model it asked, and the files it found changed."""
    events = decode(
        ended(
            text="Done.",
            checks=[
                {"command": "pytest -q", "exit_code": 1, "by": "lcode"},
                {"command": "pytest -q", "exit_code": 0, "by": "model"},
                {"command": "make", "exit_code": None, "by": "lcode"},
            ],
            review=["it prints", "it fails"],
            escalations=[{"model": "big", "why": "stuck"}],
            files_changed=[{"status": "A", "path": "a.py"}, {"status": "M", "path": "b.py"}],
        )
    )
    assert [(one.command, one.passed, one.exit) for one in of(events, Checked)] == [
        ("pytest -q", False, 1), ("make", None, None),
    ]  # fmt: skip
    assert [(one.name, one.text) for one in of(events, Noticed)] == [
        ("escalation", "big: stuck"), ("review", "it prints\nit fails"),
    ]  # fmt: skip
    (measured,) = of(events, TreeMeasured)
    assert (measured.by, measured.changed, measured.files) == ("agent", True, ("a.py", "b.py"))


def test_a_result_without_its_call_is_told_with_what_it_names():
    """A stream read from its middle gives results of calls not seen; the tool's name is in them."""
    call, back = decode(result("bash", "x\n[exit code: 2]"))
    assert isinstance(call, ToolCalled)
    assert (call.tool, call.kind, call.arguments) == ("bash", "shell", "{}")
    assert isinstance(back, ToolReturned)
    assert (back.call, back.exit) == (call.call, 2)


def test_a_long_result_is_cut_and_its_exit_not_known():
    """Of a command whose last line is cut off nothing is said but that."""
    events = decode(reply(("bash", {"command": "x"})), result("bash", "y" * 5000 + "\n[exit code: 0]"))
    (back,) = of(events, ToolReturned)
    assert (back.cut, back.outcome, back.exit) == (True, "unknown", None)


def test_the_whole_result_as_one_object():
    """Printed when all is over, it tells calls, results, the answer and the end; batches do not show."""
    calls = [
        {"id": "a", "name": "edit_file", "arguments": EDIT[1], "error": True, "output": UNREAD},
        {"id": "b", "name": "bash", "arguments": {"command": "x"}, "error": False, "output": ""},
    ]
    data = ended("interrupted", tool_calls=calls, error="interrupted before the request was done")
    events = LcodeDecoder().feed(document(data, FINISHED))
    assert [one.outcome for one in of(events, ToolReturned)] == ["failed", "cancelled"]
    assert [(one.lag, one.coverage["failed_writes"].sees) for one in of(events, RunStarted)] == [("end", "partial")]
    assert [one.how for one in of(events, RequestEnded)] == ["interrupted"]
    done = LcodeDecoder().feed(document(ended(text="Done."), FINISHED))
    assert [one.text for one in of(done, Said, RequestEnded)] == ["Done.", "Done."]


def test_a_type_this_version_does_not_know_is_counted():
    """It is decoded to nothing, by its name; a record without a type cannot be read."""
    decoder = LcodeDecoder()
    assert list(decoder.feed(document(line("heartbeat"), STREAMED))) == []
    assert decoder.unknown_types == {"heartbeat": 1}
    assert isinstance(decoder.feed(document(b"{}", STREAMED))[0], Unreadable)

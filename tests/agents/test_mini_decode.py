"""What mini-swe-agent's trajectories tell."""

from __future__ import annotations

import pytest
from mini_logs import DONE, REFUSED, SUBMIT, asked, decoded, document, heard, of, placeless, reply, seen, tool

from monitor.events import (
    Noticed,
    Prompted,
    ReplyEnded,
    RequestEnded,
    RunEnded,
    RunStarted,
    Said,
    Thought,
    ToolCalled,
    ToolReturned,
    Unreadable,
    Used,
)
from monitor.shell.steps import steps_of
from monitor.shell.writes import writes_of


def result(events):
    (told,) = of(events, ToolReturned)
    return told


def test_a_run_from_its_task_to_its_claim():
    """A submitted trajectory tells its task, its commands with their exit codes, and a claim of done."""
    events = decoded(document(*DONE, status="Submitted", submission="diff --git a/a.py b/a.py"))
    started = of(events, RunStarted)[0]
    assert (started.agent, started.version, started.lag) == ("mini-swe-agent", "1.14.4", "turn")
    assert [one.text for one in of(events, Prompted)] == ["Mend a.py"]
    assert [(one.kind, one.command) for one in of(events, ToolCalled)] == [("shell", "ls"), ("finish", SUBMIT)]
    assert [(one.outcome, one.exit, one.output) for one in of(events, ToolReturned)] == [
        ("ok", 0, "a.py"),
        ("ok", None, "diff --git a/a.py b/a.py"),
    ]
    assert [(one.how, one.text) for one in of(events, RequestEnded)] == [("answered", "It works.")]
    assert [one.status for one in of(events, RunEnded)] == ["Submitted"]
    assert [event.place.line for event in of(events, Said)] == [2, 4]


@pytest.mark.parametrize(
    ("text", "extra", "expected"),
    [
        ("<returncode>1</returncode>\n<output>\nno\n</output>", {}, ("failed", 1, "no")),
        ("Observation: {'output': 'x', 'returncode': 2}", {}, ("failed", 2, "Observation: {'output': 'x', 'returncode': 2}")),
        ("x", {"returncode": 0, "raw_output": "x"}, ("ok", 0, "x")),
        ("The last command <command>make</command> timed out and has been killed.\n", {}, ("timed_out", None, None)),
        ("x", {"returncode": -1, "exception_info": "TimeoutExpired: 30 s"}, ("timed_out", None, "x\nTimeoutExpired: 30 s")),
        ("x", {"returncode": -1, "exception_info": "action was not executed"}, ("not_executed", None, "x")),
        ("x", {"returncode": -1, "exception_info": "OSError: no"}, ("failed", None, "x\nOSError: no")),
        (REFUSED, {}, ("not_executed", None, REFUSED)),
        ("Wrong.", {"interrupt_type": "FormatError"}, ("not_executed", None, "Wrong.")),
        ("Commands not executed. The user rejected your commands with the following message: no", {}, ("corrected", None, None)),
        ("Command not executed. Switching to human mode", {}, ("denied", None, None)),
        ("Interrupted by user: stop", {}, ("cancelled", None, None)),
        ("What a template of somebody's says", {}, ("unknown", None, "What a template of somebody's says")),
    ],
)  # fmt: skip
def test_what_became_of_a_command(text, extra, expected):
    """Only an exit code of 0 is a success; a refusal, a person's no, or a time limit is each its own."""
    told = result(decoded(document(reply("make"), heard(text, **extra))))
    outcome, code, output = expected
    assert (told.outcome, told.exit) == (outcome, code)
    assert output is None or told.output == output


def test_a_refused_reply_ran_none_of_its_commands():
    """Of a reply with more than one command each is told, once, as never executed."""
    events = decoded(document(reply("ls", "make", "ls"), heard(REFUSED)))
    assert [one.command for one in of(events, ToolCalled)] == ["ls", "make"]
    assert {one.outcome for one in of(events, ToolReturned)} == {"not_executed"}
    assert len({one.message for one in of(events, ToolCalled)}) == 1


def test_one_command_written_twice_was_refused_too():
    """A reply that repeats its one command was refused, whatever words tell it."""
    assert result(decoded(document(reply("ls", "ls"), heard("Only one.")))).outcome == "not_executed"


def test_a_reply_without_a_command_is_answered_by_the_harness():
    """What the harness then says begins no request."""
    events = decoded(document(reply(words="I think."), heard(REFUSED)))
    assert [(one.by, one.into) for one in of(events, Prompted)] == [("user", "new"), ("harness", "running")]


def test_a_command_that_writes_and_submits_is_a_shell_command():
    """Its writes are seen by the shell room."""
    command = f"sed -i 's/a/b/' a.py && {SUBMIT}"
    (call,) = of(decoded(document(reply(command))), ToolCalled)
    assert call.kind == "shell"
    assert [one.path for step in steps_of(call.command).steps for one in writes_of(step)] == ["a.py"]


def test_tool_calls_of_the_second_version():
    """Results find their calls by id, in whatever order; thinking, times, tokens and cost are told."""
    events = decoded(document(asked("ls", "make"), tool("c1", 2), tool("c0")))
    calls = {one.call: one.command for one in of(events, ToolCalled)}
    assert [(calls[one.call], one.outcome, one.exit, one.at) for one in of(events, ToolReturned)] == [
        ("make", "failed", 2, 20.0),
        ("ls", "ok", 0, 20.0),
    ]
    assert [one.text for one in of(events, Thought)] == ["Hm."]
    (used,) = of(events, Used)
    assert (used.tokens.input, used.tokens.output, used.tokens.cache_read, used.cost) == (9, 2, 4, 0.5)


def test_results_without_an_id_go_by_their_place():
    """Results that name no call are those of the calls in their order."""
    events = decoded(
        document(
            asked("ls", "make") | {"extra": {"actions": [{"command": "ls"}, {"command": "make"}]}},
            tool(""),
            tool("", 2),
        )
    )
    calls = {one.call: one.command for one in of(events, ToolCalled)}
    assert [(calls[one.call], one.exit) for one in of(events, ToolReturned)] == [("ls", 0), ("make", 2)]


def test_the_items_of_a_response():
    """Of a response in items the model's thinking is thinking, and no words of its answer."""
    thought = {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Short."}]}
    items = [
        thought | {"content": [{"type": "reasoning_text", "text": "Hm."}]},
        thought,
        {"type": "message", "content": [{"type": "output_text", "text": "Next."}]},
    ]
    result = {
        "type": "function_call_output",
        "call_id": "c0",
        "output": "<returncode>0</returncode>\n<output>\na\n</output>",
    }
    said = {"object": "response", "output": items, "extra": {"actions": [{"command": "ls", "tool_call_id": "c0"}]}}
    events = decoded(document(said, result))
    assert [one.text for one in of(events, Thought)] == ["Hm.\nShort."]
    assert [one.text for one in of(events, Said)] == ["Next."]
    assert [(one.outcome, one.output) for one in of(events, ToolReturned)] == [("ok", "a")]


def test_a_growing_file_tells_only_what_is_new():
    """A trajectory saved after each step tells the same as one read when it was finished."""
    first, second = document(*DONE[:2]), document(*DONE, status="Submitted", submission="x")
    grown, whole = decoded(first, second), decoded(second)
    kinds = (RunStarted, Prompted, Said, ToolCalled, ToolReturned, ReplyEnded, RequestEnded, RunEnded)
    assert placeless(of(grown, *kinds)) == placeless(of(whole, *kinds))
    assert not of(grown, Noticed)


def test_a_file_that_went_back_says_so():
    """Where earlier messages are others now, that is said, and they count as new ones."""
    events = decoded(document(reply("ls"), seen("a")), document(reply("make"), seen("b")))
    assert [one.name for one in of(events, Noticed)] == ["rewritten"]
    assert len({one.call for one in of(events, ToolCalled)}) == 2


def test_a_file_of_another_run_is_another_wherever_they_differ():
    """A run that was begun anew under the same task is told from its first other command on, though nothing was said."""
    events = decoded(document(asked("ls"), tool("c0")), document(asked("make"), tool("c0", 2)))
    calls = {one.call: one.command for one in of(events, ToolCalled)}
    assert [(calls[one.call], one.exit) for one in of(events, ToolReturned)] == [("ls", 0), ("make", 2)]


@pytest.mark.parametrize("data", [b"{", b"[]", b"{}", b'{"messages": 3}', b"[1]", b'"x"', b"\xff"])
def test_what_is_no_trajectory_is_unreadable(data):
    """A broken document is counted, not thrown."""
    assert len(of(decoded(data), Unreadable)) == 1

"""What `codex exec --json` tells, and what it leaves out."""

from __future__ import annotations

import pytest
from codex_logs import CWD, PIPED, THREAD, of
from codex_logs import decode as decoded

from monitor.events import (
    Noticed,
    RequestEnded,
    RunEnded,
    RunStarted,
    Said,
    Thought,
    Tokens,
    ToolCalled,
    ToolReturned,
    Used,
)

START = {"type": "thread.started", "thread_id": THREAD}
TURN = {"type": "turn.started"}


def decode(*rows):
    return decoded(*rows, source=PIPED)


def item(kind, phase="completed", **fields):
    return {"type": f"item.{phase}", "item": {"id": "i1", "type": kind, **fields}}


def test_the_start_says_what_is_missing():
    """Refused patches do not show in this stream, and the start says so."""
    (start,) = of(decode(START), RunStarted)
    assert (start.session, start.coverage["failed_writes"].sees) == (THREAD, "none")


def test_a_turn():
    """Thinking, a command, a change and the answer come with their results, and the run ends."""
    command = {
        "command": "/bin/bash -lc 'curl -sS x'",
        "aggregated_output": "",
        "exit_code": None,
        "status": "in_progress",
    }
    change = {"changes": [{"path": f"{CWD}/a.py", "kind": "update"}], "status": "completed"}
    events = decode(
        START, TURN, item("reasoning", text="plan"), item("command_execution", "started", **command),
        item("command_execution", **command | {"aggregated_output": "curl: (7)", "exit_code": 7, "status": "failed"}),
        item("file_change", "started", **change | {"status": "in_progress"}), item("file_change", **change),
        item("agent_message", text="Done"),
        {"type": "turn.completed", "usage": {"input_tokens": 10, "cached_input_tokens": 4, "output_tokens": 2}},
    )  # fmt: skip
    assert [one.text for one in of(events, Thought)] == ["plan"]
    assert [one.text for one in of(events, Said)] == ["Done"]
    assert {(one.kind, one.command) for one in of(events, ToolCalled)} == {("shell", "curl -sS x"), ("write", "")}
    failed, written = of(events, ToolReturned)
    assert (failed.outcome, failed.exit, failed.output) == ("failed", 7, "curl: (7)")
    assert [(one.file, one.outcome) for one in written.files] == [(f"{CWD}/a.py", "ok")]
    assert [one.tokens for one in of(events, Used)] == [Tokens(input=6, output=2, cache_read=4)]
    assert [(one.how, one.text) for one in of(events, RequestEnded)] == [("answered", "Done")]
    assert [one.status for one in of(events, RunEnded)] == ["turn.completed"]


def test_a_turn_that_fails():
    """A failed turn is the run's error; an error among the items may be a mere warning."""
    events = decode(
        START, item("error", message="unknown model"), TURN, {"type": "turn.failed", "error": {"message": "no quota"}}
    )
    assert [one.text for one in of(events, Noticed)] == ["unknown model"]
    assert [(one.how, one.text) for one in of(events, RequestEnded)] == [("error", "no quota")]
    assert [one.status for one in of(events, RunEnded)] == ["turn.failed"]


@pytest.mark.parametrize(
    ("kind", "fields", "told"),
    [
        (
            "mcp_tool_call",
            {"tool": "look", "status": "failed", "error": {"message": "no"}},
            ("other", "look", "failed"),
        ),
        ("mcp_tool_call", {"tool": "look", "status": "declined"}, ("other", "look", "denied")),
        ("web_search", {"query": "x"}, ("search", "web_search", "ok")),
        ("collab_tool_call", {"tool": "spawn_agent"}, ("delegate", "spawn_agent", "ok")),
    ],
)
def test_other_calls(kind, fields, told):
    """Searches, tools of MCP servers and sub-agents are calls of their kinds."""
    events = decode(item(kind, **fields))
    (call,), (result,) = of(events, ToolCalled), of(events, ToolReturned)
    assert (call.kind, call.tool, result.outcome) == told


def test_a_turn_does_not_answer_with_the_words_of_the_one_before():
    """A turn that is kept behind another in one file, and said nothing, has no answer."""
    end = {"type": "turn.completed", "usage": {}}
    events = decode(START, TURN, item("agent_message", text="Done"), end, TURN, end)
    assert [(one.how, one.text) for one in of(events, RequestEnded)] == [("answered", "Done"), ("error", "")]

"""What the harness adds to a conversation, and what it notes."""

from __future__ import annotations

import pytest
from claude_lines import assistant, decode, final, init, line, of, only, prompt, result, row, text, use

from monitor.agents.claude.decode import ClaudeDecoder
from monitor.events import Noticed, Prompted, RequestEnded, Said, Tokens, ToolCalled, ToolReturned, Used


def attached(**attachment):
    return row("attachment", attachment=attachment)


@pytest.mark.parametrize(
    ("attachment", "by", "said"),
    [
        ({"type": "hook_blocking_error", "hookEvent": "PostToolUse", "blockingError": {"blockingError": "wrong file"}}, "hook", "wrong file"),
        ({"type": "silent_turn_reminder", "text": "say something"}, "harness", "say something"),
        ({"type": "todo_reminder", "content": [{"type": "text", "text": "two left"}]}, "harness", "two left"),
        ({"type": "task_reminder", "content": []}, "harness", "task_reminder"),
        ({"type": "queued_command", "prompt": [{"type": "text", "text": "and"}, {"type": "text", "text": "this"}]}, "user", "and\nthis"),
        ({"type": "queued_command", "prompt": "a peer", "origin": {"kind": "peer"}}, "harness", "a peer"),
    ],
)  # fmt: skip
def test_attachments_that_tell_the_agent_something(attachment, by, said):
    """A hook's block after a tool, a reminder and a queued message reach the agent while it works."""
    told = of(decode(prompt("go"), attached(**attachment)), Prompted)[1:]
    assert [(event.by, event.text, event.into) for event in told] == [(by, said, "running")]


@pytest.mark.parametrize(
    ("attachment", "kind", "name", "said"),
    [
        ({"type": "hook_blocking_error", "hookEvent": "Stop", "blockingError": {"blockingError": "test it"}}, "hook", "Stop", "test it"),
        ({"type": "hook_error_during_execution", "hookName": "PostToolUse:Write", "content": "bad shape"}, "hook", "PostToolUse:Write", "bad shape"),
        ({"type": "hook_non_blocking_error", "hookName": "Stop", "stderr": "no such file"}, "hook", "Stop", "no such file"),
        ({"type": "hook_system_message", "hookName": "Stop"}, "hook", "Stop", "hook_system_message"),
        ({"type": "edited_text_file", "filename": "/w/a.py"}, "other", "file changed outside", "/w/a.py"),
    ],
)  # fmt: skip
def test_attachments_that_are_only_notices(attachment, kind, name, said):
    """What the agent is not told, or is told in a message of its own, is noticed."""
    notice = only(decode(prompt("go"), attached(**attachment)), Noticed)
    assert (notice.kind, notice.name, notice.text) == (kind, name, said)


def test_context_is_quiet():
    """What the model merely knows is neither told nor noticed, and not unknown."""
    decoder = ClaudeDecoder()
    events = decode(prompt("go"), attached(type="environment"), attached(type="hook_success"), decoder=decoder)
    assert [type(event) for event in of(events, Prompted, Noticed)] == [Prompted]
    assert decoder.unknown_types == {}


def test_a_notification_between_two_calls():
    """A background command's end that reaches the agent while it works ends the command, and is told."""
    told = "<task-notification><task-id>b1</task-id><tool-use-id>t1</tool-use-id><status>completed</status></task-notification>"
    events = decode(
        prompt("go"), assistant(use("t1", "Bash", command="make")), attached(type="queued_command", prompt=told)
    )
    assert (only(events, ToolReturned).call, only(events, ToolReturned).outcome) == ("t1", "ok")
    assert [event.by for event in of(events, Prompted)] == ["user", "harness"]
    running = told.replace("completed", "running")
    assert of(decode(prompt("go"), attached(type="queued_command", prompt=running)), ToolReturned) == []


def test_system_rows():
    """Stop hooks that prevent going on, local commands and smaller compactions are noticed."""
    events = decode(
        prompt("go"),
        assistant(text("Done.")),
        row("system", subtype="stop_hook_summary", preventedContinuation=True, stopReason="enough"),
        row("system", subtype="stop_hook_summary", preventedContinuation=False),
        row("system", subtype="local_command", content="<command-name>/cost</command-name>"),
        row("system", subtype="microcompact_boundary", content="trimmed"),
        row("system", subtype="informational", content="careful", level="warning"),
        row("system", subtype="away_summary", content="…"),
        row("system", subtype="compact_boundary", content="…"),
    )
    assert only(events, RequestEnded).text == "Done."
    assert [(event.kind, event.name, event.text) for event in of(events, Noticed)] == [
        ("hook", "Stop", "enough"),
        ("status", "local_command", "<command-name>/cost</command-name>"),
        ("compaction", "microcompact", "trimmed"),
        ("status", "informational", "careful"),
        ("compaction", "", "the conversation was compacted"),
    ]


def test_tools_of_the_server_and_thinking_that_is_hidden():
    """A server's tool is a call with its result in the same message; redacted thinking shows nothing, and is known."""
    decoder = ClaudeDecoder()
    events = decode(
        assistant(
            {"type": "redacted_thinking", "data": "AAAA"},
            {"type": "server_tool_use", "id": "s1", "name": "WebSearch", "input": {"query": "x"}},
            {"type": "web_search_tool_result", "tool_use_id": "s1", "content": [{"type": "web_search_result"}]},
            text("Found."),
            stop="end_turn",
        ),
        decoder=decoder,
    )
    assert (only(events, ToolCalled).call, only(events, ToolReturned).call) == ("s1", "s1")
    assert only(events, ToolReturned).output == "[web_search_result]"
    assert (only(events, Said).part, decoder.unknown_types) == (3, {})


def test_a_result_and_words_in_one_record():
    """An interruption that stands beside the result it caused is still no prompt; other words are told."""
    both = result("t1", "x")
    both["message"]["content"] += [text("[Request interrupted by user for tool use]"), {"type": "smoke"}]
    events = decode(prompt("go"), assistant(use("t1", "Bash", command="ls")), both)
    assert only(events, RequestEnded).how == "interrupted"
    assert [event.text for event in of(events, Prompted)] == ["go", "[smoke]"]


def test_counts_that_cannot_be():
    """Negative or absurd token counts are not taken."""
    usage = {"input_tokens": -5, "output_tokens": 7}
    assert [event.tokens for event in of(decode(assistant(text("a"), usage=usage)), Used)] == []
    assert only(decode(assistant(text("a"))), Used).tokens == Tokens(5, 7)


def test_an_older_error_that_calls_itself_a_success():
    """Without a terminal reason `is_error` makes an error of a result."""
    events = decode(init(), final(None, "Something broke", error=True))
    assert (only(events, RequestEnded).how, only(events, RequestEnded).text) == ("error", "Something broke")


def test_results_read_back_without_their_calls():
    """The exit code and the end of a sub-agent show in their own record alone, as when a row is looked at."""
    failed = decode(result("t1", "Exit code 7\ncurl", error=True))
    assert (only(failed, ToolReturned).exit, only(failed, ToolReturned).failure) == (7, "")
    fine = decode(result("t1", "ok", error=False, report={"stdout": "ok", "interrupted": False}))
    assert only(fine, ToolReturned).exit == 0
    ended = decode(
        line("system", subtype="task_notification", task_id="a1b2c3d", status="completed", summary="found it")
    )
    assert [event.reason for event in ended if type(event).__name__ == "RunEnded"] == ["found it"]

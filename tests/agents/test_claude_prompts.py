"""Who tells the agent what, in a transcript."""

from __future__ import annotations

import pytest
from claude_lines import assistant, decode, of, only, prompt, row, text, use

from monitor.events import (
    Noticed,
    Prompted,
    ReplyEnded,
    RequestEnded,
    Waiting,
)


def test_who_tells_the_agent():
    """Prompts of a person, of hooks and of the harness are told apart."""
    reminder = "<system-reminder>\nTools: Bash\n</system-reminder>"
    behind = only(decode(prompt(f"{reminder}\n{reminder}\nfix the header")), Prompted)
    assert (behind.by, only(decode(prompt(f"{reminder}\n{reminder}")), Prompted).by) == ("user", "harness")
    events = decode(
        prompt("do it", origin={"kind": "human"}, promptSource="typed"),
        assistant(text("Done."), stop="end_turn"),
        prompt("Stop hook feedback:\nrun the tests", isMeta=True, rowSource="hook"),
        prompt("Stop hook feedback:\nin an older version", isMeta=True),
        prompt(reminder, isMeta=True),
        prompt("<cross-session-message from='x'>hi</cross-session-message>"),
        prompt("a peer", origin={"kind": "peer"}),
        prompt("Base directory for this skill: /x", isMeta=True),
    )
    told = of(events, Prompted)
    assert [event.by for event in told] == ["user", "hook", "hook", "harness", "harness", "harness", "harness"]
    assert told[1].text == "Stop hook feedback:\nrun the tests"


def test_many_reminders_before_a_prompt():
    """However many reminders stand before or around what a person asks, it is told at once, and as the person's."""
    reminder = "<system-reminder>\nTools: Bash\n</system-reminder>\n"
    for said in (f"{reminder * 500}fix the header", f"{reminder}fix the header\n{reminder}", "<system-reminder>" * 500):
        assert only(decode(prompt(said)), Prompted).by == "user"
    assert only(decode(prompt(reminder * 500)), Prompted).by == "harness"


def test_a_refused_stop_leaves_the_claim_before_it():
    """The answer that a stop hook refused was a claim, and so is the one after it."""
    events = decode(
        prompt("go"), assistant(text("Done."), stop="end_turn"), prompt("Stop hook feedback:\nno", isMeta=True),
        assistant(text("Now it is."), mid="m2", stop="end_turn"),
    )  # fmt: skip
    assert [event.text for event in of(events, RequestEnded)] == ["Done.", "Now it is."]


def test_messages_into_a_running_turn():
    """What a person sends while the agent works joins its request; a hook's words before any prompt are a notice."""
    context = {"type": "hook_additional_context", "content": ["use port 9"], "hookEvent": "SessionStart"}
    events = decode(
        row("attachment", attachment=context),
        prompt("go"),
        row("attachment", attachment={"type": "queued_command", "prompt": "and hurry", "origin": {"kind": "human"}}),
        row("attachment", attachment=context | {"hookEvent": "PostToolUse"}),
    )
    assert (only(events, Noticed).kind, only(events, Noticed).text) == ("hook", "use port 9")
    assert [(event.text, event.by, event.into) for event in of(events, Prompted)] == [
        ("go", "user", "new"), ("and hurry", "user", "running"), ("use port 9", "hook", "running"),
    ]  # fmt: skip


@pytest.mark.parametrize("said", ["[Request interrupted by user]", "[Request interrupted by user for tool use]"])
def test_an_interruption_is_no_prompt(said):
    """The mark of an interruption ends the request, and what was said so far is no claim."""
    events = decode(prompt("go"), assistant(text("Let me")), row("user", message={"content": [text(said)]}))
    assert [event.text for event in of(events, Prompted)] == ["go"]
    assert only(events, RequestEnded).how == "interrupted"
    assert only(events, ReplyEnded).stop == "stopped"


def test_slash_commands():
    """A command for the model is a prompt; one that Claude Code carries out itself, and its output, is a notice."""
    command = "<command-message>init is running</command-message>\n<command-name>/init</command-name>"
    events = decode(
        prompt(command + "\n<command-args>fast</command-args>"),
        prompt("<command-name>/model</command-name><command-args>opus</command-args>"),
        prompt("<local-command-stdout>Set model to opus</local-command-stdout>"),
        prompt("<bash-input>git status</bash-input>"),
    )
    assert [event.text for event in of(events, Prompted)] == ["/init fast"]
    assert [(event.name, event.text) for event in of(events, Noticed)] == [
        ("command", "/model opus"), ("local-command-stdout", "Set model to opus"), ("bash-input", "git status"),
    ]  # fmt: skip


def test_compaction_is_noticed_and_its_summary_prompts_nothing():
    """The boundary says how much was dropped; the summary the model wrote is not a person's prompt."""
    metadata = {"trigger": "auto", "preTokens": 23010, "postTokens": 1873}
    events = decode(
        row("system", subtype="compact_boundary", content="Conversation compacted", compactMetadata=metadata),
        prompt("This session is being continued …", isCompactSummary=True, isVisibleInTranscriptOnly=True),
    )
    boundary, summary = of(events, Noticed)
    assert (boundary.kind, boundary.name, boundary.text) == ("compaction", "auto", "from 23,010 tokens to 1,873")
    assert (summary.kind, summary.name) == ("compaction", "summary")
    assert of(events, Prompted) == []


def test_retries_of_the_api_are_noticed():
    """A retry says which attempt it is, and why."""
    events = decode(row("system", subtype="api_error", retryAttempt=2, maxRetries=10, error={"status": 529}),
                    row("system", subtype="api_error", retryAttempt=3, maxRetries=10, error="overloaded"))  # fmt: skip
    assert [event.text for event in of(events, Noticed)] == ["attempt 2 of 10", "attempt 3 of 10: overloaded"]


def test_a_hook_that_stops_the_run():
    """A hook's `continue: false` ends the request like a limit; after an answer it takes nothing back."""
    stopped = {"type": "hook_stopped_continuation", "message": "enough", "hookName": "PostToolUse:Read"}
    events = decode(prompt("go"), row("attachment", attachment=stopped))
    assert (only(events, RequestEnded).how, only(events, RequestEnded).text) == ("limit", "enough")
    events = decode(prompt("go"), assistant(text("Done."), stop="end_turn"), row("attachment", attachment=stopped))
    assert [event.how for event in of(events, RequestEnded)] == ["answered"]


def test_questions_wait_for_a_person():
    """A question or a plan waits for its answer."""
    ask = use("t1", "AskUserQuestion", questions=[{"question": "Which port?"}])
    events = decode(prompt("go"), assistant(ask), assistant(use("t2", "ExitPlanMode", plan="x"), mid="m2"))
    assert [(event.on, event.about, event.call) for event in of(events, Waiting)] == [
        ("user", "Which port?", "t1"), ("approval", "whether its plan may be carried out", "t2"),
    ]  # fmt: skip

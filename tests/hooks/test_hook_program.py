"""The hook program, run as an agent runs it."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hook_calls import SESSION, WORDS, event, run, told
from waiting import until

from monitor.actions import Action
from monitor.hooks import program
from monitor.hooks.mailbox import Mailbox
from monitor.hooks.places import mail


def test_it_needs_the_standard_library_alone():
    """It imports three modules when it starts, and no other than Python's own ever."""
    tree = ast.parse(Path(program.__file__).read_text(encoding="utf-8"))
    every = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    first = {alias.name for node in tree.body if isinstance(node, ast.Import) for alias in node.names}
    assert first == {"os", "sys", "time"}
    assert every <= set(sys.stdlib_module_names)


@pytest.mark.parametrize(
    "data", [event("PreToolUse"), b"", b"no JSON", b'{"session_id": 7}', b"\xff\x00", b"[" * 99_999]
)
def test_silent_where_nothing_waits(data):
    """Whatever comes in, with no box there is nothing to say."""
    mail("claude")
    assert told(data) is None


@pytest.mark.parametrize(
    "name", ["PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "UserPromptSubmit", "SessionStart"]
)
def test_words_come_as_context(box, name):
    """Words are handed over once, at the next event, as that event's context."""
    box.leave("words", WORDS, "one")
    box.leave("words", Action("w2", "warn", "two"), "two")
    assert told(event(name)) == {"hookSpecificOutput": {"hookEventName": name, "additionalContext": "one\n\ntwo"}}
    assert told(event(name)) is None
    assert [(one.action.id, one.event) for one in box.letters()] == [("w1", name), ("w2", name)]


def test_no_more_words_than_are_passed_on(box):
    """What has no room at one boundary waits for the next, in order; a single long letter goes whole."""
    for number in range(3):
        box.leave("words", Action(f"w{number}", "feedback", ""), str(number) * 5_000)
    seen = [told(event("PostToolUse"))["hookSpecificOutput"]["additionalContext"] for _ in range(3)]
    assert [one[0] for one in seen] == ["0", "1", "2"]


def test_another_session_takes_nothing(box):
    """A letter is for its session, also where another's event names that one in a call."""
    box.leave("words", WORDS, "text")
    other = json.dumps(
        {"session_id": "another", "hook_event_name": "PreToolUse", "tool_input": {"session_id": SESSION}}
    )
    assert told(other.encode()) is None
    assert [one.event for one in box.letters()] == [""]


def test_a_sub_agent_takes_no_words(box):
    """Words are for the root session."""
    box.leave("words", WORDS, "text")
    assert told(event("PreToolUse", agent_id="a1")) is None
    assert told(event("PreToolUse")) is not None


def test_an_end_before_a_call_denies_it_too(box):
    """`continue` alone would let the call be made; what else the batch begins is ended as well, a new prompt is not."""
    box.leave("end", Action("e", "abort", "x"), "Ended.")
    first = told(event("PreToolUse"))
    assert (first["continue"], first["stopReason"]) == (False, "Ended.")
    assert first["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert told(event("PreToolUse")) == first
    assert told(event("UserPromptSubmit")) is None
    assert told(event("PreToolUse")) is None


def test_an_end_waits_for_a_boundary_that_ends(box):
    """A failed call's hook cannot end a run, so the end is left for the batch's; a sub-agent leaves it to the root."""
    box.leave("end", Action("e", "abort", "x"), "Ended.")
    assert told(event("PostToolUseFailure")) is None
    assert told(event("PreToolUse", agent_id="a1"))["continue"] is False
    assert [one.event for one in box.letters()] == [""]
    assert told(event("PostToolBatch")) == {"continue": False, "stopReason": "Ended."}


@pytest.mark.parametrize("name", ["Stop", "UserPromptSubmit"])
def test_an_end_that_comes_too_late_lapses(box, name):
    """A run that has stopped, or a new one, is not ended by what was meant for the old."""
    box.leave("end", Action("e", "abort", "x"), "Ended.")
    assert told(event(name)) is None
    assert told(event("PreToolUse")) is None
    assert [one.event for one in box.letters()] in ([name], [])


def test_one_call_is_denied(box):
    """A denial is for the call it names, else for the next; it is used up by it."""
    box.leave("deny", Action("d", "deny", "x"), "No.", call="toolu_2")
    assert told(event("PreToolUse", tool_use_id="toolu_1")) is None
    assert told(event("PostToolUse", tool_use_id="toolu_2")) is None
    decided = told(event("PreToolUse", tool_use_id="toolu_2"))["hookSpecificOutput"]
    assert (decided["permissionDecision"], decided["permissionDecisionReason"]) == ("deny", "No.")
    assert told(event("PreToolUse", tool_use_id="toolu_2")) is None


def test_old_letters_are_not_handed_over(box):
    """What lay for an hour is put aside, and told as expired."""
    name = box.leave("words", WORDS, "text")
    os.utime(mail("claude") / SESSION / name, (0, 0))
    assert told(event("PreToolUse")) is None
    assert [one.event for one in box.letters()] == ["expired"]


def test_words_at_a_stop_keep_the_agent_going(box):
    """Words that no boundary took are the reason to go on, once: an agent that was kept from stopping may stop."""
    box.leave("words", WORDS, "text")
    assert told(event("Stop", stop_hook_active=True)) is None
    assert told(event("Stop", stop_hook_active=False)) == {"decision": "block", "reason": "text"}


def test_a_letter_is_taken_by_one(box):
    """Of hooks that run at the same time, each letter is handed over by one."""
    for number in range(20):
        box.leave("words", Action(f"w{number:02}", "feedback", ""), f"<{number:02}>")
    running = [
        subprocess.Popen(
            [sys.executable, "-I", "-S", program.__file__, str(mail("claude"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for _ in range(4)
    ]
    said = "".join(one.communicate(event("PostToolUse"))[0].decode() for one in running)
    assert sorted(said.count(f"<{number:02}>") for number in range(20)) == [1] * 20


def test_a_stop_is_refused_by_the_monitor_that_answers(box):
    """Armed, the hook asks with the agent's last words, and blocks with the reason it is given; with none it lets it be."""
    box.arm({"wait": 8.0, "again": False})
    said = []

    def answer(reason):
        until(box.asked)
        ask = box.asked()[0]
        said.append(ask.said)
        box.answer(ask.token, reason)

    for reason, expected in (("Not yet.", {"decision": "block", "reason": "Not yet."}), ("", None)):
        answering = threading.Thread(target=answer, args=(reason,))
        answering.start()
        assert told(event("Stop", last_assistant_message="Done.", stop_hook_active=False)) == expected
        answering.join()
    assert said == ["Done.", "Done."]
    assert told(event("PreToolUse")) is None
    assert told(event("Stop", stop_hook_active=True)) is None


def lcode(name):
    return json.dumps({"event": name, "tool": "bash", "arguments": {}, "path": "", "cwd": "/p"}).encode()


def test_lcode_is_reached_by_its_process():
    """Its hooks name no session: the shell that it starts names it; another process takes nothing."""
    ours, other = Mailbox("lcode", str(os.getpid())), Mailbox("lcode", "1")
    try:
        other.leave("words", WORDS, "For another.")
        ours.leave("words", WORDS, "Only the title.")
        ours.leave("deny", Action("d", "deny", "No."), "No.")
        done = run(lcode("before_tool"), "lcode")
        assert (done.returncode, done.stdout) == (2, b"No.")
        done = run(lcode("after_tool"), "lcode")
        assert (done.returncode, done.stdout) == (1, b"Only the title.")
        assert (run(lcode("after_tool"), "lcode").returncode, run(lcode("session_start"), "lcode").returncode) == (0, 0)
        assert [one.event for one in other.letters()] == [""]
    finally:
        ours.close()
        other.close()


def test_a_box_is_swept_once_nobody_holds_it():
    """After a week without a letter it goes, but not while a monitor watches its session."""
    held, left = Mailbox("claude", "held"), mail("claude") / "left"
    left.mkdir()
    for one in (mail("claude") / "held", left):
        os.utime(one, (0, 0))
    Mailbox("claude", SESSION).close()
    assert not left.exists()
    assert held.leave("words", Action("1", "feedback", "x"), "Still here.")
    held.close()


def test_a_session_that_is_spoken_of_is_not_met():
    """That another session's name stands in what this one does is no sign that the other lives."""
    ours, other = Mailbox("claude", SESSION), Mailbox("claude", f"{SESSION}-other")
    assert told(event("PreToolUse", tool_input={"command": f"cat {SESSION}-other.jsonl"})) is None
    assert ours.met() is not None
    assert other.met() is None
    for box in (ours, other):
        box.close()

"""What OpenCode tells, event by event."""

from __future__ import annotations

import json

import opencode_logs as logs
import pytest
from opencode_logs import CHILD, CWD, FILE, OTHER, Talk, of, scenario, sse

from monitor.agents.opencode.decode import OpenCodeDecoder
from monitor.events import (
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
    Unreadable,
    Used,
    Waiting,
)


@pytest.fixture
def talk():
    """A session that has begun."""
    made = Talk()
    made.created()
    return made


def told(talk, *more):
    return logs.decode(*sse(*talk.events), *more)


def only(talk, *more):
    """The one result there is."""
    (result,) = of(told(talk, *more), ToolReturned)
    return result


def test_a_run_in_all_its_shapes():
    """A failed edit, a refused connection, the edit again, a good one, and Done: the same from every source."""
    talk = Talk()
    scenario(talk)
    shapes = [
        logs.decode(*sse(*talk.events)),
        logs.decode(*talk.events),
        logs.decode(*sse(*logs.everywhere(talk.events))),
    ]
    shapes.append(logs.decode(*logs.rows(talk.events)))
    for events in shapes:
        found = of(events, ToolReturned)
        assert [one.outcome for one in found] == ["failed", "failed", "failed", "ok"]
        assert [one.failure for one in found] == ["not_found", "", "not_found", ""]
        assert found[1].exit == 7
        assert [one.text for one in of(events, Prompted)] == ["Change the greeting"]
        assert [(one.how, one.text) for one in of(events, RequestEnded)] == [("answered", "Done")]
        assert [one.stop for one in of(events, ReplyEnded)] == ["tools"] * 4 + ["end"]
        assert len({one.call for one in of(events, ToolCalled)}) == 4


def test_an_edit_names_its_file_and_texts(talk):
    """The change, the file the tool resolved, and the lines it counted."""
    diff = {"file": FILE, "additions": 2, "deletions": 1}
    talk.edit(talk.reply(talk.asked()), "a", "b", status="completed", output="ok", metadata={"filediff": diff})
    events = told(talk)
    call = of(events, ToolCalled)[-1]
    assert (call.changes[0].file, call.changes[0].op, call.changes[0].old, call.changes[0].new) == (
        FILE,
        "edit",
        "a",
        "b",
    )
    (file,) = of(events, ToolReturned)[0].files
    assert (file.file, file.outcome, file.added, file.removed) == (FILE, "ok", 2, 1)


@pytest.mark.parametrize(
    ("words", "outcome", "failure"),
    [
        (logs.MISSED, "failed", "not_found"),
        ("No changes to apply: oldString and newString are identical.", "failed", "identical"),
        ("Found multiple matches for oldString. Provide more surrounding context to make the match unique.", "failed", "ambiguous"),
        ("oldString cannot be empty when editing an existing file. Provide the exact text", "failed", "exists"),
        (f"File {FILE} not found", "failed", "io"),
        (f"Path is a directory, not a file: {CWD}", "failed", "io"),
        (f"You must read file {FILE} before overwriting it. Use the Read tool first", "failed", "unread"),
        (f"File {FILE} has been modified since it was last read.", "failed", "stale"),
        ("The edit tool was called with invalid arguments: SchemaError(Missing key).", "failed", "arguments"),
        ("Refusing replacement because the matched span is much larger than oldString.", "failed", "ambiguous"),
        ("a plug-in threw this", "failed", "other"),
        ("The user has specified a rule which prevents you from using this specific tool call.", "refused", "other"),
        ("The user rejected permission to use this specific tool call.", "denied", ""),
        ("The user rejected permission to use this specific tool call with the following feedback: no", "corrected", ""),
        ("Tool execution aborted", "cancelled", ""),
    ],
)  # fmt: skip
def test_why_an_edit_failed(talk, words, outcome, failure):
    """Each of OpenCode's sentences has its meaning."""
    talk.edit(talk.reply(talk.asked()), status="error", error=words)
    result = only(talk)
    assert (result.outcome, result.failure, result.output) == (outcome, failure, words)
    assert [(one.file, one.outcome) for one in result.files] == [(FILE, outcome)]


def test_without_a_person_a_rejection_is_a_refusal():
    """`opencode run` rejects by itself what it would have to ask: nobody denied it, and the run stops there."""
    talk = Talk()
    talk.created(permission=[{"permission": "question", "pattern": "*", "action": "deny"}])
    message = talk.reply(talk.asked())
    talk.edit(message, status="error", error="The user rejected permission to use this specific tool call.")
    talk.ended(message, "tool-calls")
    talk.idle()
    events = told(talk)
    assert of(events, ToolReturned)[0].outcome == "refused"
    assert [(one.how, one.text) for one in of(events, RequestEnded)] == [
        ("interrupted", "it stopped when the call was refused")
    ]


@pytest.mark.parametrize(
    ("code", "tail", "outcome"),
    [
        (0, "", "ok"),
        (7, "", "failed"),
        (None, "\n\n<shell_metadata>\nUser aborted the command\n</shell_metadata>", "cancelled"),
        (
            None,
            "\n<shell_metadata>\nshell tool terminated command after exceeding timeout 5 ms.\n</shell_metadata>",
            "timed_out",
        ),
        (0, "\nUser aborted the command\n", "ok"),
    ],
)
def test_a_command_is_judged_by_its_exit(talk, code, tail, outcome):
    """Every command that came to its end is `completed`; its exit code and its last lines tell the rest."""
    talk.bash(talk.reply(talk.asked()), "make", code, f"text{tail}")
    result = only(talk)
    assert (result.outcome, result.exit) == (outcome, code)


def test_a_tool_that_is_not_offered_was_not_executed(talk):
    """It comes back as `invalid` and `completed`; the call keeps its name, and the file it named in words."""
    words = 'Invalid input for tool write: Value: {"filePath":"/home/dev/app/a.txt","content":1}.'
    talk.tool(
        talk.reply(talk.asked()),
        "invalid",
        {"tool": "write", "error": words},
        status="completed",
        output="The arguments",
    )
    events = told(talk)
    call = of(events, ToolCalled)[-1]
    assert (call.tool, call.kind, call.changes[0].file) == ("write", "write", "/home/dev/app/a.txt")
    (result,) = of(events, ToolReturned)
    assert (result.outcome, result.failure) == ("not_executed", "arguments")


@pytest.mark.parametrize(
    ("tool", "given", "kind", "changes"),
    [
        ("write", {"filePath": FILE, "content": "x"}, "write", [(FILE, "write", None, "x")]),
        ("edit", {"filePath": FILE, "oldString": "", "newString": "x"}, "write", [(FILE, "create", None, "x")]),
        (
            "multiedit", {"filePath": FILE, "edits": [{"oldString": "a", "newString": "b"}, {"oldString": "c", "newString": "d"}]},
            "write", [(FILE, "edit", "a", "b"), (FILE, "edit", "c", "d")],
        ),
        (
            "apply_patch", {"patchText": "*** Begin Patch\n*** Update File: a.py\n@@\n-a\n+b\n*** Add File: c.py\n+x\n*** End Patch"},
            "write", [("a.py", "edit", "a", "b"), ("c.py", "create", None, "x")],
        ),
        ("apply_patch", {"patchText": "nonsense"}, "write", [("", "edit", None, None)]),
        ("webfetch", {"url": "https://example.com"}, "fetch", []),
        ("task", {"description": "d", "prompt": "p", "subagent_type": "general"}, "delegate", []),
        ("grep", {"pattern": "x"}, "search", []),
        ("todowrite", {"todos": []}, "plan", []),
        ("my_mcp_tool", {"a": 1}, "other", []),
    ],
)  # fmt: skip
def test_what_a_call_asks_for(talk, tool, given, kind, changes):
    """Each tool by its name, with the changes it would make."""
    talk.tool(talk.reply(talk.asked()), tool, given)
    call = of(told(talk), ToolCalled)[-1]
    assert (call.kind, [(one.file, one.op, one.old, one.new) for one in call.changes]) == (kind, changes)
    assert json.loads(call.arguments) == given


def test_a_patch_over_several_files_names_the_one_that_failed(talk):
    """All are as they were, and one is the cause."""
    patch = "*** Begin Patch\n*** Update File: a.py\n@@\n-a\n+b\n*** Update File: b.py\n@@\n-a\n+b\n*** End Patch"
    words = f"apply_patch verification failed: Error: Failed to find expected lines in {CWD}/b.py:\na"
    talk.tool(talk.reply(talk.asked()), "apply_patch", {"patchText": patch}, status="error", error=words)
    result = only(talk)
    assert [(one.file, one.failure, one.cause) for one in result.files] == [
        ("a.py", "not_found", False), ("b.py", "not_found", True),
    ]  # fmt: skip


def test_a_part_told_again_replaces_what_was_told(talk):
    """Pieces stream; the whole that closes them stands for them all, and a call is told again only with news."""
    message = talk.reply(talk.asked())
    talk.spoken(message, "I think so.", "reasoning", ("I think", " so."))
    name = talk.edit(message)
    talk.part("tool", message, name, tool="edit", callID="call_0", state=_running())
    events = told(talk)
    assert [(one.text, one.delta) for one in of(events, Thought)] == [
        ("I think", True),
        (" so.", True),
        ("I think so.", False),
    ]
    assert len({(one.message, one.part) for one in of(events, Thought)}) == 1
    assert [one.partial for one in of(events, ToolCalled)] == [True, False]


def _running():
    given = {"filePath": FILE, "oldString": "old", "newString": "new"}
    return {"status": "running", "input": given, "metadata": {"output": "more"}, "time": {"start": logs.BEGUN}}


def test_a_late_listener_waits_for_the_whole():
    """Pieces of a part whose beginning was missed are of unknown kind; the whole tells."""
    talk = Talk()
    talk.created()
    message = talk.reply(talk.asked())
    talk.spoken(message, "whole", "reasoning", ("piece",))
    late = [
        one
        for one in talk.events
        if one["type"] != "message.part.updated" or "end" in one["properties"]["part"].get("time", {})
    ]
    connected = {"id": logs.ident("evt", 0), "type": "server.connected", "properties": {}}
    assert [one.text for one in of(logs.decode(*sse(connected, *late)), Thought, Said)] == ["whole"]


def test_an_abort_ends_the_request_after_what_it_left(talk):
    """The session is idle at once; the results that follow belong to the request all the same."""
    message = talk.reply(talk.asked())
    name = talk.edit(message)
    error = {"name": "MessageAbortedError", "data": {"message": "Aborted"}}
    talk.tell("session.error", error=error)
    talk.idle()
    talk.part(
        "tool",
        message,
        name,
        tool="edit",
        state={"status": "error", "input": {"filePath": FILE}, "error": "Tool execution aborted"},
    )
    talk.ended(message, "", error=error)
    talk.idle()
    kinds = [type(one) for one in told(talk) if isinstance(one, (ToolReturned, ReplyEnded, RequestEnded))]
    assert kinds == [ToolReturned, ReplyEnded, RequestEnded]
    (ended,) = of(told(talk), RequestEnded)
    assert (ended.how, ended.text) == ("interrupted", "aborted")


def test_an_end_that_is_not_followed_by_its_reply_is_told_at_the_next_heartbeat(talk):
    """What was promised and never came does not keep a run at work."""
    talk.reply(talk.asked())
    talk.idle()
    beat = {"id": logs.ident("evt", 9_000), "type": "server.heartbeat", "properties": {}}
    assert of(logs.decode(*sse(*talk.events, beat)), RequestEnded)[0].how == "interrupted"
    assert len(of(told(talk), RequestEnded)) == 1


def test_words_into_a_running_request_begin_no_other(talk):
    """The loop goes on with them, and ends once."""
    first = talk.asked("one")
    message = talk.reply(first)
    second = talk.asked("two")
    talk.spoken(message, "done")
    talk.ended(message, "stop", first)
    last = talk.reply(second)
    talk.spoken(last, "done too")
    talk.ended(last, "stop", second)
    for events in (told(talk), logs.decode(*logs.rows(talk.events))):
        assert [(one.text, one.into) for one in of(events, Prompted)] == [("one", "new"), ("two", "running")]
    talk.idle()
    for events in (told(talk), logs.decode(*logs.rows(talk.events))):
        assert [one.text for one in of(events, RequestEnded)] == ["done too"]


def test_errors_retries_and_limits(talk):
    """A model that cannot be reached is asked again; an error ends the request."""
    talk.reply(talk.asked())
    talk.tell("session.status", status={"type": "retry", "attempt": 1, "message": "fake 500"})
    talk.tell("session.status", status={"type": "retry", "attempt": 2, "message": "HTTP 429"})
    talk.tell("session.error", error={"name": "APIError", "data": {"message": "gone"}})
    talk.idle()
    talk.idle()
    events = told(talk)
    assert [one.kind for one in of(events, Noticed)] == ["retry", "rate_limit"]
    assert [(one.how, one.text) for one in of(events, RequestEnded)] == [("error", "gone")]


def test_a_question_waits_until_it_is_answered(talk):
    """It names the call, whatever the model called it."""
    message = talk.reply(talk.asked())
    name = talk.tool(message, "bash", {"command": "rm -rf build"})
    asked = {"id": "per_1", "permission": "bash", "patterns": ["rm -rf build"], "metadata": {"command": "rm -rf build"}}
    talk.tell("permission.asked", **asked, tool={"messageID": message, "callID": "call_0"})
    talk.tell("permission.replied", requestID="per_1", reply="once")
    first, second = of(told(talk), Waiting)
    assert (first.on, first.about, first.call, first.over) == ("approval", "bash rm -rf build", name, False)
    assert (second.call, second.over) == (name, True)


def test_a_sub_agent_is_an_actor_of_its_own(talk):
    """Its session names its parent, the call names it; it ends before the call returns."""
    message = talk.reply(talk.asked())
    child = Talk(CHILD)
    child.clock = talk.clock + 5_000
    child.created(parentID=logs.SESSION)
    state = {"status": "running", "input": {"prompt": "look"}, "metadata": {"sessionId": CHILD}}
    name = talk.part("tool", message, tool="task", callID="call_0", state=state)
    prompt = child.asked("look")
    reply = child.reply(prompt)
    child.spoken(reply, "found")
    child.ended(reply, "stop", prompt)
    child.idle()
    events = logs.decode(*sse(*talk.events, *child.events))
    started = [one for one in of(events, RunStarted) if one.actor == CHILD]
    assert {one.parent_call for one in started if one.parent is not None} >= {name}
    assert {one.parent for one in started if one.parent is not None} == {""}
    assert [(one.actor, one.status) for one in of(events, RunEnded)] == [(CHILD, "completed")]
    assert [one.actor for one in of(events, RequestEnded)] == [CHILD]


def test_other_sessions_of_the_server_are_left_out(talk):
    """They are another run's; that there are any is said once."""
    stranger = Talk(OTHER)
    stranger.clock = 5_000
    stranger.created()
    stranger.asked("something else")
    talk.asked("mine")
    events = logs.decode(*sse(talk.events[0], *stranger.events, *talk.events[1:]))
    assert [one.text for one in of(events, Prompted)] == ["mine"]
    assert [one.name for one in of(events, Noticed)] == ["other sessions"]
    named = logs.decode(*sse(talk.events[0], *stranger.events, *talk.events[1:]), root=OTHER)
    assert [one.text for one in of(named, Prompted)] == ["something else"]


def test_missing_events_are_seen_by_their_numbers(talk):
    """What lasts is numbered: a hole is told, and what is told twice is not told again."""
    talk.asked()
    told_twice = logs.everywhere(talk.events)
    whole = logs.decode(*sse(*told_twice, *told_twice))
    assert not of(whole, SourceChanged)
    assert len(of(whole, Prompted)) == 1
    (gap,) = of(logs.decode(*sse(*told_twice[:2], *told_twice[4:])), SourceChanged)
    assert (gap.what, gap.text) == ("gap", "1 events of the session are missing here")


def test_what_a_step_consumed(talk):
    """Tokens and cost of each step, and the context it used."""
    message = talk.reply(talk.asked())
    tokens = {"total": 130, "input": 100, "output": 20, "reasoning": 5, "cache": {"read": 4, "write": 1}}
    talk.part("step-finish", message, reason="stop", tokens=tokens, cost=0.25)
    (used,) = of(told(talk), Used)
    assert (used.tokens.input, used.tokens.cache_write, used.cost, used.context_used) == (100, 1, 0.25, 130)


def test_summing_up_is_no_answer(talk):
    """OpenCode's own summary of the conversation ends nothing."""
    message = talk.reply(talk.asked(), summary=True)
    talk.spoken(message, "what happened so far")
    talk.ended(message, "stop", summary=True)
    talk.tell("session.compacted")
    events = logs.decode(*logs.rows(talk.events))
    assert not of(events, RequestEnded)
    assert [one.kind for one in of(told(talk), Noticed)] == ["compaction"]


def test_words_that_a_person_did_not_say(talk):
    """What OpenCode adds to a prompt by itself is no prompt."""
    message = talk.asked()
    talk.part("text", message, text="Called the Read tool", synthetic=True)
    assert len(of(told(talk), Prompted)) == 1


def test_an_export_is_told_in_the_order_of_time():
    """A prompt that came while a reply was written stands behind it in the export, and was said before its end."""
    times = [{"created": logs.BEGUN}, {"created": logs.BEGUN + 10, "completed": logs.BEGUN + 90}, {"created": logs.BEGUN + 50},
             {"created": logs.BEGUN + 100, "completed": logs.BEGUN + 200}]  # fmt: skip
    ids = [logs.ident("msg", number) for number in (0, 10, 50, 100)]

    def message(number, role, words, **more):
        told = {"id": ids[number], "role": role, "sessionID": logs.SESSION, "time": times[number], **more}
        part = {"type": "text", "text": words, "id": f"prt_{number}", "messageID": ids[number]}
        return {
            "info": told,
            "parts": [part | ({"time": {"start": times[number]["created"]}} if role == "assistant" else {})],
        }

    export = {
        "info": {"id": logs.SESSION, "version": "1", "directory": CWD, "time": {"created": logs.BEGUN, "updated": logs.BEGUN}},
        "messages": [
            message(0, "user", "one"), message(1, "assistant", "first", finish="stop", parentID=ids[0]),
            message(2, "user", "two"), message(3, "assistant", "second", finish="stop", parentID=ids[2]),
        ],
    }  # fmt: skip
    events = logs.decode(export, source=logs.DOCUMENT)
    assert [(one.text, one.into) for one in of(events, Prompted)] == [("one", "new"), ("two", "running")]
    assert [one.text for one in of(events, RequestEnded)] == ["second"]
    assert [one.place.line for one in of(events, Prompted)] == [0, 2]
    again = OpenCodeDecoder()
    (record,) = logs.records([export], logs.DOCUMENT)
    again.feed(record)
    assert again.feed(record) == []


def test_what_cannot_be_read_is_said():
    """A line that is no event is unreadable; a comment, a field of the stream and an empty line hold nothing."""
    events = logs.decode(b"data: {broken", b": heartbeat", b"event: x", b"", b"[1]", b'{"a": 1}')
    assert [type(one) for one in events] == [Unreadable] * 3


def test_an_event_nobody_knows_is_counted(talk):
    """By its type; it is read to nothing."""
    decoder = OpenCodeDecoder()
    talk.tell("session.invented")
    for record in logs.records(sse(*talk.events)):
        decoder.feed(record)
    assert decoder.unknown_types == {"session.invented": 1}


def test_what_comes_late_does_not_reopen_a_request(talk):
    """What a session holds is asked for when the link is made; events that were under way then say the same again."""
    prompt = talk.asked()
    message = talk.reply(prompt)
    name = talk.spoken(message, "Done", pieces=("Done",))
    talk.ended(message, "stop", prompt)
    late = [one for one in talk.events if one["type"] == "message.part.delta"]
    kept = [row | {"id": ""} for row in logs.rows(talk.events)]
    events = logs.decode(*kept, *sse(*late))
    assert name
    assert isinstance(events[-1], RequestEnded)
    assert len(of(events, RequestEnded)) == 1


def test_a_link_that_is_made_ends_nothing(talk):
    """A reply was open when it was asked for, and over when its session was said to rest: its end is under way."""
    prompt = talk.asked()
    message = talk.reply(prompt)
    asked = [row | {"id": ""} for row in logs.rows(talk.events)]
    talk.events.clear()
    talk.tell("session.status", status={"type": "idle"})
    talk.events.append({"id": "evt_x", "type": "server.connected", "properties": {}})
    talk.spoken(message, "Done")
    talk.ended(message, "stop", prompt)
    assert [(one.how, one.text) for one in of(logs.decode(*asked, *sse(*talk.events)), RequestEnded)] == [
        ("answered", "Done")
    ]

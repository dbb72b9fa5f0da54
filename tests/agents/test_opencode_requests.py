"""How OpenCode's requests begin, wait and end."""

from __future__ import annotations

import json

import msgspec
import opencode_logs as logs
import pytest
from opencode_logs import FILE, of, sse, told

from monitor.events import Noticed, Place, Prompted, ReplyEnded, RequestEnded, ToolReturned, Used, Waiting


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


@pytest.mark.parametrize("told_as", [lambda events: sse(*events), logs.everywhere])
@pytest.mark.parametrize("ending", [{"finish": "stop"}, {"error": {"name": "APIError", "data": {"message": "gone"}}}])
def test_a_reply_that_was_over_before_its_beginning_was_written_down_says_all_that_it_said(talk, told_as, ending):
    """A busy server tells of a reply's beginning with what it knows once it is sent: with its end."""
    logs.scenario(talk)
    last = talk.reply(talk.asked())
    talk.spoken(last, "Not yet", pieces=("Not ", "yet"))
    talk.edit(last, status="completed", output="Edit applied successfully.")
    talk.ended(last, ending.get("finish", ""), **({} if "finish" in ending else ending))
    talk.idle()
    late = json.loads(json.dumps(talk.events))
    final = {one["properties"]["info"]["id"]: one["properties"]["info"] for one in late if "info" in one["properties"]}
    for one in late:
        if one["type"] == "message.updated":
            one["properties"]["info"] = final[one["properties"]["info"]["id"]]
    expected = [msgspec.structs.replace(one, place=Place()) for one in logs.decode(*told_as(talk.events))]
    assert [msgspec.structs.replace(one, place=Place()) for one in logs.decode(*told_as(late))] == expected
    assert of(expected, RequestEnded)[-1].how == ("answered" if "finish" in ending else "error")

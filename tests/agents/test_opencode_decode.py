"""What OpenCode tells, event by event."""

from __future__ import annotations

import opencode_logs as logs
from opencode_logs import CHILD, CWD, FILE, OTHER, Talk, of, scenario, sse, told

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
)


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

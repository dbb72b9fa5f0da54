"""How a message of the protocol is found in whatever a log wraps it in."""

from __future__ import annotations

import json

import pytest
from acp_wire import EPOCH, answer, chunk, decode, logged, of, opened, prompt, sent, stopped

from monitor.agents.acp.frame import read
from monitor.events import Prompted, RequestEnded, RunStarted, Said, Unreadable, Waiting

MESSAGE = chunk("Done.")


@pytest.mark.parametrize(
    "record",
    [
        MESSAGE,
        {key: value for key, value in MESSAGE.items() if key != "jsonrpc"},
        {"t": EPOCH, "dir": "agent->client", "msg": MESSAGE},
        {"ts": "2026-11-30T07:50:56.5Z", "direction": "in", "message": MESSAGE},
        {"timestamp": EPOCH * 1000, "line": json.dumps(MESSAGE)},
        {"level": "debug", "time": EPOCH, "payload": MESSAGE},
        {"t": 3.5, "kind": "session/update", "data": MESSAGE["params"]["update"]},
    ],
)
def test_wrappings(record):
    """Bare, in an object of a log's, as the line that was sent, or as a client's own note of it."""
    assert [one.text for one in of(decode(record), Said)] == ["Done."]


@pytest.mark.parametrize(
    ("record", "at"),
    [
        (logged(MESSAGE, "agent->client"), EPOCH),
        ({"ts": EPOCH * 1000, "msg": MESSAGE}, EPOCH),
        ({"time": "2026-11-30T07:50:56.5+00:00", "msg": MESSAGE}, 1_796_025_056.5),
        ({"t": 3.25, "msg": MESSAGE}, None),
        ({"t": True, "msg": MESSAGE}, None),
        (MESSAGE, None),
    ],
)
def test_times(record, at):
    """Seconds, milliseconds or ISO; seconds since the log began are no time of day."""
    assert of(decode(record), Said)[0].at == at


@pytest.mark.parametrize(
    "record", [{}, {"a": 1}, {"msg": {"a": 1}}, {"method": "x"}, {"line": "{"}, {"kind": "x"}, {"id": 1}]
)
def test_what_is_no_message_cannot_be_read(record):
    """It is counted with its bytes, not passed over."""
    (one,) = decode(record)
    assert isinstance(one, Unreadable)


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff", b'{"jsonrpc": "2.0"'])
def test_what_is_no_object_cannot_be_read(data):
    """The reason is said."""
    (one,) = decode(data)
    assert isinstance(one, Unreadable)
    assert one.why


@pytest.mark.parametrize(
    ("side", "sender"),
    [
        ("client->agent", "client"), ("agent->client", "agent"), ("from agent", "agent"), ("to agent", "client"),
        ("to client", "agent"), ("Editor", "client"), ("in", ""), (None, ""),
    ],
)  # fmt: skip
def test_who_sent_an_answer(side, sender):
    """Where the log says; a request shows by its method, and needs no such word."""
    frame = read({"dir": side, "msg": answer(1, {})})
    assert frame is not None
    assert frame.sender == sender
    asked = read({"dir": side, "msg": sent("session/prompt", {}, 1)})
    assert asked is not None
    assert asked.sender == "client"


def both(told, wrapped):
    return [logged(message, side) if wrapped else message for message, side in told]


@pytest.mark.parametrize("wrapped", [True, False])
def test_both_sides_count_from_one(wrapped):
    """The client's request 1 and the agent's request 1 are two; each answer finds its own."""
    client, agent = "client->agent", "agent->client"
    question = sent("session/request_permission", {"sessionId": "s", "toolCall": {"toolCallId": "c"}, "options": []}, 1)
    told = [
        (prompt(number=1), client), (question, agent), (answer(1, {"outcome": {"outcome": "cancelled"}}), client),
        (stopped(number=1), agent),
    ]  # fmt: skip
    events = decode(*both(told, wrapped))
    assert [one.over for one in of(events, Waiting)] == [False, True]
    assert len(of(events, RequestEnded)) == 1


def test_an_answer_shows_by_its_shape_what_it_answers():
    """A log that begins later, or a record read alone, still tells a prompt's end and who the agent is."""
    assert [one.how for one in of(decode(answer(8, {"stopReason": "cancelled"})), RequestEnded)] == ["interrupted"]
    assert [one.agent for one in of(decode(opened("x")[1]), RunStarted)] == ["x"]
    assert decode(answer(8, {})) == []
    assert decode(answer(8, None)) == []


def test_ids_may_be_words():
    """A request's id is a number or a text; they are not the same."""
    events = decode(prompt("one", "a"), prompt("two", 1), stopped(number="a"), answer("1", {"x": 1}), stopped(number=1))
    assert [one.text for one in of(events, Prompted)] == ["one", "two"]
    assert len(of(events, RequestEnded)) == 1


def test_a_clients_notes_are_read_by_their_names():
    """Sent, came, and answered are told apart; what is none of the protocol's is counted."""
    events = decode(
        {"t": 1, "kind": "initialize->", "data": opened("pi-acp")[1]["result"]},
        {"t": 2, "kind": "session/new->", "data": {"sessionId": "s"}},
        {"t": 3, "kind": "session/update", "data": MESSAGE["params"]["update"]},
        {"t": 3, "kind": "set_config model->", "data": {}},
        {"t": 4, "kind": "-> second session/prompt", "data": {}},
        {"t": 5, "kind": "-> session/cancel", "data": {}},
        {"t": 6, "kind": "session/prompt P1->", "data": {"stopReason": "cancelled"}},
    )
    assert [one.agent for one in of(events, RunStarted)] == ["pi-acp", ""]
    assert [one.into for one in of(events, Prompted)] == ["new", "running"]
    assert [one.text for one in of(events, RequestEnded)] == ["cancelled by the client"]
    assert of(events, Unreadable) == []

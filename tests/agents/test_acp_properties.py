"""What holds of the decoder of wires on anything at all."""

from __future__ import annotations

import json

from acp_wire import answer, records, sent, update
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.agents.acp.decode import AcpDecoder
from monitor.agents.acp.started import About
from monitor.events import RequestEnded, ToolReturned, Unreadable, Waiting

TEXTS = ("text", "output", "arguments", "command", "task", "about")

texts = st.text(max_size=20) | st.sampled_from([
    "The user rejected permission", "x\n[exit code: 1]", "pi v1.6.0\n---\n", "Could not find the exact text", "edit", "bash",
    "*** Begin Patch\n*** Update File: a\n@@\n-x\n+y", "--- a/x\n+++ b/x\n@@\n-a\n+b", "Command exited with code 3",
    "a\n\n[lcode] 5 different calls to x.org failed (y), so lcode stopped the request here",
])  # fmt: skip
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
given_input = st.fixed_dictionaries(
    {}, optional={"path": texts, "old_string": texts, "new_string": texts, "content": texts, "patch": texts, "command": texts | anything,
                  "edits": anything, "timeout": anything}
)  # fmt: skip
blocks = st.lists(
    st.one_of(
        texts.map(lambda text: {"type": "content", "content": {"type": "text", "text": text}}),
        st.fixed_dictionaries({"type": st.just("diff"), "path": texts, "oldText": texts | st.none(), "newText": texts}),
        st.just({"type": "terminal", "terminalId": "t"}),
        anything,
    ),
    max_size=2,
)
statuses = st.sampled_from(["pending", "in_progress", "completed", "failed", None])
kinds = st.sampled_from(["read", "edit", "delete", "move", "execute", "fetch", "think", "other", None])
names = st.sampled_from(["c1", "c2", ""])
sessions = st.sampled_from(["s1", "s2", ""])
metas = st.fixed_dictionaries({}, optional={
    "terminal_output": st.fixed_dictionaries({"data": texts}), "terminal_exit": st.fixed_dictionaries({"exit_code": st.integers(0, 9)}),
    "toolName": texts, "usage": anything,
})  # fmt: skip
of_calls = st.fixed_dictionaries(
    {"toolCallId": names},
    optional={"kind": kinds, "status": statuses, "title": texts, "rawInput": given_input | anything, "rawOutput": anything,
              "content": blocks | anything, "locations": st.just([{"path": "/p/a"}]) | anything, "_meta": metas | anything},
)  # fmt: skip
updates = st.one_of(
    st.tuples(st.sampled_from(["tool_call", "tool_call_update"]), of_calls),
    st.tuples(
        st.sampled_from(["agent_message_chunk", "agent_thought_chunk", "user_message_chunk"]),
        st.fixed_dictionaries(
            {"content": texts.map(lambda text: {"type": "text", "text": text}) | anything},
            optional={"messageId": texts | anything, "_meta": metas},
        ),
    ),
    st.tuples(
        st.sampled_from(["plan", "usage_update", "current_mode_update", "config_option_update", "new", ""]),
        st.fixed_dictionaries({}, optional={"entries": anything, "used": anything, "size": anything, "cost": anything}),
    ),
)
numbers = st.integers(1, 4) | st.sampled_from(["a", None])
messages = st.one_of(
    st.builds(lambda one, session: update(one[0], session, **one[1]), updates, sessions),
    st.builds(
        lambda session, text, number: sent(
            "session/prompt", {"sessionId": session, "prompt": [{"type": "text", "text": text}]}, number
        ),
        sessions, texts, numbers,
    ),
    st.builds(
        lambda call, kind, number: sent(
            "session/request_permission", {"toolCall": call, "options": [{"optionId": "o", "kind": kind}]}, number
        ),
        of_calls, st.sampled_from(["allow_once", "reject_once", "x"]), numbers,
    ),
    st.builds(
        answer,
        numbers,
        st.one_of(
            st.sampled_from(["end_turn", "cancelled", "max_turn_requests", "x"]).map(lambda stop: {"stopReason": stop}),
            st.just({"outcome": {"outcome": "selected", "optionId": "o"}}),
            st.fixed_dictionaries({"output": texts, "exitStatus": st.just({"exitCode": 3})}),
            st.fixed_dictionaries({"protocolVersion": st.just(1), "agentInfo": st.just({"name": "lcode"})}),
            st.fixed_dictionaries({"sessionId": sessions}),
            anything,
        ),
    ),
    st.builds(lambda number, error: answer(number, error=error), numbers, anything),
    st.builds(
        lambda method, session, number: sent(method, {"sessionId": session, "cwd": "/p", "terminalId": "t"}, number),
        st.sampled_from(["session/new", "session/load", "session/cancel", "terminal/output", "fs/read_text_file", "_x"]),
        sessions, numbers,
    ),
)  # fmt: skip
wires = st.lists(messages, max_size=14)


@settings(deadline=None, max_examples=150)
@given(st.lists(st.binary(max_size=60) | anything.map(lambda value: json.dumps(value).encode()), max_size=6))
def test_garbage_is_unreadable_and_no_harm(garbage):
    """Bytes of any kind give events or an `Unreadable`, never an exception."""
    decoder = AcpDecoder()
    for record in records(garbage):
        assert all(isinstance(event, Unreadable) or event.place.line for event in decoder.feed(record))
    decoder.finish(())


@settings(deadline=None, max_examples=250)
@given(wires, st.integers(0, 14), st.sampled_from(["", "lcode", "pi-acp"]))
def test_a_copy_goes_on_as_the_original_would_have(wire, at, agent):
    """Messages in any order; a copy taken anywhere says the same from there on, and leaves the original alone."""
    told = records(wire)
    straight, original = AcpDecoder(About(agent)), AcpDecoder(About(agent))
    expected = [list(straight.feed(record)) for record in told]
    assert [list(original.feed(record)) for record in told[:at]] == expected[:at]
    copy = original.copy()
    assert [list(copy.feed(record)) for record in told[at:]] == expected[at:]
    assert [list(original.feed(record)) for record in told[at:]] == expected[at:]
    assert copy.unknown_types == straight.unknown_types == original.unknown_types


def said(event):
    return {field: told for field in TEXTS if (told := getattr(event, field, ""))}


@settings(deadline=None, max_examples=250)
@given(wires, st.sampled_from(["", "lcode"]))
def test_texts_are_read_back_from_one_message(wire, agent):
    """A fresh decoder given one message gives the same texts at the same items, as far as they stand in it.

    What a prompt's end answers, what a bare question is about, and what a terminal printed before stand in
    messages before it.
    """
    reader = AcpDecoder(About(agent))
    for record in records(wire):
        again = {(type(one), one.place): one for one in AcpDecoder(About(agent)).feed(record)}
        for event in reader.feed(record):
            if not said(event) or isinstance(event, RequestEnded):
                continue
            other = again[type(event), event.place]
            if isinstance(event, Waiting) and not other.about:
                continue
            if isinstance(event, ToolReturned) and (other.cut or not other.output):
                assert event.output.endswith(other.output)
            else:
                assert said(event) == said(other)


@settings(deadline=None, max_examples=150)
@given(wires)
def test_items_of_a_message_are_told_apart(wire):
    """No two events of one message stand at the same item, so that each can be found again."""
    decoder = AcpDecoder()
    for record in records(wire):
        places = [event.place for event in decoder.feed(record)]
        assert len(set(places)) == len(places)


def test_the_state_stays_small():
    """Ten thousand calls, prompts and sessions that never end leave only what is bounded."""
    decoder = AcpDecoder()
    wire = [
        message
        for number in range(3_000)
        for message in (
            sent("session/prompt", {"sessionId": f"s{number % 500}", "prompt": []}, number),
            update("tool_call", "s0", toolCallId=f"c{number}", kind="edit", rawInput={"path": "a"}, status="pending"),
            sent("_x", {}, number),
        )
    ]
    for record in records(wire):
        decoder.feed(record)
    assert len(decoder._talks) <= 200
    assert len(decoder._wire._open) <= 1_000
    assert max(len(talk.calls._known) for talk in decoder._talks.values()) <= 2_000

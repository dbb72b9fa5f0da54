"""What holds of the lcode decoder on anything at all."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st
from lcode_logs import (
    CIRCLES,
    EMPTY,
    FINISHED,
    INTERRUPTED,
    UNREAD,
    assistant,
    checkpoint,
    document,
    line,
    records,
    session,
    tool,
    user,
)

from monitor.agents.lcode.decode import LcodeDecoder
from monitor.agents.lcode.tools import KINDS
from monitor.events import Unreadable

TEXTS = ("text", "output", "arguments", "command", "task")

texts = st.text(max_size=20) | st.sampled_from([
    UNREAD, INTERRUPTED, CIRCLES, EMPTY, "x\n[exit code: 1]", "x\n[interrupted by user]", "Error: a: hunk 1 (@@) doesn't match the file",
    "[Summary of our conversation so far]", "[lcode: read", "a\n\n[lcode] Task sheet", "[lcode] You were stuck",
    "a\n[exit code: 0]\n\n[lcode] 5 different calls to x.org failed (y), so lcode stopped the request here",
])  # fmt: skip
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
arguments = st.fixed_dictionaries(
    {},
    optional={
        "path": texts,
        "old_string": texts,
        "content": texts,
        "command": texts,
        "patch": texts,
        "timeout": anything,
    },
)
names = st.sampled_from([*KINDS, "nope", ""])
ids = st.sampled_from(["call_0_0", "call_0_1", ""])
calls = st.fixed_dictionaries({"id": ids, "name": names, "arguments": arguments | anything})
events = st.one_of(
    st.fixed_dictionaries({}, optional={"lcode": anything, "model": texts, "cwd": anything}).map(lambda one: ("start", one)),
    st.fixed_dictionaries({"text": texts | anything, "tool_calls": st.lists(calls, max_size=3) | anything}).map(
        lambda one: ("assistant", one)
    ),
    st.fixed_dictionaries({"id": ids, "name": names, "error": st.booleans() | anything, "output": texts | anything}).map(
        lambda one: ("tool_result", one)
    ),
    st.fixed_dictionaries(
        {"status": st.sampled_from(["success", "loop", "error", "interrupted"]) | anything},
        optional={
            "text": texts, "error": texts, "usage": anything, "checks": anything, "review": anything,
            "tool_calls": st.lists(calls, max_size=2) | anything, "files_changed": anything,
        },
    ).map(lambda one: ("result", one)),
    st.tuples(st.sampled_from(["new", ""]), st.just({})),
).map(lambda one: line(one[0], **one[1]))  # fmt: skip
lines = st.lists(events, max_size=12)
made = st.lists(st.tuples(names, arguments), max_size=3)
messages = st.one_of(
    texts.map(user),
    st.builds(
        lambda of, text, thinking, ids: assistant(*of, text=text, thinking=thinking, ids=ids),
        made,
        texts,
        texts,
        st.booleans(),
    ),
    st.builds(tool, names, texts, ids | st.none()),
    st.fixed_dictionaries({"role": anything, "content": anything, "tool_calls": anything}),
)
checkpoints = st.lists(st.builds(checkpoint, st.integers(0, 9), texts), max_size=2)
documents = st.builds(
    lambda told, points: session(*told, checkpoints=points), st.lists(messages, max_size=8), checkpoints
)
grown = st.lists(messages, max_size=8).flatmap(
    lambda told: st.lists(st.integers(0, len(told)), max_size=4).map(
        lambda sizes: [session(*told[:size]) for size in sizes]
    )
)


@settings(deadline=None, max_examples=120)
@given(st.lists(st.binary(max_size=60) | anything.map(lambda value: json.dumps(value).encode()), max_size=6))
def test_garbage_is_unreadable_and_no_harm(garbage):
    """Bytes of any kind, on any input, give events or an `Unreadable`, never an exception."""
    for source in (None, FINISHED, "session"):
        decoder = LcodeDecoder()
        for record in records(garbage):
            found = decoder.feed(
                record
                if source is None
                else document(record.data, FINISHED)
                if source is FINISHED
                else document(record.data)
            )
            assert all(isinstance(event, Unreadable) or event.place.length for event in found)
        decoder.finish(())


@settings(deadline=None, max_examples=120)
@given(lines, st.lists(documents, max_size=3) | grown, st.integers(0, 12))
def test_a_copy_goes_on_as_the_original_would_have(stream, saved, at):
    """A copy taken anywhere says the same from there on, and leaves the original alone."""
    for told in (records(stream), [document(one, generation=number) for number, one in enumerate(saved)]):
        straight, original = LcodeDecoder(), LcodeDecoder()
        expected = [list(straight.feed(record)) for record in told]
        assert [list(original.feed(record)) for record in told[:at]] == expected[:at]
        copy = original.copy()
        assert [list(copy.feed(record)) for record in told[at:]] == expected[at:]
        assert [list(original.feed(record)) for record in told[at:]] == expected[at:]
        assert copy.unknown_types == straight.unknown_types == original.unknown_types


def said(event):
    return {field: told for field in TEXTS if (told := getattr(event, field, ""))}


@settings(deadline=None, max_examples=120)
@given(lines)
def test_texts_are_read_back_from_one_line(told):
    """A fresh decoder given a single line gives the same texts at the same items."""
    reader = LcodeDecoder()
    for record in records(told):
        again = {(type(one), one.place): one for one in LcodeDecoder().feed(record)}
        for event in reader.feed(record):
            if said(event):
                assert said(event) == said(again[type(event), event.place])


@settings(deadline=None, max_examples=120)
@given(grown)
def test_texts_are_read_back_from_one_state(saved):
    """Of a session that grows, each state alone gives the same texts at the same items as one read after the others."""
    reader = LcodeDecoder()
    for number, data in enumerate(saved):
        record = document(data, generation=number)
        again = {(type(one), one.place): one for one in LcodeDecoder().feed(record)}
        for event in reader.feed(record):
            if said(event) and event.place.line:
                assert said(event) == said(again[type(event), event.place])


@settings(deadline=None, max_examples=100)
@given(lines, documents)
def test_items_of_a_record_are_told_apart(told, saved):
    """No two events of one record stand at the same item, so that each can be found again."""
    for record in (*records(told), document(saved)):
        events = LcodeDecoder().feed(record)
        places = [event.place for event in events]
        assert len(set(places)) == len(places)


@settings(deadline=None, max_examples=60)
@given(st.lists(messages, max_size=8), st.data())
def test_a_session_read_in_steps_tells_what_it_tells_at_once(told, data):
    """However the document grew, the messages in it are each told once."""
    sizes = sorted(data.draw(st.lists(st.integers(0, len(told)), max_size=4)))
    steps = LcodeDecoder()
    grown_events = [
        event for number, size in enumerate([*sizes, len(told)])
        for event in steps.feed(document(session(*told[:size]), generation=number))
    ]  # fmt: skip
    once = LcodeDecoder().feed(document(session(*told)))
    kinds = ("Prompted", "Thought", "Said", "ToolCalled", "ToolReturned")
    assert [(type(one).__name__, one.place.line, said(one)) for one in grown_events if type(one).__name__ in kinds] == [
        (type(one).__name__, one.place.line, said(one)) for one in once if type(one).__name__ in kinds
    ]


def test_a_long_session_costs_no_more_than_its_length():
    """A thousand states of a session that grows are told without telling any message twice."""
    decoder = LcodeDecoder()
    told = [
        user("x"),
        *(
            assistant(("bash", {"command": str(n)})) if n % 2 else tool("bash", f"{n}\n[exit code: 0]")
            for n in range(1, 200)
        ),
    ]
    count = sum(len(decoder.feed(document(session(*told[:size]), generation=size))) for size in range(0, 200, 2))
    assert count == len(LcodeDecoder().feed(document(session(*told[:198]))))

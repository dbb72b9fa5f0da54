"""What holds of the dirtywork decoder on anything at all."""

from __future__ import annotations

import json

from dirtywork_logs import TS, document, patch_of, preview, records, run_json
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.agents.dirtywork.calls import KINDS
from monitor.agents.dirtywork.decode import LIVE, RUN, DirtyworkDecoder
from monitor.events import Unreadable

texts = st.text(max_size=20) | st.sampled_from([
    "run finished", "ERROR: old_string occurs 0 times in a", "exit code: 1\nno", "Edited a: +1 -1", "<think>a</think>b",
    "has changed since this run started", "Not accepted as the end", "BLOCKED: no",
])  # fmt: skip
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
arguments = st.fixed_dictionaries(
    {}, optional={"path": texts, "content": texts, "old_string": texts, "command": texts, "summary": texts}
).map(json.dumps)
names = st.sampled_from([*KINDS, "nope", ""])
calls = st.fixed_dictionaries({"name": names, "arguments": arguments | texts})
kinds = st.sampled_from(
    ["run_start", "assistant", "tool_result", "nudge", "verify", "firewall_denial", "stray_kill", "run_end", "new"]
)
events = st.fixed_dictionaries(
    {"ts": st.just(TS) | texts, "event": kinds},
    optional={
        "text": texts | anything,
        "tool_calls": st.lists(calls, max_size=3) | anything,
        "finish_reason": st.sampled_from(["stop", "length", "tool_calls", None]),
        "tool": names,
        "args": arguments | anything,
        "result": texts | anything,
        "follow_up": texts,
        "kind": st.sampled_from(["no_change", "unchanged_finish", "empty", "?"]),
        "via": st.sampled_from(["user", "tool_result"]),
        "status": st.sampled_from(["completed", "interrupted", "model_error", "unchanged", "stuck"]) | anything,
        "task": texts | anything,
        "feedback": texts,
        "resumed_from": st.none() | texts,
        "changed": st.none() | st.booleans() | anything,
        "files_changed": st.lists(texts, max_size=2) | anything,
        "usage": anything,
        "verify": anything,
    },
).map(lambda event: json.dumps(event).encode())
states = st.fixed_dictionaries(
    {}, optional={"status": st.sampled_from(["running", "completed", "export_failed"]), "resumed_by": texts}
).map(lambda fields: run_json(**fields))
previews = st.lists(st.sampled_from(["a", "b"]), max_size=2).map(lambda files: preview("".join(map(patch_of, files))))
lines = st.lists(events, max_size=12)


def interleaved(transcript, run, live, order):
    """The records of three inputs in some order; each input keeps its own."""
    queues = [records(transcript), [document(one, RUN) for one in run], [document(one, LIVE) for one in live]]
    for pick in order:
        if queues[pick]:
            yield queues[pick].pop(0)
    for queue in queues:
        yield from queue


shuffled = st.builds(
    lambda *parts: list(interleaved(*parts)),
    lines,
    st.lists(states, max_size=3),
    st.lists(previews, max_size=3),
    st.lists(st.integers(0, 2), max_size=12),
)


@settings(deadline=None, max_examples=150)
@given(st.lists(st.binary(max_size=60) | anything.map(lambda value: json.dumps(value).encode()), max_size=6))
def test_garbage_is_unreadable_and_no_harm(garbage):
    """Bytes of any kind, on any input, give events or an `Unreadable`, never an exception."""
    for role in (RUN, LIVE, "transcript", "some other"):
        decoder = DirtyworkDecoder()
        for record in records(garbage):
            found = decoder.feed(document(record.data, role) if role in (RUN, LIVE) else record)
            assert all(isinstance(event, Unreadable) or event.place.line for event in found)
        decoder.finish(())


@settings(deadline=None, max_examples=150)
@given(shuffled, st.integers(0, 12))
def test_a_copy_goes_on_as_the_original_would_have(told, at):
    """Inputs in any order; a copy taken anywhere says the same from there on, and leaves the original alone."""
    straight, original = DirtyworkDecoder(), DirtyworkDecoder()
    expected = [list(straight.feed(record)) for record in told]
    assert [list(original.feed(record)) for record in told[:at]] == expected[:at]
    copy = original.copy()
    assert [list(copy.feed(record)) for record in told[at:]] == expected[at:]
    assert [list(original.feed(record)) for record in told[at:]] == expected[at:]
    assert list(copy.finish(())) == list(straight.finish(())) == list(original.finish(()))
    assert copy.unknown_types == straight.unknown_types


@settings(deadline=None, max_examples=150)
@given(lines)
def test_texts_are_read_back_from_one_record(told):
    """A fresh decoder given a single record gives the same texts at the same items."""
    reader = DirtyworkDecoder()
    for record in records(told):
        again = {(type(one), one.place): one for one in DirtyworkDecoder().feed(record)}
        for event in reader.feed(record):
            said = {field: getattr(event, field, "") for field in ("text", "output", "arguments", "command", "task")}
            if event.place.line != record.line or not any(said.values()):
                continue
            other = again[type(event), event.place]
            assert said == {field: getattr(other, field, "") for field in said}


@settings(deadline=None, max_examples=100)
@given(lines)
def test_items_of_a_record_are_told_apart(told):
    """No two events of one record stand at the same item, so that each can be found again."""
    decoder = DirtyworkDecoder()
    seen = set()
    for record in records(told):
        for event in decoder.feed(record):
            assert event.place not in seen
            seen.add(event.place)

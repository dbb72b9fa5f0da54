"""What holds of the OpenCode decoder on anything at all."""

from __future__ import annotations

import opencode_logs as logs
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.agents.opencode.decode import OpenCodeDecoder
from monitor.agents.opencode.find import FINDER
from monitor.events import RequestEnded, SourceChanged

texts = st.text(max_size=12) | st.sampled_from([logs.MISSED, logs.FILE, logs.SESSION, logs.CHILD, "stop", "tool-calls"])
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
)
sessions = st.sampled_from([logs.SESSION, logs.CHILD, logs.OTHER, ""])
names = st.sampled_from(["a", "b", ""])
states = st.fixed_dictionaries(
    {"status": st.sampled_from(["pending", "running", "completed", "error", "new"])},
    optional={"input": st.dictionaries(texts, anything, max_size=3) | st.just({"filePath": logs.FILE, "oldString": "a"}),
              "output": texts | anything, "error": texts | anything, "metadata": anything | st.just({"sessionId": logs.CHILD}),
              "time": anything},
)  # fmt: skip
parts = st.fixed_dictionaries(
    {"type": st.sampled_from(["text", "reasoning", "tool", "step-start", "step-finish", "retry", "compaction", "patch"]),
     "id": names, "messageID": names},
    optional={"text": texts, "tool": st.sampled_from(["edit", "bash", "task", "invalid", "x"]), "callID": names, "state": states,
              "time": anything, "tokens": anything, "cost": anything, "reason": texts, "synthetic": anything, "delta": texts},
)  # fmt: skip
infos = st.fixed_dictionaries(
    {"id": names | sessions, "role": st.sampled_from(["user", "assistant", "x"])},
    optional={"parentID": names | sessions, "finish": texts, "error": anything, "time": anything, "modelID": texts, "path": anything,
              "permission": anything, "model": anything, "summary": anything},
)  # fmt: skip
datas = st.fixed_dictionaries(
    {},
    optional={"sessionID": sessions, "part": parts | anything, "info": infos | anything, "status": anything, "error": anything,
              "partID": names, "messageID": names, "field": st.just("text"), "delta": texts, "id": names, "requestID": names,
              "permission": texts, "patterns": anything, "metadata": anything, "tool": anything, "time": anything},
)  # fmt: skip
kinds = st.sampled_from([
    "message.updated", "message.part.updated", "message.part.delta", "session.created", "session.updated", "session.status",
    "session.idle", "session.error", "permission.asked", "permission.replied", "question.asked", "session.compacted", "new",
    "server.heartbeat",
])  # fmt: skip
numbers = st.integers(0, 4)


@st.composite
def events(draw):
    kind, data, number = draw(kinds), draw(datas), draw(numbers)
    shape = draw(st.sampled_from(["event", "row", "run", "everywhere"]))
    name = draw(st.sampled_from([logs.ident("evt", number), "", "evt_zz"]))
    if shape == "row":
        return {"id": name, "aggregate_id": draw(sessions), "seq": number, "type": f"{kind}.1", "data": data}
    if shape == "run":
        line = draw(st.sampled_from(["text", "tool_use", "step_finish", "error"]))
        return {"type": line, "timestamp": draw(anything), "sessionID": draw(sessions), **data}
    event = {"id": name, "type": kind, "properties": data}
    return event if shape == "event" else {"directory": "/", "payload": event}


lines = st.lists(events() | anything, max_size=12)
documents = st.one_of(
    anything,
    st.lists(
        st.fixed_dictionaries({"info": infos, "parts": st.lists(parts | anything, max_size=3)}) | anything, max_size=4
    ),
    st.fixed_dictionaries({"info": infos, "messages": anything | st.lists(anything, max_size=3)}),
)


@settings(deadline=None, max_examples=150)
@given(lines)
def test_nothing_throws(found):
    """Whatever the lines hold and in whatever order, decoding raises nothing, and every line gives its own place."""
    for event in logs.decode(*found):
        assert 0 <= event.place.line <= len(found)


@settings(deadline=None, max_examples=80)
@given(documents)
def test_no_document_throws(found):
    """Whatever a document holds, decoding it raises nothing, and so does looking at it."""
    logs.decode(found, source=logs.DOCUMENT)
    (record,) = logs.records([found], logs.DOCUMENT)
    FINDER.sniff(record.data)


@settings(deadline=None, max_examples=80)
@given(lines, st.integers(0, 12))
def test_a_copy_goes_on_by_itself(found, cut):
    """A copy decodes the rest as the original does, and neither disturbs the other."""
    decoder, records = OpenCodeDecoder(), logs.records(found)
    for record in records[:cut]:
        decoder.feed(record)
    other = decoder.copy()
    assert [decoder.feed(one) for one in records[cut:]] == [other.feed(one) for one in records[cut:]]
    assert decoder.unknown_types == other.unknown_types
    assert decoder.finish([logs.STREAM]) == other.finish([logs.STREAM])


@settings(deadline=None, max_examples=80)
@given(lines)
def test_texts_are_read_back_from_one_line(found):
    """A fresh decoder, fed one line alone, gives the words and results of that line again, at the same items."""
    decoder = OpenCodeDecoder()
    for record in logs.records(found):
        alone = {one.place.item: one for one in OpenCodeDecoder().feed(record)}
        for event in decoder.feed(record):
            if isinstance(event, (RequestEnded, SourceChanged)):
                continue
            for name in ("output", "arguments", "command"):
                if text := getattr(event, name, ""):
                    assert getattr(alone[event.place.item], name) == text

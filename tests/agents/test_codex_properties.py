"""What holds of the Codex decoder on anything at all."""

from __future__ import annotations

import codex_logs as logs
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.agents.codex.decode import CodexDecoder

texts = st.text(max_size=20) | st.sampled_from(
    [logs.REFUSED, logs.APPLIED, logs.patch(), "Script failed\n" + logs.REFUSED]
)
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
)
ids = st.sampled_from(["c1", "c2", ""])
kinds = st.sampled_from([
    "message", "reasoning", "function_call", "custom_tool_call", "local_shell_call", "web_search_call",
    "function_call_output", "custom_tool_call_output", "item_completed", "token_count", "task_complete", "turn_aborted",
    "task_started", "user_message", "error", "new",
])  # fmt: skip
keys = st.sampled_from([
    "name", "arguments", "input", "output", "call_id", "content", "summary", "role", "item", "info", "message", "reason",
    "last_agent_message", "action", "internal_chat_message_metadata_passthrough",
])  # fmt: skip
wild = st.builds(
    lambda outer, kind, fields: logs.row(outer, {**fields, "type": kind}),
    st.sampled_from(
        ["response_item", "event_msg", "session_meta", "turn_context", "token_usage_record", "compacted", "x"]
    ),
    kinds,
    st.dictionaries(keys, anything, max_size=5),
)
tame = st.one_of(
    st.builds(logs.patched, ids, st.just(logs.patch()) | texts),
    st.builds(logs.shell, ids, texts),
    st.builds(logs.script, ids, st.builds(lambda text: f"tools.apply_patch(`{text}`)", texts)),
    st.builds(logs.output, ids, texts | anything),
    st.builds(logs.changed, ids, texts, st.sampled_from(["completed", "failed", "declined"])),
    st.builds(logs.user, texts),
    st.builds(logs.said, texts),
    st.builds(logs.completed, texts | st.none()),
    st.just(logs.usage()),
)
rows = st.lists(tame | wild, max_size=14)
sources = st.sampled_from([logs.WRITTEN, logs.PIPED])


@settings(deadline=None, max_examples=150)
@given(rows, sources)
def test_nothing_throws(rows, source):
    """Whatever the lines hold and in whatever order, decoding raises nothing, and every line gives its own place."""
    for event in logs.decode(*rows, source=source):
        assert 1 <= event.place.line <= len(rows)


@settings(deadline=None, max_examples=100)
@given(rows, st.integers(0, 14))
def test_a_copy_goes_on_by_itself(rows, cut):
    """A copy decodes the rest as the original does, and neither disturbs the other."""
    decoder, records = CodexDecoder(), logs.records(rows)
    for record in records[:cut]:
        decoder.feed(record)
    other = decoder.copy()
    assert [decoder.feed(one) for one in records[cut:]] == [other.feed(one) for one in records[cut:]]
    assert decoder.unknown_types == other.unknown_types


@settings(deadline=None, max_examples=100)
@given(rows)
def test_texts_are_read_back_from_one_line(rows):
    """A fresh decoder, fed one line alone, gives the texts of that line again, at the same items."""
    decoder = CodexDecoder()
    for record in logs.records(rows):
        alone = {one.place.item: one for one in CodexDecoder().feed(record)}
        for event in decoder.feed(record):
            for name in ("text", "output", "arguments", "command"):
                if told := getattr(event, name, ""):
                    assert getattr(alone[event.place.item], name) == told

"""Whatever a wire of Codex's app-server holds."""

from __future__ import annotations

import codex_wire as wire
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.agents.codex.decode import CodexDecoder

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3), max_leaves=5
)  # fmt: skip
methods = st.sampled_from([
    "thread/started", "turn/started", "turn/completed", "item/started", "item/completed", "item/agentMessage/delta",
    "item/reasoning/summaryTextDelta", "item/reasoning/summaryPartAdded", "thread/tokenUsage/updated", "serverRequest/resolved",
    "error", "warning", "item/commandExecution/requestApproval", "item/tool/requestUserInput", "new",
])  # fmt: skip
items = st.sampled_from(
    [
        "userMessage",
        "reasoning",
        "agentMessage",
        "commandExecution",
        "fileChange",
        "webSearch",
        "mcpToolCall",
        "hookPrompt",
        "new",
    ]
)
fields = st.dictionaries(
    st.sampled_from(["id", "type", "status", "text", "content", "summary", "changes", "command", "exitCode", "itemId", "delta", "requestId", "summaryIndex", "willRetry", "error", "turn", "thread", "tokenUsage"]),
    anything, max_size=6,
)  # fmt: skip
messages = st.builds(
    lambda method, more, item, kind, number: wire.noted("agent->client", {"method": method, "params": {**more, "item": {**item, "type": kind}}, **({} if number is None else {"id": number})}),
    methods, fields, fields, items, st.none() | st.integers(0, 3) | st.text(max_size=3),
)  # fmt: skip
rows = st.lists(messages | anything, max_size=10)
sources = st.sampled_from([wire.ALONE, wire.KEPT])


@settings(deadline=None, max_examples=150)
@given(rows, sources)
def test_nothing_on_a_wire_throws(rows, source):
    """Whatever the messages hold and in whatever order, decoding raises nothing, and each event has its line."""
    for event in wire.decode(*rows, source=source):
        assert 1 <= event.place.line <= len(rows)


@settings(deadline=None, max_examples=60)
@given(rows, st.integers(0, 10), sources)
def test_a_copy_goes_on_alike(rows, cut, source):
    """A copy made anywhere gives what the first would have given, and neither changes the other."""
    first = CodexDecoder()
    wire.decode(*rows[:cut], source=source, decoder=first)
    second = first.copy()
    assert wire.decode(*rows[cut:], source=source, decoder=first) == wire.decode(
        *rows[cut:], source=source, decoder=second
    )

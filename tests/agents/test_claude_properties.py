"""What holds for every log, whatever it holds."""

from __future__ import annotations

import json

from claude_lines import (
    SESSION,
    assistant,
    encoded,
    final,
    init,
    line,
    of,
    piece,
    prompt,
    records,
    result,
    row,
    streamed,
    text,
    thinking,
    use,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.agents.claude.decode import ClaudeDecoder
from monitor.events import OURS, Noticed, Prompted, Spoken, ToolCalled, ToolReturned, Unreadable
from monitor.text import clean

ROWS = (
    prompt("go"),
    assistant(thinking("hm"), stop="tool_use", apiBlockIndex=0),
    assistant(use("t1", "Edit", file_path="a.py", old_string="x", new_string="y"), stop="tool_use"),
    result("t1", "updated", report={"filePath": "/w/a.py", "structuredPatch": [{"lines": ["-x", "+y"]}]}),
    assistant(use("t2", "Bash", command="make"), mid="m2"),
    result("t2", [{"type": "text", "text": "Exit code 2"}], error=True),
    row("attachment", attachment={"type": "hook_additional_context", "content": ["careful"]}),
    row("attachment", attachment={"type": "queued_command", "prompt": [{"type": "text", "text": "more"}]}),
    row("system", subtype="compact_boundary", compactMetadata={"trigger": "auto", "preTokens": 5}),
    prompt("<task-notification><task-id>a1</task-id><status>completed</status></task-notification>"),
    assistant(text("Done."), mid="m3", stop="end_turn"),
    {"type": "cost-state", "sessionId": SESSION, "totalCostUSD": 1.5, "modelUsage": {"m": {"inputTokens": 3}}},
)


LINES = (
    init(),
    streamed(prompt("go")) | {"isReplay": True},
    piece({"type": "message_start", "message": {"id": "m1", "usage": {"input_tokens": 4}}}),
    piece(
        {"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "id": "t1", "name": "Bash"}}
    ),
    piece({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "wo"}}),
    piece({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 3}}),
    line("system", subtype="task_started", task_id="a1", tool_use_id="t1", subagent_type="x", prompt="p"),
    line("system", subtype="task_notification", task_id="a1", tool_use_id="t1", status="completed"),
    line("system", subtype="hook_response", hook_name="Stop", output="no", outcome="error"),
    line("control_request", request={"subtype": "can_use_tool", "tool_name": "Bash", "input": {"command": "ls"}}),
    final(total_cost_usd=0.5, modelUsage={"m": {"inputTokens": 3}}, errors=["x"]),
)


ALL = (*ROWS, *LINES)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=5,
)


def mutated(draw, value):
    """The value with some of its parts replaced by anything."""
    if draw(st.integers(0, 11)) == 0:
        return draw(JSON)
    if isinstance(value, dict):
        return {name: mutated(draw, one) for name, one in value.items()}
    return [mutated(draw, one) for one in value] if isinstance(value, list) else value


@st.composite
def broken_logs(draw):
    """Some lines of any kind in any order, some of them broken."""
    lines = draw(st.lists(st.sampled_from(ALL), max_size=12))
    return [draw(st.binary(max_size=20)) if draw(st.integers(0, 9)) == 0 else mutated(draw, one) for one in lines]


def fed(decoder, lines, **source):
    return [list(decoder.feed(record)) for record in records(lines, **source)]


def encoded_any(lines):
    return [one if isinstance(one, bytes) else json.dumps(one).encode() for one in lines]


@settings(deadline=None, max_examples=150)
@given(broken_logs(), st.sampled_from(["transcript", "stream", "subagent", "alone", "meta", "process"]))
def test_nothing_throws(lines, role):
    """Whatever stands in a log, each record gives events, or exactly one that says it could not be read."""
    decoder = ClaudeDecoder()
    for events in fed(decoder, encoded_any(lines), role=role, actor="a1"):
        unreadable = of(events, Unreadable)
        assert len(unreadable) <= 1
        assert not unreadable or len(events) == 1
        assert not of(events, *OURS)
    assert decoder.finish(()) is not None


@settings(deadline=None, max_examples=60)
@given(st.lists(st.binary(max_size=40) | st.sampled_from([encoded(one) for one in ALL]), max_size=10))
def test_bytes_are_decoded_or_unreadable(lines):
    """A record that is no JSON object is unreadable, and every other is not."""
    for data, events in zip(lines, fed(ClaudeDecoder(), lines), strict=True):
        try:
            value = json.loads(data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace"), strict=False)
        except ValueError:
            value = None
        assert (len(of(events, Unreadable)) == 0) == (isinstance(value, dict) or not data.strip())


@settings(deadline=None, max_examples=60)
@given(broken_logs())
def test_every_text_is_clean(lines):
    """No event holds a control character, whatever the log holds."""

    def strings(value):
        if isinstance(value, str):
            yield value
        elif isinstance(value, tuple):
            for one in value:
                yield from strings(one)
        elif hasattr(value, "__struct_fields__"):
            for name in value.__struct_fields__:
                yield from strings(getattr(value, name))

    for events in fed(ClaudeDecoder(), encoded_any(lines)):
        for event in events:
            assert all(clean(one) == one for one in strings(event))


@settings(deadline=None, max_examples=60)
@given(broken_logs(), st.integers(0, 12))
def test_a_copy_goes_on_from_there(lines, cut):
    """A copy that is fed the rest gives what the original gives; neither changes the other."""
    made = records(encoded_any(lines))
    straight = ClaudeDecoder()
    for record in made[:cut]:
        straight.feed(record)
    copied, other = straight.copy(), straight.copy()
    other.finish(())
    rest = [list(copied.feed(record)) for record in made[cut:]] + [list(copied.finish(()))]
    assert [list(straight.feed(record)) for record in made[cut:]] + [list(straight.finish(()))] == rest
    assert straight.unknown_types == copied.unknown_types


@settings(deadline=None, max_examples=80)
@given(st.lists(st.sampled_from(ALL), min_size=1, max_size=14))
def test_a_fresh_decoder_gives_the_same_texts(lines):
    """Each record alone gives the texts that it gave after all before it, at the same items."""
    kinds = (Spoken, Prompted, ToolCalled, ToolReturned)
    for record, events in zip(records(lines), fed(ClaudeDecoder(), lines), strict=True):
        alone = ClaudeDecoder().feed(record)
        known = {(_shown(one), one.place.item): one for one in alone}
        for event in of(events, *kinds):
            if event.place.line != record.line or (isinstance(event, Prompted) and not event.text):
                continue
            twin = known[_shown(event), event.place.item]
            for name in ("text", "arguments", "output", "command", "changes"):
                assert getattr(twin, name, None) == getattr(event, name, None)


def _shown(event):
    """What shows the event: a hook's words are a notice, whether the agent was asked for anything or not."""
    return Noticed if isinstance(event, Prompted) and event.by != "user" else type(event)

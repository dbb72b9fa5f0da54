"""A stream with the model's own pieces, and the same run told by its transcript."""

from __future__ import annotations

from claude_lines import (
    assistant,
    decode,
    final,
    init,
    of,
    only,
    piece,
    prompt,
    result,
    streamed,
    text,
    thinking,
    use,
)

from monitor.events import (
    RequestEnded,
    RunStarted,
    Said,
    Thought,
    Tokens,
    ToolCalled,
    ToolReturned,
    Used,
)


def start(mid="m1", **usage):
    usage = {"input_tokens": 10, "cache_read_input_tokens": 90, "output_tokens": 1} | usage
    return piece({"type": "message_start", "message": {"id": mid, "role": "assistant", "content": [], "usage": usage}})


def block(index, content):
    return piece({"type": "content_block_start", "index": index, "content_block": content})


def delta(index, **what):
    return piece({"type": "content_block_delta", "index": index, "delta": what})


def stop(reason, output=42):
    delta = {"stop_reason": reason}
    return piece({"type": "message_delta", "delta": delta, "usage": {"output_tokens": output}})


MESSAGE = (
    start(),
    block(0, {"type": "thinking", "thinking": ""}),
    delta(0, type="thinking_delta", thinking="I will "),
    delta(0, type="thinking_delta", thinking="look."),
    delta(0, type="signature_delta", signature="c2ln"),
    streamed(assistant(thinking("I will look."))),
    block(1, {"type": "tool_use", "id": "t1", "name": "Edit", "input": {}}),
    delta(1, type="input_json_delta", partial_json='{"file_path": "a.py"'),
    streamed(assistant(use("t1", "Edit", file_path="a.py", old_string="x", new_string="y"))),
    stop("tool_use"),
    piece({"type": "message_stop"}),
)


def test_pieces_and_their_whole_share_message_and_part():
    """Thinking comes in pieces and then whole, under one key; a call is told when it begins and when it is whole."""
    events = decode(init(), *MESSAGE)
    thoughts = of(events, Thought)
    assert [(event.text, event.delta) for event in thoughts] == [
        ("I will ", True), ("look.", True), ("I will look.", False),
    ]  # fmt: skip
    assert {(event.message, event.part) for event in thoughts} == {("m1", 0)}
    begun, whole = of(events, ToolCalled)
    assert (begun.call, begun.partial, begun.arguments, begun.kind) == ("t1", True, "", "write")
    assert (whole.call, whole.partial, whole.changes[0].old) == ("t1", False, "x")


def test_a_stream_with_pieces_says_so():
    """The first piece tells that this source streams; whole messages without any tell that it does not."""
    pieces = of(decode(init(), *MESSAGE), RunStarted)
    assert [(event.deltas, event.lag) for event in pieces] == [(None, "message"), (True, "event")]
    assert "stalls" not in pieces[0].coverage | pieces[1].coverage
    whole = of(decode(init(), streamed(assistant(text("Hi.")))), RunStarted)
    assert [event.deltas for event in whole] == [None, False]
    assert whole[1].coverage["stalls"].sees == "partial"


def test_usage_comes_from_the_end_of_the_message():
    """The placeholder in whole messages never stands for the output that `message_delta` tells."""
    used = only(decode(init(), *MESSAGE), Used)
    assert (used.tokens, used.context_used) == (Tokens(10, 42, 90), 100)
    whole = only(decode(init(), streamed(assistant(text("Hi.")))), Used)
    assert whole.tokens == Tokens(5, 0)


def test_the_same_run_by_its_stream_and_by_its_transcript():
    """Calls, results, changes, answers and claims are the same, whichever of the two tells them."""
    edit = {"filePath": "/w/a.py", "structuredPatch": [{"lines": ["-x", "+y", " z"]}]}
    rows = (
        assistant(text("I edit."), mid="m1", stop="tool_use"),
        assistant(use("t1", "Edit", file_path="a.py", old_string="q", new_string="y"), mid="m1", stop="tool_use"),
        result(
            "t1", "<tool_use_error>String to replace not found in file.</tool_use_error>", error=True, report="Error"
        ),
        assistant(use("t2", "Edit", file_path="a.py", old_string="x", new_string="y"), mid="m2", stop="tool_use"),
        result("t2", "updated", report=edit),
        assistant(text("Done."), mid="m3", stop="end_turn"),
    )
    transcript = decode(prompt("go"), *rows)
    stream = decode(init(), *map(streamed, rows), final())
    kinds = (Said, ToolCalled, ToolReturned, RequestEnded)

    def told(events):
        hidden = {"at", "seen", "place", "seq", "cwd"}
        return [
            {name: getattr(one, name) for name in one.__struct_fields__ if name not in hidden}
            for one in of(events, *kinds)
        ]

    assert told(transcript) == told(stream)

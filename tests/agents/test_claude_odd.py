"""Broken, strange and enormous input: nothing throws, nothing is lost, the state stays small."""

from __future__ import annotations

import pickle

import pytest
from claude_lines import (
    SESSION,
    assistant,
    decode,
    final,
    init,
    of,
    only,
    prompt,
    result,
    row,
    streamed,
    text,
    use,
)

from monitor.agents.claude.decode import ClaudeDecoder
from monitor.events import Prompted, Said, ToolCalled, ToolReturned, Unreadable
from monitor.streams.record import Input, Record


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'\xef\xbb\xbf{"type":"user","sessionId":"s","message":{"content":"bom"}}', "bom"),
        (b'{"type":"user","sessionId":"s","message":{"content":"half \\ud83d a pair"}}', "half \ufffd a pair"),
        (b'{"type":"user","sessionId":"s","x":NaN,"message":{"content":"not a number"}}', "not a number"),
        (b'{"type":"user","sessionId":"s","message":{"content":"broken \xff byte"}}', "broken \ufffd byte"),
        (b'{"type":"user","sessionId":"s","message":{"content":"raw \x1b tab\t"}}', "raw \u241b tab\t"),
        (b'{"type":"user","sessionId":7,"isMeta":"no","message":{"content":"other types"}}', "other types"),
        (b'{"type":"user","sessionId":"s","message":{"content":"\\u001b[31mred\\u202e"}}', "\u241b[31mred\ufffd"),
    ],
)
def test_odd_json_is_read(data, said):
    """A byte-order mark, half a surrogate pair, NaN, broken UTF-8 and changed types make no record unreadable."""
    assert only(decode(data), Prompted).text == said


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"not json", "not JSON"),
        (b'{"type":"user","mess', "not JSON"),
        (b"[1,2]", "JSON, but an array, not an object"),
        (b'"text"', "JSON, but a string, not an object"),
        (b"12", "JSON, but a number, not an object"),
        (b"null", "JSON, but null, not an object"),
        (b"[" * 100_000, "not JSON"),
    ],
)
def test_what_cannot_be_read_says_why(data, why):
    """A record that is no JSON object gives one event, with the reason and its place."""
    broken = only(decode(prompt("go"), data), Unreadable)
    assert (broken.why, broken.place.line, broken.place.length) == (why, 2, len(data) + 1)


def test_a_record_whose_bytes_are_not_here():
    """A line too long to hold is unreadable for the reason its reader gives."""
    record = Record(Input(0, "x.jsonl", "transcript"), 3, 10, 5, b"", problem="a line of 80 MB")
    assert only(ClaudeDecoder().feed(record), Unreadable).why == "a line of 80 MB"


def test_empty_lines_are_nothing():
    """A blank line is no record, and not an unreadable one."""
    assert decode(b"", b"  \r", prompt("go"))[1].text == "go"


def test_a_call_without_arguments_that_make_sense():
    """Arguments of another type than expected are shown as they are, and change nothing."""
    odd = {"type": "tool_use", "id": "t1", "name": "Edit", "input": [1, "two"]}
    call = only(decode(assistant(odd)), ToolCalled)
    assert (call.arguments, call.changes[0].file) == ('[1, "two"]', "")
    wrong = use("t2", "Bash", command=5, timeout="soon")
    call = only(decode(assistant(wrong, mid="m2")), ToolCalled)
    assert (call.command, call.timeout) == ("", None)


def test_a_log_of_two_runs():
    """A second session in the same stream closes the first one's answer and names itself."""
    other = "99999999-9999-4999-8999-999999999999"
    events = decode(init(), streamed(assistant(text("One."))), init(session_id=other), final(said="Two."))
    names = [event.session for event in events if getattr(event, "session", "")]
    assert names == [SESSION, other]
    assert [event.text for event in of(events, Said)] == ["One."]


def test_an_enormous_line():
    """An image of megabytes is passed over; a whole file in one result is shown whole."""
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "A" * 3_000_000}}
    whole = "x" * 2_000_000
    events = decode(
        row("user", message={"content": [{"type": "text", "text": "look"}, image]}),
        assistant(use("t1", "Read", file_path="big")),
        result("t1", whole),
    )
    assert only(events, Prompted).text == "look\n[image]"
    assert len(only(events, ToolReturned).output) == len(whole)


def test_the_state_stays_small():
    """However many messages, calls, sub-agents and unknown types there are, the decoder grows only up to its bounds."""
    decoder, sizes = ClaudeDecoder(), []
    for start in (0, 16_384):
        for number in range(start, start + 16_384):
            call = assistant(use(f"t{number:05}", "Read", file_path="f"), mid=f"m{number:05}", agent=f"a{number:05}")
            decode(call, row(f"type {number:05}"), decoder=decoder, finish=False)
        sizes.append(len(pickle.dumps(decoder)))
    assert sizes[1] < sizes[0] * 1.02

"""What pi streams, and how its sessions and streams are found."""

from __future__ import annotations

import json
import os
import threading

import pytest
from pi_logs import (
    EDITED,
    NOT_FOUND,
    call,
    decoded,
    edit,
    header,
    of,
    reply,
    result,
    said,
    session,
    stream,
    thought,
    update,
    user,
)

from monitor.agents.pi.find import FINDER
from monitor.agents.sniffing import SniffingDecoder
from monitor.events import Noticed, Prompted, RequestEnded, RunStarted, Said, Thought, ToolCalled, ToolReturned
from monitor.run.run import Run
from monitor.streams.follow import Follower
from monitor.streams.record import Input, Record
from monitor.targets import FINDERS, find


def ended(name="bash", text="out", number="c1", *, error=False, **more) -> dict:
    told = {"content": [{"type": "text", "text": text}]} | more
    return {
        "type": "tool_execution_end",
        "toolCallId": number,
        "toolName": name,
        "result": told,
        "isError": error,
        "durationMs": 3,
    }


def message(told) -> tuple[dict, dict]:
    return {"type": "message_start", "message": told}, {"type": "message_end", "message": told}


BASH = reply(thought("Let me look."), call("bash", command="ls"))
STREAM = (
    header(),
    {"type": "agent_start"},
    *message(user("Look")),
    message(BASH)[0],
    update("thinking_delta", delta="Let me "),
    update("thinking_delta", delta="look."),
    update("toolcall_start", id="c1", toolName="bash"),
    message(BASH)[1],
    {"type": "tool_execution_start", "toolCallId": "c1", "toolName": "bash", "args": {"command": "ls"}},
    ended(structuredContent={"exit_code": 0}),
    *message(result("out", "bash")),
    *message(reply(said("Done."), stop="stop")),
    {"type": "agent_end", "willRetry": False},
    {"type": "agent_settled", "aborted": False},
)


def test_a_stream():
    """Pieces come as they are streamed, each call and each result is told once, and the answer is a claim."""
    events = decoded(stream(*STREAM))
    assert [(one.lag, one.deltas) for one in of(events, RunStarted) if one.lag] == [("event", True)]
    assert [(one.text, one.delta) for one in of(events, Thought)] == [
        ("Let me ", True),
        ("look.", True),
        ("Let me look.", False),
    ]
    assert len({one.message for one in of(events, Thought)}) == 1
    assert [(one.call, one.partial) for one in of(events, ToolCalled)] == [("c1", True), ("c1", False)]
    assert [(one.outcome, one.exit) for one in of(events, ToolReturned)] == [("ok", 0)]
    assert [one.text for one in of(events, RequestEnded)] == ["Done."]


def test_a_wire_that_was_kept():
    """Records that a client put into its own, beside its commands, tell the same."""
    plain = stream({"id": "r1", "type": "prompt", "message": "Look"}, *STREAM[1:])
    kept = [json.dumps({"dir": "out", "t": 0.1, "line": json.loads(line)}).encode() for line in plain]
    kinds = (Prompted, Said, ToolCalled, ToolReturned, RequestEnded)
    assert [one.__class__ for one in of(decoded(kept), *kinds)] == [one.__class__ for one in of(decoded(plain), *kinds)]
    assert FINDER.sniff(b"\n".join(kept) + b"\n")


def test_tools_that_are_passed_on_alone():
    """Where no message is told, a call is known by its beginning."""
    events = decoded(stream({"t": 1, "ev": "x", "e": STREAM[9]}, {"t": 2, "ev": "x", "e": ended()}, {"ev": "x"}))
    assert [one.command for one in of(events, ToolCalled)] == ["ls"]
    assert [one.outcome for one in of(events, ToolReturned)] == ["ok"]


def test_an_error_that_is_tried_again():
    """Only an error after which pi gives up ends the request."""
    failed = reply(stop="error", errorMessage="429")
    again = (
        *message(failed),
        {"type": "agent_end", "willRetry": True},
        {"type": "auto_retry_start", "errorMessage": "429"},
    )
    events = decoded(stream(*STREAM[:4], *again, *again))
    assert not of(events, RequestEnded)
    assert [one.kind for one in of(events, Noticed)] == ["retry", "retry"]
    events = decoded(stream(*STREAM[:4], *again, *message(failed), {"type": "agent_end"}))
    assert [(one.how, one.text) for one in of(events, RequestEnded)] == [("error", "429")]


def test_a_record_read_alone_gives_its_text():
    """A text is read back from its record alone, at the same item."""
    whole = decoded(stream(*STREAM))
    lines = stream(*STREAM)
    for event in of(whole, Said, Thought, ToolReturned, Prompted):
        alone = decoded([lines[event.place.line - 1]])
        told = [one for one in of(alone, type(event)) if one.place.item == event.place.item]
        assert [getattr(one, "text", "") or getattr(one, "output", "") for one in told] == [
            getattr(event, "text", "") or getattr(event, "output", "")
        ]


def test_live_following(tmp_path):
    """A session that another thread is writing is told as it grows, and a failed edit shows before the end."""
    path = tmp_path / "s.jsonl"
    lines = session(
        user("x"), reply(edit()), result(NOT_FOUND, error=True), reply(edit("c2")), result(EDITED, number="c2")
    )
    path.write_bytes(b"")
    reader, decoder, run = Follower(find_input(path)), FINDER.pipe("s").decoder(), Run()
    seen = []
    for line in lines:
        writer = threading.Thread(target=append, args=(path, line))
        writer.start()
        writer.join()
        for record in reader.read(1 << 20):
            assert isinstance(record, Record)
            for event in decoder.feed(record):
                run.feed(event)
        seen.append(run.snapshot().writes.outstanding)
    reader.close()
    assert seen == [0, 0, 0, 1, 1, 0]


def find_input(path) -> Input:
    return Input(0, path.name, "session", path)


def append(path, line) -> None:
    with path.open("ab") as file:
        file.write(line + b"\n")


def test_how_it_is_found(tmp_path, monkeypatch):
    """A session by its file, its folder, its id and the beginning of its id; a stream from a pipe."""
    folder = tmp_path / "agent" / "sessions" / "--p--"
    folder.mkdir(parents=True)
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(tmp_path / "agent"))
    for number, name in enumerate(("01a2b3c4-1", "01a2b3c4-2")):
        path = folder / f"2026-01-01T00-00-00-000Z_{name}.jsonl"
        path.write_bytes(b"\n".join(session(user("x"))) + b"\n")
        os.utime(path, (number, number))
    assert find(str(folder / "2026-01-01T00-00-00-000Z_01a2b3c4-1.jsonl")).title == "01a2b3c4-1"
    assert find(str(tmp_path)).title == "01a2b3c4-2"
    assert find("01a2b3c4-1").title == "01a2b3c4-1"
    assert len(list(FINDER.named("01a2b3c4"))) == 2
    assert not list(FINDER.named("nothing"))
    found: list = []
    decoder = SniffingDecoder(FINDERS, "the pipe", found.append)
    events = decoded(stream(*STREAM), decoder)
    assert found[0].agent == "pi"
    assert [one.text for one in of(events, RequestEnded)] == ["Done."]


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"{}\n",
        b'{"type": "session"}\n',
        b'{"type": "prompt"}\n',
        b'{"type": "system", "subtype": "init"}\n',
        b"text\n",
    ],
)
def test_other_streams_are_not_taken(head):
    """Another program's stream is left alone."""
    assert not FINDER.sniff(head)

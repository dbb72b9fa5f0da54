"""How wire logs are found."""

from __future__ import annotations

import json
import os

import pytest
from acp_wire import chunk, logged, of, opened, prompt, records, sent, stopped, update

from monitor.agents.acp.find import FINDER
from monitor.events import RunStarted, ToolCalled


def written(*messages):
    return b"".join(json.dumps(message).encode() + b"\n" for message in messages)


WIRE = [*opened(), prompt(), chunk("Done."), stopped()]


@pytest.mark.parametrize(
    "data",
    [
        written(*WIRE),
        b"\n" + written(*WIRE),
        written(*(logged(one, "agent->client") for one in WIRE)),
        written(chunk("in the middle")),
        written({"jsonrpc": "2.0", "method": "_x/log", "params": {}}, prompt()),
        written({"t": 1.0, "kind": "session/update", "data": {"sessionUpdate": "plan"}}),
        written(opened()[1]),
        written(chunk("x" * (1 << 17))),
        written(prompt()) + b'{"jsonrpc": "2.0", "half',
    ],
)
def test_wires_are_known_by_their_messages(tmp_path, data):
    """Whatever the name, however they are wrapped, from wherever they begin."""
    (tmp_path / "some.log").write_bytes(data)
    found = FINDER.open(tmp_path / "some.log")
    assert found is not None
    assert (found.agent, found.title, found.alive(), found.project()) == ("acp", "some.log", None, None)
    assert [(source.role, source.shape) for source in found.inputs()] == [("wire", "lines")]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"text\n",
        b"[1]\n",
        written({"a": 1}),
        written({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-03-26"}}),
        written({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"processId": 1, "capabilities": {}}}),
        written({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {}}),
        written({"id": 0, "method": "thread/start", "params": {}}),
        written({"jsonrpc": "2.0", "id": 1, "result": {}}),
        written({"type": "assistant", "text": "", "tool_calls": []}, prompt()),
        b"{" + b"x" * (1 << 17),
    ],
)
def test_other_protocols_are_left_alone(tmp_path, data):
    """Language servers, tool servers and others speak JSON-RPC too."""
    (tmp_path / "wire.jsonl").write_bytes(data)
    assert FINDER.open(tmp_path / "wire.jsonl") is None


def test_what_cannot_be_opened_is_no_run(tmp_path):
    """Missing, a folder, a named pipe; and no session has a usual place."""
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "none", tmp_path, tmp_path / "pipe"):
        assert FINDER.open(path) is None
    assert list(FINDER.named("s1")) == []


def test_whoever_reads_a_record_alone_knows_the_agent(tmp_path):
    """The head of the file says who speaks, and with that what its titles mean."""
    edit = update(
        "tool_call", toolCallId="c", kind="edit", title="Edit a.py", status="pending", rawInput={"path": "a.py"}
    )
    (tmp_path / "wire.jsonl").write_bytes(written(*opened("lcode"), edit))
    found = FINDER.open(tmp_path / "wire.jsonl")
    assert found is not None
    assert [one.tool for one in of(found.decoder().feed(records([edit])[0]), ToolCalled)] == ["edit_file"]
    piped = FINDER.pipe("the pipe").decoder()
    told = [event for record in records([*opened("lcode"), edit]) for event in piped.feed(record)]
    assert [one.tool for one in of(told, ToolCalled)] == ["edit_file"]
    assert of(told, RunStarted)[0].agent == "lcode"


def test_a_pipe_is_known_by_its_first_message():
    """The client's greeting is enough."""
    assert FINDER.sniff(written(opened()[0]))
    assert not FINDER.sniff(written(sent("initialize", {"protocolVersion": True}, 1)))

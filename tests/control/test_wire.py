"""Wires never wait, lose nothing, and say what became of each line."""

from __future__ import annotations

import json
import os
import socket

import pytest
from kept_runs import receipts
from waiting import until

from monitor.actions import Action
from monitor.agents.claude.permissions import Permissions
from monitor.channels.kept import KeptWire, connected
from monitor.channels.messages import Messages
from monitor.channels.receipts import Receipts
from monitor.channels.signalling import SignalChannel
from monitor.channels.wire import CLOSED, NoWire, PlainWire
from monitor.control import NoChannel
from monitor.keeping.connection import BUSY


def test_a_plain_wire_writes_as_far_as_it_is_read():
    """Lines that fill the pipe wait in order and are written once there is room; none is lost or cut."""
    reads, writes = os.pipe()
    wire = PlainWire(writes)
    lines = [str(number) * 30_000 for number in range(8)]
    numbers = [wire.say(line) for line in lines]
    assert wire.poll() != [(number, "") for number in numbers]
    got, told = b"", []
    while wire.waits or len(got) < sum(len(line) + 1 for line in lines):
        got += os.read(reads, 1 << 16)
        told += wire.poll()
    assert got.decode().splitlines() == lines
    wire.finish()
    wire.poll()
    assert os.read(reads, 10) == b""
    assert wire.say("late") == 9
    assert wire.poll() == [(9, CLOSED)]
    os.close(reads)


def test_a_broken_plain_wire_tells_every_line():
    """When nobody can read any more, each line that waits is told as failed, and later ones too."""
    reads, writes = os.pipe()
    wire = PlainWire(writes)
    wire.say("x" * 200_000)
    wire.poll()
    os.close(reads)
    told = wire.poll()
    assert [number for number, _ in told] == [1]
    assert "broken" in told[0][1]
    wire.say("y")
    assert "broken" in wire.poll()[0][1]
    wire.close()


def test_a_kept_wire_believes_only_the_keeper():
    """A line counts as taken when the keeper says so; a refused welcome and a keeper that is gone are told."""
    ours, theirs = socket.socketpair()
    wire = KeptWire(ours)
    first, second = wire.say("a"), wire.say("b")
    assert wire.poll() == []
    assert [json.loads(line)["say"] for line in theirs.recv(1000).splitlines()] == ["a", "b"]
    theirs.send(json.dumps({"n": first, "problem": ""}).encode() + b'\n{"n": 99}\n')
    assert wire.poll() == [(first, "")]
    assert wire.waits
    theirs.close()
    assert wire.poll() == [(second, "the agent's keeper is gone")]
    assert not wire.waits
    wire.close()


def test_a_kept_wire_that_is_refused():
    """Where another monitor is connected the reason stands as the problem."""
    ours, theirs = socket.socketpair()
    wire = KeptWire(ours)
    wire.say("a")
    theirs.send(b'{"welcome": false, "problem": "busy"}\n')
    until(lambda: wire.poll() == [(1, "busy")])
    theirs.close()
    wire.close()


def test_a_kept_wire_takes_over_from_a_monitor_that_is_gone():
    """It knocks again while another is connected, says so until it is welcome, and renews what it asked for."""
    pairs = [socket.socketpair() for _ in range(3)]
    times = iter(range(0, 100, 3))
    opened = iter(ours for ours, _ in pairs[1:])
    wire = KeptWire(pairs[0][0], lambda: next(opened, None), clock=lambda: float(next(times)))
    wire.stop_with_us(stop=True)
    for number, (_, theirs) in enumerate(pairs):
        welcome = number == len(pairs) - 1
        theirs.send(json.dumps({"welcome": welcome, "problem": "" if welcome else BUSY}).encode() + b"\n")
        if not welcome:
            theirs.close()
        wire.poll()
        assert wire.problem == ("" if welcome else BUSY)
    wire.say("mine")
    wire.poll()
    said = [json.loads(line) for line in pairs[-1][1].recv(1000).splitlines()]
    assert said == [{"on_exit": "stop"}, {"say": "mine", "n": 1}]
    wire.close()
    pairs[-1][1].close()


def test_no_wire_and_no_channel_say_why():
    """What cannot be reached refuses everything with its reason."""
    wire = NoWire("closed")
    assert (wire.say("x"), wire.poll(), wire.poll()) == (1, [(1, "closed")], [])
    channel = NoChannel("only watched")
    channel.send(Action("1", "abort", subject="s"))
    told = channel.receipts()
    assert [(one.receipt, one.evidence, one.subject) for one in told] == [("failed", "only watched", "s")]
    assert (channel.can("feedback"), channel.plan(), channel.offer("x"), channel.how("abort")) == (
        "only watched",
        None,
        "",
        "",
    )


def test_a_socket_at_a_long_path(tmp_path, monkeypatch):
    """A socket is reached however long its path is; a file that is none, or that is missing, is not."""
    folder = tmp_path / ("x" * 120)
    folder.mkdir()
    monkeypatch.chdir(folder)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind("s.sock")
    listener.listen()
    opened = connected(folder / "s.sock")
    assert opened is not None
    opened.close()
    listener.close()
    (folder / "file").touch()
    assert connected(folder / "file") is None
    assert connected(folder / "none") is None


def test_a_program_that_takes_no_connection_is_not_waited_for(tmp_path):
    """Where as many wait as a socket lets wait, such as at a stopped program, no further one is waited for."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "s.sock"))
        listener.listen(0)
        opened = [connected(tmp_path / "s.sock") for _ in range(4)]
        assert opened[0] is not None
        assert opened[-1] is None
        assert opened[0].gettimeout() is None
        for one in filter(None, opened):
            one.close()


def question(name, call, **given):
    request = {"subtype": "can_use_tool", "tool_use_id": call, "input": given}
    return {"type": "control_request", "request_id": name, "request": request}


@pytest.fixture
def asked():
    """Two questions at once, and where the answers go."""
    reads, writes = os.pipe()
    wire = PlainWire(writes)
    receipts = Receipts("test")
    permissions = Permissions(Messages(wire, receipts), receipts)
    permissions.hear(question("q1", "c1", a=1))
    permissions.hear(question("q2", "c2", b=2))

    def answers():
        wire.poll()
        return [json.loads(line)["response"] for line in os.read(reads, 1 << 16).splitlines()]

    yield permissions, receipts, answers
    wire.close()
    os.close(reads)


def test_the_call_that_is_named_is_answered(asked):
    """With several questions open, the answer goes to the call that is named, with its own input."""
    permissions, receipts, answers = asked
    permissions.answer(Action("1", "allow", subject="c2"))
    permissions.answer(Action("2", "deny"))
    first, second = answers()
    assert (first["request_id"], first["response"]) == ("q2", {"behavior": "allow", "updatedInput": {"b": 2}})
    assert (second["request_id"], second["response"]["message"]) == ("q1", "The operator denied this call.")
    assert permissions.why_not("allow")
    permissions.returned({"message": {"content": [{"type": "tool_result", "tool_use_id": "c2"}]}})
    assert receipts.receipt("1") == "done"
    assert receipts.receipt("2") == "queued"


def test_a_call_that_no_longer_waits_is_not_mistaken(asked):
    """An answer to a call that is gone goes to no other, nor to the only one that still waits."""
    permissions, receipts, answers = asked
    permissions.answer(Action("1", "allow", subject="c9"))
    assert receipts.receipt("1") == "failed"
    permissions.hear({"type": "control_cancel_request", "request_id": "q1"})
    permissions.answer(Action("2", "allow", subject="c1"))
    assert receipts.receipt("2") == "failed"
    permissions.answer(Action("3", "deny", subject="c2"))
    assert [one["request_id"] for one in answers()] == ["q2"]
    permissions.hear(question("q2", "c2", b=2))
    permissions.returned({"message": {"content": [{"tool_use_id": "c2"}]}})
    assert permissions.why_not("allow") == "nothing waits for approval"
    assert not permissions.asked


def test_signals_take_no_words():
    """By signals alone words are refused, with the command that resumes to be copied."""
    channel = SignalChannel(lambda: None, offering=lambda text: f"claude --resume x -p {text}")
    assert channel.can("feedback") == "it takes no words while it runs; once it has ended: claude --resume x -p …"
    channel.send(Action("1", "warn", "x"))
    assert receipts(channel, "1", ("failed",))[-1].evidence == channel.can("warn")
    assert channel.can("abort") == "no process of this run is known"
    assert channel.can("allow")
    assert channel.offer("go") == "claude --resume x -p go"
    channel.close()

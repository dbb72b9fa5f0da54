"""Agents that run already and listen on a socket of their own, named after their session."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys

import pytest
from kept_runs import receipts
from waiting import until

from monitor.actions import Action
from monitor.agents.native.find import FINDER
from monitor.channels.named import UNHEARD, NamedWire
from monitor.config import state_folder
from monitor.events import Prompted, RunStarted
from monitor.reaching import channel_of

LISTENER = """
import json, os, socket, sys
os.chdir(sys.argv[1])
opened = socket.socket(socket.AF_UNIX)
opened.bind(sys.argv[2] + ".sock")
opened.listen()
print("listening", flush=True)
taken, _ = opened.accept()
for line in taken.makefile():
    print(line, end="", flush=True)
    if json.loads(line)["control"] == "abort":
        sys.exit(3)
"""


@pytest.fixture
def listener():
    """An agent that listens; it ends when it is told to."""
    command = [sys.executable, "-c", LISTENER, str(state_folder("control")), "s-1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as process:
        try:
            assert process.stdout.readline() == b"listening\n"
            yield process
        finally:
            process.kill()


def found_in(tmp_path):
    log = tmp_path / "run.jsonl"
    log.write_text('{"event": "RunStarted", "agent": "own", "session": "s-1"}\n')
    return FINDER.open(log)


def test_a_running_agent_is_reached_through_its_socket(listener, tmp_path):
    """Once its session is known it is connected to; a message arrives as a control line, and an abort ends it."""
    channel = channel_of(found_in(tmp_path))
    assert channel.can("feedback") == UNHEARD
    channel.observe(RunStarted(session="s-1"))
    assert channel.can("feedback") == ""
    channel.send(Action("1", "feedback", "Hello."))
    assert receipts(channel, "1", ("delivered",))[-1].receipt == "delivered"
    told = json.loads(listener.stdout.readline())
    assert told == {"control": "message", "id": "1", "text": "Hello.", "by": "operator", "when": "next"}
    channel.observe(Prompted(text="Hello.", by="operator"))
    assert receipts(channel, "1", ("seen",))[-1].receipt == "seen"
    channel.send(Action("2", "abort"))
    assert receipts(channel, "2", ("done", "failed"))[-1].receipt == "done"
    assert listener.wait(20) == 3
    channel.close()


def test_who_listens_is_verified_by_the_kernel(listener):
    """The process behind the socket is the one that signals go to."""
    wire = NamedWire(state_folder("control"))
    wire.know("s-1")
    found = wire.identity()
    assert found is not None
    assert found.pid == listener.pid
    listener.send_signal(signal.SIGKILL)
    listener.wait()
    until(lambda: wire.identity() is None)
    wire.close()


@pytest.mark.parametrize("name", ["", "../control/s-1", "/tmp/s-1", "s-1\0", ".s-1", "x" * 200, "other"])
def test_a_name_that_leads_elsewhere_is_nobodys(listener, name):
    """A session that names a path, or nothing, connects to nothing."""
    wire = NamedWire(state_folder("control"))
    wire.know(name)
    assert wire.problem == UNHEARD
    assert wire.identity() is None
    wire.say("x")
    assert wire.poll() == [(1, UNHEARD)]


def test_a_socket_that_nobody_listens_on_is_none():
    """A socket left by an agent that is gone is not connected to."""
    left = socket.socket(socket.AF_UNIX)
    folder = state_folder("control")
    path = folder / "gone.sock"
    if len(str(path)) < 100:
        left.bind(str(path))
    left.close()
    wire = NamedWire(folder)
    wire.know("gone")
    assert wire.problem == UNHEARD

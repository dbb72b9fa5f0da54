"""A Codex that somebody else started: which way leads to it, and what is said when none does."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager

import pytest
from waiting import until

from monitor.actions import Action
from monitor.agents.codex import shared
from monitor.agents.codex.find import FINDER
from monitor.agents.codex.foreign import channel, server_of
from monitor.agents.codex.process import home
from monitor.agents.codex.shared import SharedChannel
from monitor.agents.codex.stopping import IDLE
from monitor.channels.paned import PaneChannel
from monitor.config import state_folder
from monitor.control import NoChannel
from monitor.streams.open import open_reader

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells who holds a file open")
THREAD = "01a22b69-8ca6-77c1-ac7f-36def6feaf53"


@pytest.fixture
def rollout():
    path = home() / "sessions/2026/11/30" / f"rollout-2026-11-30T07-44-27-{THREAD}.jsonl"
    path.parent.mkdir(parents=True)
    meta = {"type": "session_meta", "payload": {"id": THREAD, "originator": "codex-tui", "cwd": "/"}}
    path.write_text(json.dumps(meta) + "\n")
    return path


@contextmanager
def holding(rollout, tmp_path, *words):
    """A process that is called codex, and has the rollout open."""
    program = tmp_path / "codex"
    program.symlink_to(sys.executable)
    code = "import sys; held = open(sys.argv[1]); print(flush=True); input()"
    with subprocess.Popen(
        [str(program), "-c", code, str(rollout), *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        process.stdout.readline()
        yield process
        process.kill()


def test_an_exec_is_reached_by_signals(rollout, tmp_path):
    """Alone in its process it can be stopped, and the command that resumes it is known; its end is what it says."""
    with holding(rollout, tmp_path, "exec") as process:
        found = FINDER.open(rollout)
        reached = channel(found)
        assert isinstance(reached, PaneChannel)
        assert reached.can("abort") == ""
        assert reached.how("abort").startswith("SIGINT ends the run")
        assert reached.plan().remains.endswith(f"codex resume {THREAD}")
        reached.send(Action("1", "abort"))
        until(lambda: any(one.receipt == "done" for one in reached.receipts()))
        assert process.wait(10) is not None
        assert reached.offer("go on").startswith(f"codex exec resume {THREAD} ")
        reached.close()


def test_without_a_process_it_is_only_read(rollout, tmp_path):
    """A rollout that nobody holds open, and a piped stream: each says why."""
    reached = channel(FINDER.open(rollout))
    assert "holds its rollout open" in reached.can("abort")
    reached.close()
    assert isinstance(channel(FINDER.pipe("the pipe")), NoChannel)


def test_a_shared_server_is_never_signalled(rollout, tmp_path):
    """Where no socket of that very process is there, nothing can be done; no signal would be sent in any case."""
    with holding(rollout, tmp_path, "app-server") as process:
        found = FINDER.open(rollout)
        assert server_of(found) == process.pid
        reached = channel(found)
        assert isinstance(reached, SharedChannel)
        assert reached.can("feedback") == "its server's socket cannot be reached"
        assert "other threads" in reached.can("pause")
        reached.send(Action("1", "abort", force="kill"))
        assert [one.receipt for one in reached.receipts()][-1] == "failed"
        assert process.poll() is None
        reached.close()


class Server:
    """A socket where Codex's would be, on which this very process listens."""

    def __init__(self):
        folder = home() / "app-server-control"
        folder.mkdir(parents=True)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(folder / "app-server-control.sock"))
        self.listener.listen()
        self.listener.settimeout(10)
        self.said = b""
        self.peer = None
        self.thread = threading.Thread(target=self._serve)
        self.thread.start()

    def _serve(self):
        self.peer, _ = self.listener.accept()
        self.peer.settimeout(10)
        head = b""
        while b"\r\n\r\n" not in head:
            head += self.peer.recv(4096)
        self.peer.sendall(b"HTTP/1.1 101 Switching Protocols\r\n\r\n")

    def says(self, **message):
        data = json.dumps(message).encode()
        head = bytes([0x81, len(data)]) if len(data) < 126 else bytes([0x81, 126]) + len(data).to_bytes(2, "big")
        self.peer.sendall(head + data)

    def close(self):
        self.thread.join()
        if self.peer is not None:
            self.peer.close()
        self.listener.close()


@pytest.fixture
def server():
    made = Server()
    yield made
    made.close()


class Clock:
    now = 1_000.0

    def __call__(self):
        return self.now


def test_a_server_that_goes_away_is_looked_for_again(rollout, server):
    """What was under way has failed, with the reason; a log of a monitor that was killed is removed, ours at the end."""
    left = state_folder("control") / "codex-x-999999999.jsonl"
    left.write_text("")
    clock = Clock()
    found = FINDER.open(rollout)
    reached = SharedChannel(found, os.getpid, clock)
    assert not left.exists()
    log = found.inputs()[1].path
    reader = open_reader(found.inputs()[1])

    def hears():
        told = reached.receipts()
        for record in reader.read():
            reached.hear(record)
        return told

    until(lambda: hears() or not server.thread.is_alive())
    server.says(id="monitor-2", result={"thread": {"id": THREAD}})
    server.says(id="monitor-3", result={"data": [{"id": "t1", "status": "inProgress"}]})
    until(lambda: hears() or reached.can("abort") == "")
    reached.send(Action("1", "feedback", "Look."))
    reached.send(Action("2", "abort"))
    server.peer.close()
    told = []
    until(lambda: told.extend(hears()) or {one.id for one in told if one.receipt == "failed"} == {"1", "2"})
    assert reached.can("feedback")
    assert reached.due == clock.now + shared._AGAIN
    reader.close()
    reached.close()
    assert not log.exists()


@pytest.mark.parametrize(
    "first",
    [
        {"error": {"code": -32601, "message": "list_turns is not supported yet"}},
        {"result": {"data": [{"id": "t1", "status": "interrupted"}]}},
    ],
)
def test_a_turn_whose_beginning_was_missed_is_asked_for_again(rollout, server, first):
    """Attached in the moment a turn begins, the server cannot tell it yet: it is asked until it does, and words wait."""
    clock = Clock()
    found = FINDER.open(rollout)
    reached = SharedChannel(found, os.getpid, clock)
    log = found.inputs()[1].path
    reader = open_reader(found.inputs()[1])
    told = []

    def asked():
        return log.read_bytes().count(b"thread/turns/list")

    def hears():
        told.extend(reached.receipts())
        for record in reader.read():
            reached.hear(record)

    until(lambda: hears() or not server.thread.is_alive())
    server.says(id="monitor-3", **first)
    server.says(id="monitor-2", result={"thread": {"id": THREAD, "status": {"type": "active"}}})
    until(lambda: hears() or reached.how("feedback", "later").startswith("into the server's queue"))
    assert reached.can("abort") == IDLE
    reached.send(Action("1", "feedback", "Look."))
    assert asked() == 1
    clock.now += shared._ASKED_AGAIN
    until(lambda: hears() or asked() == 2)
    server.says(id="monitor-3", result={"data": [{"id": "t1", "status": "inProgress"}]})
    until(lambda: hears() or reached.can("abort") == "")
    until(lambda: hears() or [one.receipt for one in told] == ["queued", "delivered"])
    reader.close()
    reached.close()


@pytest.mark.parametrize("status", ["completed", "failed"])
def test_a_thread_whose_last_turn_has_ended_is_not_at_work(rollout, server, status):
    """A word that it is at work, older than the end of its turn, keeps nothing waiting."""
    found = FINDER.open(rollout)
    reached = SharedChannel(found, os.getpid, Clock())
    reader = open_reader(found.inputs()[1])

    def hears():
        reached.receipts()
        for record in reader.read():
            reached.hear(record)

    until(lambda: hears() or not server.thread.is_alive())
    server.says(id="monitor-2", result={"thread": {"id": THREAD, "status": {"type": "active"}}})
    until(lambda: hears() or reached.how("feedback").startswith("into the turn"))
    server.says(id="monitor-3", result={"data": [{"id": "t1", "status": status}]})
    until(lambda: hears() or reached.how("feedback") == "as the next turn")
    reader.close()
    reached.close()

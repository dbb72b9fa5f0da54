"""Which process of OpenCode may work on a session."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from contextlib import contextmanager

import psutil
import pytest
from opencode_database import Database
from opencode_logs import SESSION

from monitor.agents.opencode import database as places
from monitor.agents.opencode.process import Worker, ports_in, running
from monitor.agents.opencode.stored import named
from monitor.reaching import channel_of
from monitor.supervisor import Supervisor
from monitor.targets import find

NAME = f"oc-{os.getpid()}"
"""A program of these tests alone: the person who runs them may have an OpenCode at work."""
CODE = (
    "import os, socket, sys; held = socket.create_server(('127.0.0.1', 0)) if sys.argv[1:] == ['listen'] else None;"
    "begun = os.fork() if sys.argv[1:] == ['starts'] else 1;"
    "begun and print(held.getsockname()[1] if held else 0, flush=True); input()"
)


@pytest.fixture(autouse=True)
def only_ours(monkeypatch):
    """No other process counts."""
    monkeypatch.setattr("monitor.agents.opencode.process.NAMES", (NAME,))


@contextmanager
def opencode(folder, *words):
    """A program of that name, at work in a folder; its port."""
    folder.mkdir(exist_ok=True)
    program = folder.parent / NAME
    if not program.exists():
        program.symlink_to(sys.executable)
    with subprocess.Popen(
        [str(program), "-c", CODE, *words], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        yield process, int(process.stdout.readline())
        process.kill()


@pytest.mark.parametrize(
    ("words", "ports"),
    [
        (["opencode", "--port", "4096"], [4096]), (["opencode", "serve", "--port=80"], [80]), (["opencode", "--port"], []),
        (["opencode", "--port", "x"], []), (["opencode", "--port", "0"], []), (["opencode", "--port", "70000"], []), ([], []),
    ],
)  # fmt: skip
def test_a_port_in_a_command_line(words, ports):
    """As it was given, where it can be one."""
    assert list(ports_in(words)) == ports


def test_a_process_its_folder_and_its_port(tmp_path):
    """By the name of its program; what it listens on is seen, whatever its command line says."""
    with opencode(tmp_path / "work", "listen") as (process, port):
        (found,) = [one for one in running(ports=True) if one.process.pid == process.pid]
        assert (found.folder, found.ports) == (str(tmp_path / "work"), (port,))
        with socket.create_connection(("127.0.0.1", port)):
            pass


def test_what_it_has_begun_to_start_is_no_second_one(tmp_path):
    """Between fork and exec a child looks as its parent does; the session is still known to be worked on by that."""
    folder = tmp_path / "work"
    with opencode(folder, "starts") as (process, _):
        (child,) = psutil.Process(process.pid).children()
        assert child.cmdline() == psutil.Process(process.pid).cmdline()
        assert [one.process.pid for one in running()] == [process.pid]
        assert Worker(str(folder), lambda: time.time() + 1).process().pid == process.pid
        process.stdin.close()
        child.wait(30)


def test_the_one_in_its_folder_works_on_it(tmp_path):
    """Where there is just one, and it began before the session was last written to; two may both have it."""
    folder = tmp_path / "work"
    assert Worker(str(folder), time.time).alive() is False
    with opencode(folder) as (process, _):
        worker = Worker(str(folder), lambda: time.time() + 1)
        assert worker.process().pid == process.pid
        assert worker.alive() is True
        assert Worker(str(folder), lambda: 1.0).alive() is False
        assert Worker("/elsewhere", lambda: time.time() + 1).alive() is None
        with opencode(folder):
            assert Worker(str(folder), lambda: time.time() + 1).alive() is None
        process.kill()
        process.wait()
        assert worker.alive() is False


def test_a_session_without_a_port_is_only_read(tmp_path):
    """Its folder is known by its process; the reason why it cannot be told anything is said, and how to go on after it."""
    folder = tmp_path / "it's"
    made = Database(places.database())
    made.session(directory=str(folder), updated=int((time.time() + 60) * 1000))
    with opencode(folder):
        found = find(SESSION)
        assert (found.alive(), found.project()) == (True, folder)
        channel = channel_of(found)
        assert "listens on no port" in channel.can("feedback")
        assert channel.offer("Use tabs") == ""
    (ended,) = named(made.path, SESSION)
    assert (ended.alive(), ended.project()) == (False, None)
    command = channel_of(ended).offer("Use tabs")
    assert command.startswith("cd '")
    assert f"opencode run --session {SESSION} " in command
    made.close()


def test_a_session_whose_process_is_gone(tmp_path):
    """In the middle of a turn: that is said, and nothing is held to run."""
    folder = tmp_path / "work"
    made = Database(places.database())
    made.session(directory=str(folder), updated=int((time.time() + 60) * 1000))
    with opencode(folder) as (process, _):
        run = Supervisor(find(SESSION), live=True)
        run.step()
        process.kill()
        process.wait()
    end = time.monotonic() + 20
    while "its process is gone" not in run.snapshot.verdict.reason:
        assert time.monotonic() < end, run.snapshot.verdict
        run.step()
    assert run.snapshot.verdict.state == "unknown"
    run.close()
    made.close()

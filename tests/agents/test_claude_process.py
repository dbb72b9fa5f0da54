"""The process of a session, verified."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from claude_lines import OTHER, SESSION, prompt, write

from monitor.agents.claude.find import FINDER
from monitor.agents.claude.process import config_folder
from monitor.agents.protocol import Process

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells a process's start time so")


@pytest.fixture
def projects():
    """The folder of the user's own sessions."""
    return config_folder() / "projects" / "-home-dev-app"


@pytest.fixture
def sleeper(tmp_path):
    """A process that works in a folder of its own."""
    folder = tmp_path / "worked in"
    folder.mkdir()
    process = subprocess.Popen([sys.executable, "-c", "input()"], cwd=folder, stdin=subprocess.PIPE)
    yield process, folder
    process.kill()
    process.wait()
    process.stdin.close()


def started(pid):
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]


def register(named, **more):
    told = {"pid": named, "sessionId": SESSION, "cwd": "/", "procStart": started(named), "status": "busy"} | more
    path = config_folder() / "sessions" / f"{named}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(told))
    return path


def test_a_session_that_left_no_word(projects):
    """Without a file of the process nobody knows whether it lives, and no folder is its."""
    found = FINDER.open(write(projects / f"{SESSION}.jsonl", prompt("go")))
    assert (found.alive(), found.project()) == (None, None)


@linux
def test_a_live_process(projects, sleeper):
    """Its file, verified by the kernel's start time, tells that it lives, where it works, and is followed too."""
    process, folder = sleeper
    found = FINDER.open(write(projects / f"{SESSION}.jsonl", prompt("go")))
    path = register(process.pid)
    (path.parent / f"{process.pid}.{'0' * 64}.key").write_text("secret")
    (path.parent / "1.json").write_text("broken")
    assert found.alive()
    assert found.project() == folder.resolve()
    assert found.process() == Process(process.pid, psutil.Process(process.pid).create_time())
    told = found.inputs()[-1]
    assert (told.name, told.role, told.shape, told.path) == (
        f"sessions/{process.pid}.json",
        "process",
        "document",
        path,
    )
    process.kill()
    process.wait()
    assert found.alive() is False
    assert found.project() is None


@linux
def test_a_process_that_is_gone_is_not_running(projects, sleeper):
    """`busy` in the file of a killed process says nothing: another process under its id is not it."""
    process, _ = sleeper
    found = FINDER.open(write(projects / f"{SESSION}.jsonl", prompt("go")))
    register(process.pid, procStart="1")
    assert found.alive() is False
    assert found.project() is None
    assert len(found.inputs()) == 1


@linux
@pytest.mark.parametrize(
    "more",
    [{"sessionId": OTHER}, {"procStart": None}, {"pidDomain": "linux:abc:pid:[1]"}, {"pid": 1}],
)
def test_a_file_that_proves_nothing(projects, sleeper, more):
    """Another session, no start time, another namespace or another id than the file's name: nothing is known."""
    process, _ = sleeper
    found = FINDER.open(write(projects / f"{SESSION}.jsonl", prompt("go")))
    register(process.pid, **more)
    assert (found.alive(), found.project()) == (None, None)
    assert len(found.inputs()) == 1


@linux
def test_a_log_elsewhere_cannot_point_at_a_process(tmp_path, sleeper):
    """Only the user's own folder is asked for processes, not one that lies beside the log."""
    process, _ = sleeper
    path = register(process.pid)
    write(tmp_path / "bad" / "sessions" / path.name, json.loads(path.read_text()))
    path.unlink()
    found = FINDER.open(write(tmp_path / "bad" / "projects" / "p" / f"{SESSION}.jsonl", prompt("go")))
    assert (found.alive(), found.project()) == (None, None)

"""How Codex's threads are found, by path, id and process."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import codex_logs as logs
import pytest

from monitor.agents.codex.find import FINDER
from monitor.agents.codex.kin import thread_of
from monitor.agents.codex.listing import LISTER
from monitor.finding.ends import FileEnds
from monitor.finding.machine import look

HOLDS = "import sys, time; held = open(sys.argv[1], 'a'); print('ready', flush=True); time.sleep(300)"
OTHER = "02b22b69-8c94-7ba1-829a-385fe1b08809"


@pytest.fixture
def home(tmp_path, monkeypatch):
    """Codex's own folder, in its usual place."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("CODEX_HOME", raising=False)
    return tmp_path / ".codex"


def rollout(home, thread=logs.THREAD, day="30", rows=()):
    path = home / "sessions/2026/11" / day / f"rollout-2026-11-{day}T07-44-27-{thread}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    told = [logs.meta(id=thread), logs.told("task_started"), logs.user("Mend it\nplease"), *rows]
    path.write_text("".join(json.dumps(row) + "\n" for row in told))
    return path


@pytest.fixture
def holder(tmp_path):
    """Starts a process called codex that holds a file open, as Codex does."""
    program = tmp_path / "bin/codex"
    program.parent.mkdir()
    shutil.copy(Path(sys.executable).resolve(), program)
    started = []

    def hold(path):
        process = subprocess.Popen(
            [program, "-S", "-c", HOLDS, path], stdout=subprocess.PIPE, cwd=tmp_path,
            env={**os.environ, "PYTHONHOME": sys.base_prefix},
        )  # fmt: skip
        started.append(process)
        assert process.stdout.readline() == b"ready\n"
        return process

    yield hold
    for process in started:
        process.kill()
        process.wait()
        process.stdout.close()


def test_by_path_and_folder(home):
    """A rollout is known by its first line, whatever its name; in a folder the newest day's is taken."""
    old, new = rollout(home, OTHER, "29"), rollout(home)
    assert FINDER.open(old).title == OTHER
    for folder in (home, home / "sessions", new.parent):
        assert FINDER.open(folder).title == logs.THREAD
    copied = home / "log"
    shutil.copy(new, copied)
    assert FINDER.open(copied).title == "log"


def test_by_id(home):
    """A thread is found by the beginning of its id; too short a one finds nothing."""
    rollout(home, OTHER, "29")
    path = rollout(home)
    assert [one.session for one in FINDER.named(thread_of(path)[:8])] == [logs.THREAD]
    assert list(FINDER.named("01")) == []
    assert list(FINDER.named("../..")) == []


def test_a_home_elsewhere(home, tmp_path, monkeypatch):
    """Codex's own variable for its folder is honoured."""
    rollout(tmp_path / "elsewhere")
    assert list(FINDER.named(logs.THREAD)) == []
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "elsewhere"))
    assert [one.session for one in FINDER.named(logs.THREAD)] == [logs.THREAD]


def test_what_is_none(tmp_path):
    """Other files, empty ones and folders without rollouts are not Codex's."""
    for name, data in {"a": b"", "b": b"{}", "c": b'{"type":"session_meta","payload":{}}', "d": b"\xff\0"}.items():
        (tmp_path / name).write_bytes(data)
        assert FINDER.open(tmp_path / name) is None
    assert FINDER.open(tmp_path) is None


def test_a_first_line_longer_than_the_head(tmp_path):
    """A rollout whose instructions are longer than what is looked at is still known."""
    path = tmp_path / "log"
    path.write_text(json.dumps(logs.meta(base_instructions={"text": "x" * 200_000}), separators=(",", ":")) + "\n")
    assert FINDER.open(path) is not None


def test_the_process_that_writes_it(home, holder):
    """The process that holds the rollout open is its agent; once that is gone, the run is."""
    path = rollout(home)
    found = FINDER.open(path)
    assert (found.alive(), found.process(), found.project()) == (False, None, None)
    process = holder(path)
    assert (found.alive(), found.process().pid) == (True, process.pid)
    assert found.project() == Path(f"/proc/{process.pid}/cwd").readlink()
    process.kill()
    process.wait()
    assert found.alive() is False


def listed():
    return {one.session: one for one in LISTER.listed(look(), FileEnds())}


def test_listing(home, holder):
    """A listed thread is live in a turn, idle between turns, ended without a process, and says how that is known."""
    held, done = rollout(home), rollout(home, OTHER, "29", [logs.completed()])
    assert {one.state for one in listed().values()} == {"ended"}
    first, second = holder(held), holder(done)
    runs = listed()
    assert (runs[logs.THREAD].state, runs[logs.THREAD].pid) == ("live", first.pid)
    assert (runs[OTHER].state, runs[OTHER].pid) == ("idle", second.pid)
    assert str(first.pid) in runs[logs.THREAD].how
    assert (runs[OTHER].folder, runs[OTHER].title, runs[OTHER].version) == (logs.CWD, "Mend it", "0.171.0")
    assert runs[OTHER].began == time.mktime((2026, 11, 29, 7, 44, 27, 0, 0, -1))


def test_a_prompt_beyond_the_head(home):
    """The title is found where Codex wrote its instructions and the state of the world before it, each of many lines."""
    path = rollout(home, rows=[logs.output(f"c{number}", "y" * 500) for number in range(40)])
    meta, begun, prompt, *after = path.read_text().splitlines(keepends=True)
    state = [json.dumps(logs.row("world_state", {"text": "x" * 3_000})) + "\n"] * 12
    path.write_text("".join([meta, begun, *state, prompt, *after]))
    assert listed()[logs.THREAD].title == "Mend it"


def test_a_pipe_is_recognised():
    """A stream of `codex exec --json` is known from its first line."""
    head = json.dumps({"type": "thread.started", "thread_id": logs.THREAD}).encode()
    assert FINDER.sniff(head)
    assert FINDER.pipe("the pipe").alive() is None
    assert not FINDER.sniff(b'{"type":"thread.started"}')


def test_a_turn_that_began_far_above(home, holder):
    """Where its beginning lies beyond what is looked at, a turn without an end goes on; a thread without a turn waits."""
    instructions = {"base_instructions": {"text": "x" * 30_000}}
    work = [logs.output(f"c{number}", "y" * 500) for number in range(40)]
    path = rollout(home)
    first = logs.meta(id=logs.THREAD, **instructions)
    holder(path)
    for rows, state in (
        ([], "idle"),
        ([logs.told("task_started"), *work], "live"),
        ([*work, logs.completed()], "idle"),
    ):
        path.write_text("".join(json.dumps(row, separators=(",", ":")) + "\n" for row in (first, *rows)))
        assert listed()[logs.THREAD].state == state

"""What the README's table says reaches an agent is what its channel can do."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest
from found_machine import SESSION, dirtywork, lcode, register, sleeper, transcript
from kept_runs import kept, python

from monitor.agents.catalogue import AGENTS, table
from monitor.launch.command import AGENTS as LAUNCHED
from monitor.reaching import channel_of
from monitor.targets import find

VERBS = ("abort", "pause", "warn", "feedback", "allow", "deny")
LATER = "nothing waits for approval"
"""What can be done as soon as there is something to do it to."""
ID = "20261128-150000-abcdef"
SAYS = {
    "native": '{"event": "RunStarted", "agent": "tiny"}',
    "claude": '{"type": "system", "subtype": "init", "claude_code_version": "2", "session_id": "s"}',
}
APART = ("dirtywork", "opencode")
"""Reached by what they are asked, or by a server: their own tests show it."""
KNOWN = {one.agent: one for one in AGENTS}


def reached(channel):
    """Every verb that it carries, now or once there is something to answer."""
    return {verb for verb in VERBS if channel.can(verb) in ("", LATER)}


@pytest.mark.parametrize("agent", [name for name in LAUNCHED if name in KNOWN and name not in APART])
def test_what_reaches_one_that_monitor_started(agent, tmp_path):
    """By the keeper: messages, answers and signals, or signals alone."""
    code = f"print('''{SAYS.get(agent, '')}''', flush=True); import time; time.sleep(60)"
    with kept(python(code, agent=agent), tmp_path) as found:
        channel = channel_of(found)
        try:
            assert reached(channel) == set(KNOWN[agent].launched)
        finally:
            channel.close()


@contextmanager
def claude(home, folder):
    with sleeper(folder) as process:
        register(home, process.pid)
        yield find(str(transcript(home)))


@contextmanager
def dirty(home, folder):
    with sleeper(folder, "dirtywork") as process:
        began = time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime(time.time() + 1))
        yield find(str(dirtywork(home, "run-1", status="running", host_pid=process.pid, ended=None, started=began)))


@contextmanager
def code(home, folder):
    folder.mkdir()
    (folder / "lcode").write_text("input()")
    words = [sys.executable, str(folder / "lcode"), "-p", "go", "--resume", ID]
    with subprocess.Popen(words, cwd=folder, stdin=subprocess.PIPE) as process:
        yield find(str(lcode(home, ID, str(folder))))
        process.kill()


@contextmanager
def codex(home, folder):
    folder.mkdir()
    thread = "01a22b69-8ca6-77c1-ac7f-36def6feaf53"
    path = home / ".codex/sessions/2026/11/30" / f"rollout-2026-11-30T07-44-27-{thread}.jsonl"
    path.parent.mkdir(parents=True)
    meta = {"type": "session_meta", "payload": {"id": thread, "originator": "codex_exec", "cwd": str(folder)}}
    path.write_text(json.dumps(meta) + "\n")
    (folder / "codex").symlink_to(sys.executable)
    words = [
        str(folder / "codex"),
        "-c",
        "import sys; held = open(sys.argv[2]); print(flush=True); input()",
        "exec",
        str(path),
    ]
    with subprocess.Popen(words, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        yield find(str(path))
        process.kill()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells whose process it is")
@pytest.mark.parametrize(
    ("agent", "lives"), [("claude", claude), ("codex", codex), ("dirtywork", dirty), ("lcode", code)]
)
def test_what_reaches_one_that_runs_already(agent, lives, private_home, tmp_path):
    """Signals, where its process is verified; dirtywork's resume."""
    with lives(private_home, tmp_path / "work") as found:
        channel = channel_of(found)
        try:
            assert reached(channel) == set(KNOWN[agent].running)
        finally:
            channel.close()


def test_what_is_only_read(private_home):
    """A run without a process has no channel that could do anything."""
    channel = channel_of(find(str(transcript(private_home, SESSION))))
    assert reached(channel) == set()
    channel.close()
    assert table().count("only read | only read") == sum(not one.launched for one in AGENTS)

"""A command of Codex's, made one that an app-server is told."""

from __future__ import annotations

import json

import pytest

from monitor.agents.codex.launching import prepare
from monitor.errors import MonitorError
from monitor.launch.command import recognised


@pytest.mark.parametrize(
    ("words", "command", "thread", "task"),
    [
        (["codex", "Do it"], ["codex", "app-server"], {}, "Do it"),
        (["codex", "exec", "--json", "-m", "gpt-5.5", "Do it"], ["codex", "app-server"],
         {"approvalPolicy": "never", "model": "gpt-5.5"}, "Do it"),
        (["codex", "-c", "a=1", "--config=b=2", "-s", "read-only", "--", "-x"],
         ["codex", "-c", "a=1", "--config", "b=2", "app-server"], {"sandbox": "read-only"}, "-x"),
        (["codex", "--full-auto", "exec"], ["codex", "app-server"],
         {"approvalPolicy": "never", "sandbox": "workspace-write"}, ""),
        (["codex", "app-server"], ["codex", "app-server"], {}, ""),
    ],
)  # fmt: skip
def test_a_command_becomes_a_server(words, command, thread, task):
    """What the command says is said to the server: its settings, its model, its prompt."""
    found, first, asked = prepare(words)
    assert (list(found), asked) == (command, task)
    methods = [json.loads(line).get("method") for line in first]
    assert methods == ["initialize", "initialized", "thread/start"]
    assert json.loads(first[2])["params"] == thread


@pytest.mark.parametrize(
    "words", [["codex", "login"], ["codex", "resume", "x"], ["codex", "--image", "a.png", "Do it"], ["codex", "-m"], ["codex", "a b", "c"], ["codex", "-"]]
)  # fmt: skip
def test_what_a_server_cannot_be_told_is_refused(words):
    """A command that begins no run, an option that would be lost, a prompt from elsewhere: refused, with a hint."""
    with pytest.raises(MonitorError):
        prepare(words)
    assert recognised(words) == "codex"

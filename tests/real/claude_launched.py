"""The real Claude Code as monitor starts it, at work on a script."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager

from installed import program
from kept_runs import kept, watched
from model import ScriptedModel
from turns import Turn

from monitor.launch.command import prepare
from monitor.processes.family import Family
from monitor.reaching import channel_of

CLAUDE = program("Claude Code")
WORDS = "The second write failed: read the file again."
WAITS = ("Bash", {"command": "until [ -e go ]; do sleep 0.05; done; echo went", "description": "wait"})
DETACHED = "setsid sleep 300 >/dev/null 2>&1 & until [ -e go ]; do sleep 0.05; done"
LEAVES = ("Bash", {"command": DETACHED, "description": "wait"})
WRITES = ("Write", {"file_path": "{repo}/new.txt", "content": "x\n"})


def bare(tmp_path, monkeypatch):
    """A folder to work in; nothing of this machine's environment reaches the agent but the path."""
    for name in list(os.environ):
        if name not in ("PATH", "HOME"):
            monkeypatch.delenv(name)
    own = {
        "ANTHROPIC_API_KEY": "made-up", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1",
        "DISABLE_TELEMETRY": "1", "TERM": "xterm-256color",
    }  # fmt: skip
    for name, value in own.items():
        monkeypatch.setenv(name, value)
    folder = tmp_path / "repo"
    folder.mkdir()
    return folder


@contextmanager
def working(repo, monkeypatch, turns, *options):
    """The real program at work on a script; its watch and the model."""
    turns = [
        Turn(**{**{name: getattr(one, name) for name in one.__slots__}, "calls": placed(one, repo)}) for one in turns
    ]
    options = ("--permission-mode", "default", *options)
    with (
        ScriptedModel(turns) as model,
        launched(repo, monkeypatch, model, *options) as found,
        watched(found, channel_of(found)) as watch,
    ):
        yield watch, model, turns


@contextmanager
def launched(repo, monkeypatch, model, *options):
    """A run that monitor started."""
    monkeypatch.setenv("ANTHROPIC_BASE_URL", model.url)
    with kept(prepare([str(CLAUDE), "-p", "Rename the app", *options], "claude"), repo) as found:
        yield found


def placed(turn, repo):
    """Its calls with the folder filled in."""
    return tuple((name, json.loads(json.dumps(given).replace("{repo}", str(repo)))) for name, given in turn.calls)


def asked(model):
    """The conversations that were sent to the model, as text."""
    return [json.dumps(one["messages"]) for one in model.requests if one.get("tools")]


def busy(watch, commands):
    """Wait until a call runs, with so many processes."""
    root = watch.found.identity()
    assert root is not None
    family = Family(root, watch.found.mark)
    watch.until(
        lambda: (
            sum("until [" in one.identity.command or one.identity.command == "sleep 300" for one in family.look())
            >= commands
        )
    )
    return family

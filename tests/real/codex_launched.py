"""The real Codex as monitor starts it, and as somebody else does, at work on a script."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from installed import program
from kept_runs import kept
from model import ScriptedModel
from turns import Turn
from waiting import until

from monitor.launch.command import prepare
from monitor.opening import supervised
from monitor.supervisor import Supervisor

CODEX = program("Codex")
PATIENCE = 60.0
NOWHERE = "http://127.0.0.1:9/"
"""Nobody listens there: what would leave this machine goes nowhere."""
WAITS = ("exec_command", {"cmd": "until [ -e go ]; do sleep 0.05; done; echo went", "yield_time_ms": 20_000})


wait_for = partial(until, patience=PATIENCE)
"""Waits as long as the real agent may take."""


def bare(tmp_path: Path, monkeypatch: Any) -> Path:
    """A folder to work in; nothing of this machine's environment reaches the agent but the path."""
    for name in list(os.environ):
        if name not in ("PATH", "HOME"):
            monkeypatch.delenv(name)
    own = {
        "HTTP_PROXY": NOWHERE, "HTTPS_PROXY": NOWHERE, "ALL_PROXY": NOWHERE, "NO_PROXY": "127.0.0.1,localhost",
        "TERM": "xterm-256color", "SHELL": "/bin/sh", "MADE_UP_KEY": "made-up-key-for-tests",
    }  # fmt: skip
    for name, value in own.items():
        monkeypatch.setenv(name, value)
    folder = tmp_path / "repo"
    folder.mkdir()
    (folder / "hello.py").write_text("print('hello')\n")
    return folder


def configured(
    model: ScriptedModel,
    repo: Path,
    approval: str = "never",
    sandbox: str = "danger-full-access",
    tables: str = "",
) -> None:
    """The model is the scripted one, and nothing else is configured but these tables."""
    home = Path.home() / ".codex"
    home.mkdir(exist_ok=True)
    (home / "config.toml").write_text(f"""
model = "gpt-5.5"
model_provider = "scripted"
approval_policy = "{approval}"
sandbox_mode = "{sandbox}"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.scripted]
name = "scripted"
base_url = "{model.url}/v1"
wire_api = "responses"
env_key = "MADE_UP_KEY"
[projects."{repo}"]
trust_level = "trusted"
{tables}
""")


@contextmanager
def working(
    repo: Path, turns: Sequence[Turn], *words: str, agents: Mapping[str, Sequence[Turn]] | None = None, **more: str
) -> Iterator[tuple[Supervisor, ScriptedModel]]:
    """The real program at work on a script, started and watched by monitor; its sub-agents have scripts of their own."""
    with ScriptedModel(turns, agents=agents) as model:
        configured(model, repo, **more)
        prepared = prepare([str(CODEX), *(words or ("Say hi instead",))], "codex")
        with kept(prepared, repo) as found:
            found.task = prepared.task
            supervisor = supervised(found, repo)
            supervisor.start()
            try:
                yield supervisor, model
            finally:
                supervisor.close()
                assert not supervisor.problem


def asked(model: ScriptedModel) -> list[str]:
    """What was sent to the model, as text."""
    return [json.dumps(one["input"]) for one in list(model.requests) if one.get("tools") is not None]


def patch(old: str, new: str, file: str = "hello.py") -> tuple[str, str]:
    """A change of one line by Codex's own tool."""
    return "apply_patch", f"*** Begin Patch\n*** Update File: {file}\n@@\n-{old}\n+{new}\n*** End Patch\n"


def receipt(supervisor: Supervisor, action: str) -> str:
    return next((one.receipt for one in supervisor.snapshot.actions if one.id == action), "")


def arrived(supervisor: Supervisor, action: str) -> bool:
    """Whether the words got as far as Codex: that it took them up may show in the same moment."""
    return receipt(supervisor, action) in ("delivered", "seen", "done")

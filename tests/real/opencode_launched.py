"""The real OpenCode as monitor starts it, and as somebody else does, at work on a script."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from installed import program
from kept_runs import Watch, kept, watched
from model import ScriptedModel
from turns import Turn
from waiting import until

from monitor.launch.command import prepare
from monitor.reaching import channel_of, followed

OPENCODE = program("OpenCode")
WORDS = "The second write failed: read the file again."
PATIENCE = 150.0
"""Seconds: on a busy machine the program alone takes half a minute to start."""
WAITS = ("bash", {"command": "until [ -e go ]; do sleep 0.05; done; echo went", "description": "wait"})
NOWHERE = "http://127.0.0.1:9/"
"""Nobody listens there: what would leave this machine goes nowhere."""


def bare(tmp_path: Path, monkeypatch: Any) -> Path:
    """A folder to work in; nothing of this machine's environment reaches the agent but the path."""
    for name in list(os.environ):
        if name not in ("PATH", "HOME"):
            monkeypatch.delenv(name)
    for name, value in _own().items():
        monkeypatch.setenv(name, value)
    folder = tmp_path / "repo"
    folder.mkdir()
    (folder / "app.py").write_text("print('hello')\n")
    return folder


def _own() -> dict[str, str]:
    return {
        "OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
        "OPENCODE_DISABLE_LSP_DOWNLOAD": "1", "HTTP_PROXY": NOWHERE, "HTTPS_PROXY": NOWHERE, "NO_PROXY": "127.0.0.1,localhost",
        "npm_config_registry": NOWHERE, "TERM": "xterm-256color", "SHELL": "/bin/sh",
    }  # fmt: skip


def configured(monkeypatch: Any, model: ScriptedModel, **more: Any) -> None:
    """The model is the scripted one, and nothing else is configured."""
    options = {"baseURL": f"{model.url}/v1", "apiKey": "made-up"}
    provider = {"npm": "@ai-sdk/openai-compatible", "name": "fake", "options": options, "models": {"scripted": {}}}
    told = {"autoupdate": False, "share": "disabled", "model": "fake/scripted", "small_model": "fake/scripted"}
    monkeypatch.setenv("OPENCODE_CONFIG_CONTENT", json.dumps({**told, "provider": {"fake": provider}, **more}))


@contextmanager
def working(
    repo: Path, monkeypatch: Any, turns: Sequence[Turn], **config: Any
) -> Iterator[tuple[Watch, ScriptedModel]]:
    """A run that monitor started; its watch and the model."""
    with (
        ScriptedModel(turns) as model,
        launched(repo, monkeypatch, model, **config) as found,
        watched(found, channel_of(found)) as watch,
    ):
        yield watch, model


@contextmanager
def launched(repo: Path, monkeypatch: Any, model: ScriptedModel, **config: Any) -> Iterator[Any]:
    """A run that monitor started."""
    configured(monkeypatch, model, **config)
    prepared = prepare([str(OPENCODE), "run", "Rename the app"], "opencode")
    with kept(prepared, repo) as found:
        followed(found)
        yield found


def asked(model: ScriptedModel) -> list[str]:
    """The conversations that were sent to the model, as text."""
    return [json.dumps(one["messages"]) for one in list(model.requests) if one.get("tools")]


wait_for = partial(until, patience=PATIENCE)
"""Waits as long as the real agent may take."""


@contextmanager
def serving(repo: Path, password: str = "") -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """A server that somebody else started; its port."""
    environment = {**os.environ, **({"OPENCODE_SERVER_PASSWORD": password} if password else {})}
    output = repo.parent / "server.out"
    with output.open("wb") as out:
        process = subprocess.Popen(
            [str(OPENCODE), "serve", "--hostname", "127.0.0.1", "--port", "0"],
            cwd=repo, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True,
        )  # fmt: skip
    try:
        found = wait_for(lambda: re.search(rb"listening on http://[^:]+:(\d+)", output.read_bytes()), "its port")
        yield int(found[1]), process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(PATIENCE)


def run(repo: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """One command of OpenCode, to its end."""
    return subprocess.run(
        [str(OPENCODE), *words], cwd=repo, env=dict(os.environ), stdin=subprocess.DEVNULL, capture_output=True, text=True,
        check=False, timeout=PATIENCE,
    )  # fmt: skip

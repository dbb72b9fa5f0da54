"""The real OpenCode's window in a pane of a tmux server of the test's own; it listens on no port."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
from model import ScriptedModel
from opencode_launched import OPENCODE, configured, wait_for
from panes import Tmux, tmux_server
from turns import Turn

from monitor.agents.opencode.process import Running, running

PROMPT = "Rename the app"
_HOME = "Ask anything"
"""What stands in the window's field before anything was said."""


class Window:
    """One window, at work in a folder."""

    def __init__(self, model: ScriptedModel, repo: Path, tmux: Tmux, pane: str) -> None:
        self.model, self.repo, self.tmux = model, repo, tmux
        self._pane = pane

    def shown(self) -> str:
        """What stands on its screen."""
        return self.tmux.run("capture-pane", "-p", "-J", "-t", self._pane)

    def type(self, text: str) -> None:
        """Type a line; Enter comes once it is seen."""
        wait_for(lambda: self.tmux.reads_keys(self._pane), "a program that reads keys", self.shown)
        self.tmux.run("send-keys", "-t", self._pane, "-l", text)
        wait_for(lambda: text in self.shown(), f"{text} on the screen", self.shown)
        self.tmux.run("send-keys", "-t", self._pane, "Enter")

    def process(self) -> Running:
        """Its process, which works in the folder."""
        here = [one for one in running(ports=True) if one.folder == str(self.repo)]
        assert len(here) == 1, here
        return here[0]


@contextmanager
def in_pane(repo: Path, monkeypatch: Any, turns: Sequence[Turn], *options: str, **config: Any) -> Iterator[Window]:
    """A window that was given something to do, as a user opens it: without a port, where no option names one."""
    with ScriptedModel(turns) as model, tmux_server(repo.parent) as tmux:
        configured(monkeypatch, model, **config)
        # For any plug-in OpenCode asks the registry, which is nowhere.
        monkeypatch.setenv("npm_config_fetch_retries", "0")
        words = [f"{name}={value}" for name, value in os.environ.items()]
        tmux.open("-c", str(repo), "env", "-i", *words, str(OPENCODE), *options)
        program = psutil.Process(int(tmux.run("display-message", "-p", "-t", "%0", "#{pane_pid}")))
        window = Window(model, repo, tmux, "%0")
        try:
            wait_for(lambda: _HOME in window.shown(), "its window", window.shown)
            window.type(PROMPT)
            yield window
        finally:
            with suppress(psutil.NoSuchProcess):
                program.kill()  # OpenCode may outlive its terminal, and then never rests

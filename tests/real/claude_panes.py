"""The real Claude Code in a pane of a tmux server of the test's own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from claude_sessions import CLAUDE, Started, begun_before, own
from model import ScriptedModel
from panes import Tmux, tmux_server
from turns import Turn
from waiting import until


class InPane(Started):
    """One session in its pane."""

    def __init__(self, model: ScriptedModel, repo: Path, tmux: Tmux) -> None:
        self.model, self.repo, self.tmux = model, repo, tmux

    def type(self, text: str) -> None:
        """Type a line; Enter comes once it is seen."""
        until(lambda: self.tmux.reads_keys("%0"), "a program that reads keys")
        self.tmux.run("send-keys", "-t", "%0", "-l", text)
        until(lambda: text in self.shown(), f"{text} on the screen")
        self.tmux.run("send-keys", "-t", "%0", "Enter")

    def shown(self) -> str:
        """The pane's screen."""
        return self.tmux.run("capture-pane", "-p", "-J", "-t", "%0")


@contextmanager
def in_pane(
    repo: Path, folder: Path, turns: Sequence[Turn], *options: str, prompt: str = "Rename the app"
) -> Iterator[InPane]:
    """A session at work on a script, in a terminal that is a pane."""
    repo.mkdir(parents=True, exist_ok=True)
    begun_before(repo)
    with ScriptedModel(turns) as model, tmux_server(folder) as tmux:
        words = [f"{name}={value}" for name, value in own(model).items()]
        tmux.open("-c", str(repo), "env", *words, str(CLAUDE), "--permission-mode", "acceptEdits", *options)
        started = InPane(model, repo, tmux)
        until(lambda: "for shortcuts" in started.shown() or "❯" in started.shown(), "its prompt")
        started.type(prompt)
        yield started

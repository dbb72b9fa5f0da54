"""The real Claude Code as somebody else starts it: in a terminal, or with `-p`; with nothing of this machine's configuration."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from installed import program
from model import ScriptedModel
from turns import Turn
from waiting import until

from monitor.agents.claude.find import FINDER
from monitor.agents.claude.session import Session as Found

CLAUDE = program("Claude Code")
PATIENCE = 30.0
KEY = "made-up-key-for-tests"
_TAIL = 20
"""Characters of a key by which it is known as approved."""


class Started:
    """One running session, its model, and its folder."""

    def __init__(
        self, model: ScriptedModel, repo: Path, process: subprocess.Popen[bytes], terminal: int | None
    ) -> None:
        self.model, self.repo, self.process = model, repo, process
        self._terminal = terminal
        self.screen = bytearray()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def found(self) -> Found:
        """The run as monitor finds it."""
        projects = Path.home() / ".claude" / "projects"
        until(lambda: [*projects.glob("*/*.jsonl")], "a transcript")
        found = FINDER.open(next(projects.glob("*/*.jsonl")))
        assert found is not None
        return found

    def type(self, text: str) -> None:
        """Type a line into its terminal; Enter comes apart, so that it is no paste.

        What is typed before the program reads each key would be shown by the terminal itself, and come as one paste.
        """
        terminal = self._terminal
        assert terminal is not None
        until(lambda: not termios.tcgetattr(terminal)[3] & termios.ICANON, "a program that reads keys")
        begun = len(self.screen)
        os.write(terminal, text.encode())
        until(lambda: text.rsplit(maxsplit=1)[-1] in self.shown(begun), f"{text} on the screen", self.shown)
        os.write(terminal, b"\r")

    def shown(self, begin: int = 0) -> str:
        """What its terminal was sent from some byte on, without the codes that move and colour."""
        return re.sub(
            r"\x1b\[[0-9;?>=]*[A-Za-z]|\x1b[\]P][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b.",
            " ",
            self.screen[begin:].decode("utf-8", "replace"),
        )

    def conversations(self) -> list[str]:
        """What was sent to the model, as text."""
        return [json.dumps(one["messages"]) for one in list(self.model.requests) if one.get("tools")]

    def asked(self, count: int) -> str:
        """Wait for so many requests; the latest."""
        until(lambda: len(self.conversations()) >= count, f"{count} requests, the screen: {self.shown()[-1500:]}")
        return self.conversations()[count - 1]

    def transcript(self) -> str:
        """The session's own record."""
        return "".join(path.read_text() for path in (Path.home() / ".claude" / "projects").glob("*/*.jsonl"))

    def _read(self) -> None:
        source = self._terminal if self._terminal is not None else self.process.stdout.fileno()  # type: ignore[union-attr]
        with suppress(OSError):
            while data := os.read(source, 1 << 16):
                self.screen += data

    def end(self) -> None:
        """Kill it, and what it started in its group."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        if self._terminal is not None:
            os.close(self._terminal)
        if self.process.stdout is not None:
            self.process.stdout.close()


@contextmanager
def session(
    repo: Path, turns: Sequence[Turn], *options: str, prompt: str = "Rename the app", interactive: bool
) -> Iterator[Started]:
    """A session at work on a script."""
    repo.mkdir(parents=True, exist_ok=True)
    with ScriptedModel(turns) as model:
        environment = own(model)
        command = [str(CLAUDE), "--permission-mode", "acceptEdits", "--allowedTools", "Bash", *options]
        started = (
            _in_terminal(command, repo, environment, model)
            if interactive
            else _alone([*command, "-p", prompt], repo, environment, model)
        )
        try:
            if interactive:
                until(
                    lambda: "for shortcuts" in started.shown() or "│" in started.shown() or "❯" in started.shown(),
                    "its prompt",
                )
                started.type(prompt)
            yield started
        finally:
            started.end()


def own(model: ScriptedModel) -> dict[str, str]:
    """The whole environment of a session: nothing of this machine's, and a model on loopback."""
    return {
        "PATH": os.environ["PATH"], "HOME": str(Path.home()), "ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": model.url,
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1", "DISABLE_TELEMETRY": "1",
        "TERM": "xterm-256color", "SHELL": "/bin/sh",
    }  # fmt: skip


def _alone(command: list[str], repo: Path, environment: dict[str, str], model: ScriptedModel) -> Started:
    process = subprocess.Popen(
        command, cwd=repo, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        start_new_session=True,
    )  # fmt: skip
    return Started(model, repo, process, None)


def begun_before(repo: Path) -> None:
    """As after its first start: the folder trusted, the key approved, nothing to be chosen."""
    told = {
        "hasCompletedOnboarding": True, "theme": "dark", "bypassPermissionsModeAccepted": True,
        "customApiKeyResponses": {"approved": [KEY[-_TAIL:]], "rejected": []},
        "projects": {str(repo): {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}},
    }  # fmt: skip
    (Path.home() / ".claude.json").write_text(json.dumps(told))


def _in_terminal(command: list[str], repo: Path, environment: dict[str, str], model: ScriptedModel) -> Started:
    begun_before(repo)
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 140, 0, 0))
    process = subprocess.Popen(
        command, cwd=repo, env=environment, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    return Started(model, repo, process, ours)

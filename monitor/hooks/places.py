"""Where an agent reads its hooks, and what is put there."""

from __future__ import annotations

import os
import re
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from monitor.agents.claude.process import config_folder
from monitor.config import state_folder, state_path
from monitor.errors import USAGE, MonitorError
from monitor.hooks import plug_in, program
from monitor.text import line

Agent = Literal["claude", "lcode", "opencode"]
AGENTS: tuple[Agent, ...] = ("claude", "lcode", "opencode")
EVENTS = (
    "PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "Stop", "UserPromptSubmit", "SessionStart",
)  # fmt: skip
"""Those of Claude Code that take an answer, or at which an order lapses."""
_MAIL = "hooks/mail/"
TIMEOUT = 10
"""Seconds an agent gives the hook: more than it ever takes."""
_OURS = re.compile(r"monitor[/\\]hooks[/\\]program\.py")
"""What every command of ours holds, of any version and in any place."""


@dataclass(frozen=True, slots=True)
class Place:
    """A file in which an agent reads its hooks."""

    agent: Agent
    path: Path
    project: Path | None = None
    """Of a file within a project: it must not lead out of it."""

    @property
    def shown(self) -> str:
        """Its path, fit to be shown."""
        return line(str(self.path))

    def target(self) -> Path:
        """The file itself, links followed: a user may keep his settings elsewhere.

        Raises `MonitorError` where a project's file leads out of the project.
        """
        found = Path(os.path.realpath(self.path))
        if self.project is not None and not found.is_relative_to(os.path.realpath(self.project)):
            raise MonitorError(f"{self.shown} leads out of the project, to {line(str(found))}", "Nothing was changed")
        return found


def place_of(agent: Agent, project: Path | None) -> Place:
    """The file for one agent: the user's, or a project's own that is not shared with others."""
    if agent == "opencode":
        base = project / ".opencode" if project is not None else _config_home() / "opencode"
        return Place("opencode", base / "plugin" / "monitor.js", project)
    if agent == "lcode":
        if project is not None:
            raise MonitorError(
                "lcode runs a project's hooks only after each change was approved in it",
                "Install them for yourself: monitor hooks install --agent lcode",
                USAGE,
            )
        return Place("lcode", _config_home() / "lcode" / "config.toml")
    if project is not None:
        return Place("claude", project / ".claude" / "settings.local.json", project)
    return Place("claude", config_folder() / "settings.json")


def command(agent: Agent) -> str:
    """The shell command of the hook; whatever fails in it, the agent sees that all is well. Of OpenCode, the plug-in's text.

    Python ends with 2 when the file it is to run is gone, which an agent takes for a refusal.
    """
    if agent == "opencode":
        return plug_in.written()
    file = Path(program.__file__).resolve()
    words = shlex.join([sys.executable, "-I", "-S", str(file), str(state_path(_MAIL + agent))])
    there = f"test -r {shlex.quote(str(file))} && {words}"
    if agent == "claude":
        return f"{there} || :"
    return f"{there} $PPID; case $? in {program.REFUSED}) exit 2;; {program.TOLD}) exit 1;; *) exit 0;; esac"


def mail(agent: Agent) -> Path:
    """The folder of an agent's mailboxes, made where it is missing."""
    return state_folder(_MAIL + agent)


def is_ours(text: object) -> bool:
    """Whether a command is one of ours, of any version."""
    return isinstance(text, str) and _OURS.search(text) is not None


def _config_home() -> Path:
    named = os.environ.get("XDG_CONFIG_HOME")
    return Path(named) if named else Path.home() / ".config"

"""Makes a command of OpenCode ready: a server of its own is started, and what it is to do is said to that."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from monitor.agents.opencode.server import PASSWORD
from monitor.errors import USAGE, MonitorError

_SERVE = ("serve", "--hostname", "127.0.0.1", "--port", "0")
_TAKEN = {"-m": "model", "--model": "model", "--agent": "agent", "--variant": "variant", "--title": "title"}
"""The options of `opencode run` that are said to a session as well."""
_IDLE = {"--format": True, "--print-logs": False, "--log-level": True}
"""Those that are left out, and whether a value follows."""
_ALONE = "OpenCode draws a screen of its own"
_HINT = (
    "Use: monitor run -- opencode run TEXT. Or start it yourself with `--port 4096`, and: monitor http://127.0.0.1:4096"
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A command, and what is said to the server that it starts; nothing is, where it prints its events by itself."""

    command: tuple[str, ...]
    added: tuple[str, ...]
    task: str = ""
    ask: Mapping[str, str] = field(default_factory=dict)
    env: Mapping[str, str] = field(default_factory=dict)


def prepare(command: Sequence[str], task: str) -> Asked:
    """A server with a password that only this run knows; for what a server cannot be asked, `opencode run` alone.

    Raises `MonitorError` where nothing says what is to be done.
    """
    program, words = command[0], tuple(command[1:])
    if not words and task:
        return _served(program, task, {})
    if words[:1] != ("run",) or task:
        raise MonitorError(_ALONE, _HINT, USAGE)
    told = _read(words[1:])
    if told is not None and told[0]:
        return _served(program, *told)
    added = () if "--format" in words else ("--format", "json")
    return Asked((program, *words[:1], *added, *words[1:]), added)


def _served(program: str, task: str, ask: Mapping[str, str]) -> Asked:
    return Asked((program, *_SERVE), _SERVE, task, ask, {PASSWORD: secrets.token_urlsafe(32)})


def _read(words: Sequence[str]) -> tuple[str, Mapping[str, str]] | None:
    """The task and the options of `opencode run`; none where one is among them that a session is not told."""
    ask: dict[str, str] = {}
    task: list[str] = []
    left = list(words)
    while left:
        word = left.pop(0)
        name, equals, value = word.partition("=")
        if word == "--":
            task += left
            break
        if name in _TAKEN or _IDLE.get(name):
            if not equals and not left:
                return None
            told = value if equals else left.pop(0)
            ask.update({_TAKEN[name]: told} if name in _TAKEN else {})
        elif word.startswith("-") and name not in _IDLE:
            return None
        elif not word.startswith("-"):
            task.append(word)
    return " ".join(task), ask

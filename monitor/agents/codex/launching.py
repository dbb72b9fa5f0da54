"""Makes a command of Codex one that monitor is the client of: its app-server, with the thread that was asked for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from monitor.errors import USAGE, MonitorError

_PASSED = {"-c", "--config", "--enable", "--disable"}
"""Options that an app-server takes too."""
_SETS = {
    "-m": "model", "--model": "model", "-s": "sandbox", "--sandbox": "sandbox", "-a": "approvalPolicy",
    "--ask-for-approval": "approvalPolicy",
}  # fmt: skip
"""Options that are settings of the thread."""
_NEEDLESS = {"--json", "--experimental-json", "--skip-git-repo-check"}
"""What only the output of `exec` is about."""
_FREE = "--dangerously-bypass-approvals-and-sandbox"
_OTHERS = {
    "login", "logout", "mcp", "mcp-server", "resume", "review", "apply", "a", "fork", "completion", "sandbox", "cloud",
    "features", "help", "doctor", "update", "debug", "queue", "plugin", "app",
}  # fmt: skip
"""Commands that are no new run."""
SERVER = "app-server"
INITIALIZE, START, TURNS = "monitor-1", "monitor-2", "monitor-3"
"""The ids of what is asked first."""


def prepare(command: Sequence[str], task: str = "") -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """The command of the app-server, the lines to be said to it first, and the task.

    Raises `MonitorError` where the command holds what an app-server cannot be told.
    """
    rest = list(command[1:])
    passed: list[str] = []
    thread: dict[str, str] = {}
    prompts: list[str] = []
    executes = False
    while rest:
        word = rest.pop(0)
        name, equals, value = word.partition("=")
        if word == "--":
            prompts += rest
            break
        if name in _PASSED or name in _SETS:
            value = value if equals else _value(name, rest)
            if name in _PASSED:
                passed += [name, value]
            else:
                thread[_SETS[name]] = value
        elif word == _FREE:
            thread |= {"approvalPolicy": "never", "sandbox": "danger-full-access"}
        elif word == "--full-auto":
            thread |= {"approvalPolicy": "on-request", "sandbox": "workspace-write"}
        elif word.startswith("-") and word != "-":
            if word not in _NEEDLESS:
                raise MonitorError(
                    f"{word}: an app-server cannot be told this", "Leave it out, or set it in config.toml", USAGE
                )
        elif word in (SERVER, "exec", "e") and not prompts and not executes:
            executes = True
            thread |= {"approvalPolicy": "never"} if word != SERVER else {}
        else:
            prompts.append(word)
    _checked(prompts)
    return (command[0], *passed, SERVER), first(thread), task or " ".join(prompts)


def first(thread: dict[str, str]) -> tuple[str, ...]:
    """What is said to an app-server first: who is there, and that a thread is to begin."""
    return (*_hello(), _line(id=START, method="thread/start", params=thread))


def attaching(thread: str) -> tuple[str, ...]:
    """What is said first to an app-server that others use: that a thread is to be listened to, and which turn runs."""
    resumed = {"threadId": thread, "excludeTurns": True}
    return (
        *_hello(),
        _line(id=START, method="thread/resume", params=resumed),
        asking(thread),
    )


def asking(thread: str) -> str:
    """Asks which turn of a thread was begun last."""
    return _line(id=TURNS, method="thread/turns/list", params={"threadId": thread, "limit": 1})


def _hello() -> tuple[str, ...]:
    who = {"name": "monitor", "title": "monitor", "version": "1"}
    asks = {"clientInfo": who, "capabilities": {"experimentalApi": True}}
    return _line(id=INITIALIZE, method="initialize", params=asks), _line(method="initialized")


def _line(**message: Any) -> str:
    return json.dumps(message)


def _value(name: str, rest: list[str]) -> str:
    if not rest:
        raise MonitorError(f"{name} wants a value", "Give one, or leave it out", USAGE)
    return rest.pop(0)


def _checked(prompts: Sequence[str]) -> None:
    if prompts and prompts[0] in _OTHERS:
        raise MonitorError(f"codex {prompts[0]} begins no run that can be reached", "Start it without monitor", USAGE)
    if len(prompts) > 1:
        raise MonitorError("it cannot be told which words are the prompt", "Put it last, in quotes", USAGE)
    if prompts and prompts[0] == "-":
        raise MonitorError(
            "codex would read its prompt from its standard input", "Give the prompt on the command line", USAGE
        )

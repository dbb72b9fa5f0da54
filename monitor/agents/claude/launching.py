"""Makes a Claude Code command one that is reached over its standard input, its prompt included."""

from __future__ import annotations

import json
from collections.abc import Sequence

from monitor.errors import USAGE, MonitorError

_ONE = {
    "--agent", "--agents", "--append-system-prompt", "--append-system-prompt-file", "--autocompact", "--debug-file",
    "--effort", "--environment", "--fallback-model", "--input-format", "--json-schema", "--max-budget-usd",
    "--max-turns", "--model", "-n", "--name", "--output-format", "--permission-mode", "--permission-prompt-tool",
    "--permission-prompts", "--plugin-dir", "--plugin-url", "--remote-control-session-name-prefix", "--session-id",
    "--setting-sources", "--settings", "--system-prompt", "--system-prompt-file", "--system-prompt-snapshot",
}  # fmt: skip
"""Options with a value."""
_MANY = {
    "--add-dir", "--allowedTools", "--allowed-tools", "--betas", "--disallowedTools", "--disallowed-tools", "--file",
    "--mcp-config", "--tools",
}  # fmt: skip
"""Options that take every word up to the next option."""
_MAYBE = {"-d", "--debug", "--from-pr", "--prompt-suggestions", "-r", "--resume", "-w", "--worktree"}
"""Options that may have a value."""
_ELSEWHERE = {"--bg", "--background", "--cloud", "--desktop", "--remote-control", "--teleport", "--tmux"}
"""Options by which the session runs somewhere else."""
_COMMANDS = {
    "agents",
    "auth",
    "config",
    "doctor",
    "install",
    "mcp",
    "plugin",
    "plugins",
    "setup-token",
    "update",
    "upgrade",
}
_NEEDED = (
    ("-p", "--print"), ("--input-format", "stream-json"), ("--output-format", "stream-json"), ("--verbose",),
    ("--include-partial-messages",), ("--replay-user-messages",), ("--permission-prompt-tool", "stdio"),
)  # fmt: skip
"""What the channel needs; the first is one option with two names."""


def prepare(command: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The command, the words added to it, and the lines to be said to it first.

    A prompt on the command line would be passed over without a word (measured), so it is said instead. Raises
    `MonitorError` where the command cannot be reached like this.
    """
    options, prompts = _parted(command[1:])
    if prompts and prompts[0] in _COMMANDS:
        raise MonitorError(f"claude {prompts[0]} is no run of an agent", "Start it without monitor", USAGE)
    if len(prompts) > 1:
        raise MonitorError("it cannot be told which words are the prompt", "Put it last, after --", USAGE)
    for option in options:
        if option.partition("=")[0] in _ELSEWHERE:
            raise MonitorError(f"{option}: the session would run elsewhere", "Leave it out", USAGE)
    added = _added(options)
    first = (_said(prompts[0]),) if prompts else ()
    return (command[0], *options, *added), tuple(added), first


def _parted(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """The options with their values, and the words that are none."""
    options: list[str] = []
    others: list[str] = []
    index = 0
    while index < len(words):
        word = words[index]
        index += 1
        if word == "--":
            others += words[index:]
            break
        if not word.startswith("-") or word == "-":
            others.append(word)
            continue
        options.append(word)
        most = 0 if "=" in word else len(words) if word in _MANY else 1 if word in _ONE or word in _MAYBE else 0
        while most and index < len(words) and (word in _ONE or not words[index].startswith("-")):
            options.append(words[index])
            index += 1
            most -= 1
    return options, others


def _added(options: Sequence[str]) -> list[str]:
    added: list[str] = []
    for name, *rest in _NEEDED:
        if name == "-p":
            added += [] if {"-p", "--print"} & set(options) else [name]
            continue
        given = _value(options, name)
        if given is None:
            added += [name, *rest]
        elif rest and given != rest[0] and name != "--permission-prompt-tool":
            raise MonitorError(f"{name} {given} does not go with monitor run", "Leave it out", USAGE)
    return added


def _value(options: Sequence[str], name: str) -> str | None:
    """What is given for an option; empty for one without a value, none where it is not given."""
    for index, option in enumerate(options):
        if option == name:
            return options[index + 1] if index + 1 < len(options) else ""
        if option.startswith(f"{name}="):
            return option.partition("=")[2]
    return None


def _said(prompt: str) -> str:
    message = {"role": "user", "content": prompt}
    return json.dumps({"type": "user", "message": message, "parent_tool_use_id": None, "session_id": ""})

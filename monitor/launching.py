"""What is to be started and how: the operator's command, with what the agent's channel needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from monitor.agents.claude.launching import prepare as claude
from monitor.errors import USAGE, MonitorError


@dataclass(frozen=True, slots=True)
class Prepared:
    """A command that is ready to be started."""

    agent: str
    """`claude`, `dirtywork`, `lcode`, `native`, or `other`."""
    command: tuple[str, ...]
    added: tuple[str, ...] = ()
    """Words that were added to it."""
    first: tuple[str, ...] = ()
    """Lines that are said on its standard input at once."""
    listens: bool = False
    """Whether its standard input is kept open, for its channel."""


def prepare(command: Sequence[str], agent: str = "") -> Prepared:
    """Make a command ready; `agent` names the agent where the command does not show it.

    Raises `MonitorError` where the command does not go with what the channel needs.
    """
    if not command:
        raise MonitorError("no command", "Use: monitor run -- COMMAND…", USAGE)
    name = agent or recognised(command)
    if name not in AGENTS:
        raise MonitorError(f"--agent {name}: no agent that can be started", f"Name one of: {', '.join(AGENTS)}", USAGE)
    return AGENTS[name](tuple(command))


def recognised(command: Sequence[str]) -> str:
    """The agent that a command starts, by the name of its program; `other` where it tells nothing."""
    words = [Path(word).name.removesuffix(".exe") for word in command]
    program = words[2] if words[0].startswith("python") and words[1:2] == ["-m"] and len(words) > 2 else words[0]
    return program if program in AGENTS else "other"


def _claude(command: tuple[str, ...]) -> Prepared:
    words, added, first = claude(command)
    return Prepared("claude", words, added, first, listens=True)


def _lcode(command: tuple[str, ...]) -> Prepared:
    """Its stream of events, where it is asked for one request; a session that is resumed prints text alone."""
    asks = any(word in ("-p", "--prompt") or word.startswith(("--prompt=", "-p")) for word in command[1:])
    resumes = any(word in ("-c", "--continue") or word.startswith("--resume") for word in command[1:])
    says = any(word.startswith("--output") for word in command[1:])
    added = ("--output", "stream-json") if asks and not resumes and not says else ()
    return Prepared("lcode", (*command, *added), added)


AGENTS: Mapping[str, Callable[[tuple[str, ...]], Prepared]] = {
    "claude": _claude,
    "dirtywork": lambda command: Prepared("dirtywork", command),
    "lcode": _lcode,
    "native": lambda command: Prepared("native", command, listens=True),
    "other": lambda command: Prepared("other", command),
}
"""How each agent's command is made ready. One that speaks monitor's own format is `native` when it says so."""

"""What is to be started and how: the operator's command, with what the agent's channel needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from monitor.agents.acp.control import first_line
from monitor.agents.claude.launching import prepare as claude
from monitor.agents.codex.launching import prepare as codex
from monitor.agents.opencode.launching import prepare as opencode
from monitor.errors import USAGE, MonitorError


@dataclass(frozen=True, slots=True)
class Prepared:
    """A command that is ready to be started."""

    agent: str
    """A key of `AGENTS`."""
    command: tuple[str, ...]
    added: tuple[str, ...] = ()
    """Words that were added to it."""
    first: tuple[str, ...] = ()
    """Lines that are said on its standard input at once."""
    listens: bool = False
    """Whether its standard input is kept open, for its channel."""
    task: str = ""
    """What its channel asks of it first."""
    wire: bool = False
    """Whether what goes both ways is kept."""
    env: Mapping[str, str] = field(default_factory=dict)
    """What it finds in its environment besides."""
    ask: Mapping[str, str] = field(default_factory=dict)
    """What its channel says with the task."""


def prepare(command: Sequence[str], agent: str = "", task: str = "") -> Prepared:
    """Make a command ready; `agent` names the agent where the command does not show it, `task` what it is asked first.

    Raises `MonitorError` where the command does not go with what the channel needs.
    """
    if not command:
        raise MonitorError("no command", "Use: monitor run -- COMMAND…", USAGE)
    name = agent or recognised(command)
    if name not in AGENTS:
        raise MonitorError(f"--agent {name}: no agent that can be started", f"Name one of: {', '.join(AGENTS)}", USAGE)
    return AGENTS[name](tuple(command), task)


def recognised(command: Sequence[str]) -> str:
    """The agent that a command starts, by the name of its program; `other` where it tells nothing."""
    words = [Path(word).name.removesuffix(".exe") for word in command]
    program = words[2] if words[0].startswith("python") and words[1:2] == ["-m"] and len(words) > 2 else words[0]
    if words[-1] in ("acp", "--acp") or program.endswith("-acp"):
        return "acp"
    return program if program in AGENTS else "other"


def _claude(command: tuple[str, ...], task: str) -> Prepared:
    words, added, first = claude((*command, "--", task) if task else command)
    return Prepared("claude", words, added, first, listens=True)


def _acp(command: tuple[str, ...], task: str) -> Prepared:
    return Prepared("acp", command, first=(first_line(),), listens=True, task=task, wire=True)


def _codex(command: tuple[str, ...], task: str) -> Prepared:
    words, first, asked = codex(command, task)
    return Prepared("codex", words, first=first, listens=True, task=asked, wire=True)


def _opencode(command: tuple[str, ...], task: str) -> Prepared:
    """A server of its own, where it can be told all that the command says; else what it prints."""
    asked = opencode(command, task)
    agent = "opencode" if asked.task else "other"
    return Prepared(agent, asked.command, asked.added, task=asked.task, env=asked.env, ask=asked.ask)


def _plain(agent: str, *, listens: bool = False) -> Callable[[tuple[str, ...], str], Prepared]:
    """One that takes its task from its command line alone."""

    def prepared(command: tuple[str, ...], task: str) -> Prepared:
        if task:
            raise MonitorError("this agent takes its task from its own command line", "Leave --task out", USAGE)
        return Prepared(agent, command, listens=listens)

    return prepared


def _lcode(command: tuple[str, ...], task: str) -> Prepared:
    """Its stream of events, where it is asked for one request; a session that is resumed prints text alone."""
    prepared = _plain("lcode")(command, task)
    asks = any(word in ("-p", "--prompt") or word.startswith(("--prompt=", "-p")) for word in command[1:])
    resumes = any(word in ("-c", "--continue") or word.startswith("--resume") for word in command[1:])
    says = any(word.startswith("--output") for word in command[1:])
    added = ("--output", "stream-json") if asks and not resumes and not says else ()
    return replace(prepared, command=(*command, *added), added=added)


AGENTS: Mapping[str, Callable[[tuple[str, ...], str], Prepared]] = {
    "acp": _acp,
    "claude": _claude,
    "codex": _codex,
    "dirtywork": _plain("dirtywork"),
    "lcode": _lcode,
    "native": _plain("native", listens=True),
    "opencode": _opencode,
    "other": _plain("other"),
}
"""How each agent's command is made ready. One that speaks monitor's own format is `native` when it says so."""

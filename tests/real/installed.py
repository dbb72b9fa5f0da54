"""The real agents that the tests drive: which version of each is here, and how it is started."""

from __future__ import annotations

import importlib.metadata
import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

_CHECKED = ".checked"
"""The file that says of an installation that it is whole: it was started, and told this version."""
_NUMBER = re.compile(r"(\d+(?:\.\d+)*)(.*)")


@dataclass(frozen=True, slots=True)
class Agent:
    """One of them."""

    name: str
    package: str
    """Its name in the registry, npm's or Python's."""
    folder: str
    """The beginning of the name of its folders in the cache; the version follows."""
    programs: str
    """Where in such a folder the program itself lies. Beside npm's lies a wrapper that wants a newer node than many have."""
    module: str = ""
    """Of a Python package: what is started. It then is in the test extra too, in one exact version."""


@dataclass(frozen=True, slots=True)
class Installed:
    """A version of an agent that can be started."""

    agent: Agent
    version: str
    command: tuple[str, ...]
    folder: Path | None = None
    """In the cache; none for that of the test extra."""

    @property
    def told(self) -> str:
        """In the words of the header."""
        beside = "" if self.folder else ", of the test extra"
        return f"{self.agent.name} {self.version}{beside}"


AGENTS: Sequence[Agent] = (
    Agent("Claude Code", "@anthropic-ai/claude-code", "claude", "node_modules/@anthropic-ai/claude-code-*/claude"),
    Agent("Codex", "@openai/codex", "codex", "node_modules/@openai/codex-*/vendor/*/bin/codex"),
    Agent("OpenCode", "opencode-ai", "opencode", "node_modules/opencode-*/bin/opencode"),
    Agent("dirtywork", "dirtywork", "dirtywork", "bin/python", "dirtywork"),
    Agent("lcode", "lcode-cli", "lcode", "bin/python", "lcode"),
)


def cache() -> Path:
    """Where the agents are installed: the folder in `MONITOR_TEST_AGENTS`, or one below the user's cache folder."""
    named = os.environ.get("MONITOR_TEST_AGENTS")
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(named) if named else Path(home) / "monitor-test-agents"


def newest(agent: Agent, folder: Path) -> Installed | None:
    """The newest whole installation of it, else that of the test extra, else none."""
    kept = max(whole(agent, folder), key=lambda one: order(one.version), default=None)
    return kept or _of_the_extra(agent)


def whole(agent: Agent, folder: Path) -> Iterator[Installed]:
    """Its installations in a cache folder that were found to work."""
    for version, place in folders(agent, folder).items():
        command = command_in(agent, place)
        if command and (place / _CHECKED).is_file():
            yield Installed(agent, version, command, place)


def folders(agent: Agent, folder: Path) -> dict[str, Path]:
    """The folders of its versions, broken ones too; no link, and nothing that was not made by npm or as an environment."""
    found: dict[str, Path] = {}
    for place in folder.glob(f"{agent.folder}-*"):
        version = place.name.removeprefix(f"{agent.folder}-")
        made = (place / "node_modules").is_dir() or (place / "pyvenv.cfg").is_file()
        if made and _NUMBER.match(version) and not place.is_symlink():
            found[version] = place
    return found


def command_in(agent: Agent, place: Path) -> tuple[str, ...] | None:
    """What starts the agent that is installed in a folder; none where the program is missing."""
    program = next((one for one in sorted(place.glob(agent.programs)) if os.access(one, os.X_OK)), None)
    if program is None:
        return None
    return (str(program), "-m", agent.module) if agent.module else (str(program),)


def mark(place: Path, *, whole: bool = True) -> None:
    """Say whether what is installed in a folder is whole."""
    if whole:
        (place / _CHECKED).touch()
    else:
        (place / _CHECKED).unlink(missing_ok=True)


def order(version: str) -> tuple[list[int], bool, str]:
    """By which versions are sorted, the newest last; one with letters behind its numbers is before its release."""
    found = _NUMBER.match(version)
    return ([int(one) for one in found[1].split(".")], not found[2], found[2]) if found else ([], False, version)


def _of_the_extra(agent: Agent) -> Installed | None:
    if not agent.module:
        return None
    try:
        version = importlib.metadata.version(agent.package)
    except importlib.metadata.PackageNotFoundError:
        return None
    return Installed(agent, version, (sys.executable, "-m", agent.module))


NEWEST = {agent.name: newest(agent, cache()) for agent in AGENTS}
"""What the tests of this session drive, each agent by its name."""


def header() -> str:
    """Which versions these are, in one line."""
    told = [one.told if one else f"{name} is not here" for name, one in NEWEST.items()]
    return f"real agents: {'; '.join(told)}"


def invocation(name: str) -> list[str]:
    """What starts that agent in this session; empty where it is not here."""
    found = NEWEST[name]
    return list(found.command) if found else []


def program(name: str) -> Path | None:
    """Its program, or none."""
    words = invocation(name)
    return Path(words[0]) if words else None


def version(name: str) -> str:
    """Its version in this session; empty where it is not here."""
    found = NEWEST[name]
    return found.version if found else ""


def needs(name: str) -> pytest.MarkDecorator:
    """Skips a test where that agent is not here."""
    return pytest.mark.skipif(NEWEST[name] is None, reason=f"{name} is not installed: run tests/real/install.py")

"""Installs the real agents that come from npm into a cache folder, and prints what it did.

`python tests/real/install.py` is run by CI. The folder is the one in `MONITOR_TEST_AGENTS`, or one below the user's
cache folder. No install script of a package is run, so that nothing else is downloaded: the program itself comes as a
package for this platform. Where npm or its registry is missing it says so, and the tests that need it are skipped.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_PATIENCE = 600
"""Seconds for one installation."""


@dataclass(frozen=True, slots=True)
class Agent:
    """One of them."""

    name: str
    package: str
    version: str
    """By its exact number: without one, npm on an older node picks an older program."""
    folder: str
    programs: str
    """Where the program itself lies. The wrapper beside it wants a newer node than many have; the program wants none."""

    def program(self, cache: Path) -> Path | None:
        """The program in a cache folder, or none."""
        found = sorted((cache / f"{self.folder}-{self.version}" / "node_modules").glob(self.programs))
        return next((one for one in found if os.access(one, os.X_OK)), None)


CLAUDE = Agent(
    "Claude Code", "@anthropic-ai/claude-code", "2.1.332", "claude", "@anthropic-ai/claude-code-*/claude",
)  # fmt: skip
OPENCODE = Agent("OpenCode", "opencode-ai", "1.18.33", "opencode", "opencode-*/bin/opencode")
CODEX = Agent("Codex", "@openai/codex", "0.171.0", "codex", "@openai/codex-*/vendor/*/bin/codex")
AGENTS: Sequence[Agent] = (CLAUDE, CODEX, OPENCODE)


def cache() -> Path:
    """Where the agents are installed."""
    named = os.environ.get("MONITOR_TEST_AGENTS")
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(named) if named else Path(home) / "monitor-test-agents"


def claude(folder: Path) -> Path | None:
    """The program of Claude Code in a cache folder, or none."""
    return CLAUDE.program(folder)


def codex(folder: Path) -> Path | None:
    """The program of Codex in a cache folder, or none."""
    return CODEX.program(folder)


def opencode(folder: Path) -> Path | None:
    """The program of OpenCode in a cache folder, or none."""
    return OPENCODE.program(folder)


def install(folder: Path, agent: Agent) -> str:
    """Install it where it is missing; what was done, in one line."""
    if agent.program(folder) is not None:
        return f"{agent.name} {agent.version} is installed already, in {folder}"
    npm = shutil.which("npm")
    if npm is None:
        return f"{agent.name} is not installed: there is no npm; its tests are skipped"
    prefix = folder / f"{agent.folder}-{agent.version}"
    prefix.mkdir(parents=True, exist_ok=True)
    command = [npm, "install", "--prefix", str(prefix), "--ignore-scripts", "--no-audit", "--no-fund", "--no-save"]
    try:
        done = subprocess.run(
            [*command, f"{agent.package}@{agent.version}"],
            capture_output=True, text=True, check=False, timeout=_PATIENCE,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"{agent.name} is not installed: npm took longer than {_PATIENCE} s; its tests are skipped"
    if done.returncode or agent.program(folder) is None:
        last = (done.stderr.strip().splitlines() or ["no word of why"])[-1]
        return f"{agent.name} is not installed: npm said: {last}; its tests are skipped"
    return f"{agent.name} {agent.version} was installed in {folder}"


if __name__ == "__main__":
    for one in AGENTS:
        sys.stdout.write(install(cache(), one) + "\n")

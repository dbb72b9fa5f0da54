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
from collections.abc import Iterator
from pathlib import Path

VERSION = "2.1.332"
"""By its exact number: without one, npm on an older node picks an older program."""
_PACKAGE = "@anthropic-ai/claude-code"
_PATIENCE = 600
"""Seconds for one installation."""


def cache() -> Path:
    """Where the agents are installed."""
    named = os.environ.get("MONITOR_TEST_AGENTS")
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(named) if named else Path(home) / "monitor-test-agents"


def claude(folder: Path) -> Path | None:
    """The program of Claude Code in a cache folder, or none.

    The wrapper wants a newer node than many have; the program beside it wants none.
    """
    for found in _programs(folder / f"claude-{VERSION}"):
        if os.access(found, os.X_OK):
            return found
    return None


def _programs(prefix: Path) -> Iterator[Path]:
    yield from sorted(prefix.glob("node_modules/@anthropic-ai/claude-code-*/claude"))


def install(folder: Path) -> str:
    """Install what is missing; what was done, in one line."""
    if claude(folder) is not None:
        return f"Claude Code {VERSION} is installed already, in {folder}"
    npm = shutil.which("npm")
    if npm is None:
        return "Claude Code is not installed: there is no npm; its tests are skipped"
    prefix = folder / f"claude-{VERSION}"
    prefix.mkdir(parents=True, exist_ok=True)
    command = [npm, "install", "--prefix", str(prefix), "--ignore-scripts", "--no-audit", "--no-fund", "--no-save"]
    try:
        done = subprocess.run(
            [*command, f"{_PACKAGE}@{VERSION}"], capture_output=True, text=True, check=False, timeout=_PATIENCE
        )
    except subprocess.TimeoutExpired:
        return f"Claude Code is not installed: npm took longer than {_PATIENCE} s; its tests are skipped"
    if done.returncode or claude(folder) is None:
        last = (done.stderr.strip().splitlines() or ["no word of why"])[-1]
        return f"Claude Code is not installed: npm said: {last}; its tests are skipped"
    return f"Claude Code {VERSION} was installed in {folder}"


if __name__ == "__main__":
    sys.stdout.write(install(cache()) + "\n")

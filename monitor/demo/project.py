"""The scratch project: a small git repository in a temporary folder, gone when the demo ends."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from monitor.demo.files import FILES

_PATIENCE = 20
"""Seconds a git command may take."""
_ALONE = ("-c", "gc.auto=0", "-c", "maintenance.auto=false")
"""Nothing of git goes on in the folder once a command has ended."""
_COMMIT = ("commit", "--quiet", "--no-verify", "--message", "Notes, a list and settings")


@contextmanager
def scratch_project() -> Iterator[Path]:
    """A fresh project that only its owner can read; it is removed however the block is left.

    Without a git that works it is a plain folder.
    """
    with TemporaryDirectory(prefix="monitor-demo-") as scratch:
        project = Path(scratch).resolve() / "pocket-notes"
        for name, text in FILES.items():
            file = project / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        if not _commit(project):
            shutil.rmtree(project / ".git", ignore_errors=True)
        yield project


def _commit(project: Path) -> bool:
    """Whether the files now stand in a repository's first commit."""
    git = shutil.which("git")
    if git is None:
        return False
    steps = (("-c", "init.defaultBranch=main", "init", "--quiet", "--template="), ("add", "--all"), _COMMIT)
    try:
        for step in steps:
            subprocess.run(  # noqa: S603 -- git itself, with the words above
                [git, *_ALONE, *step],
                cwd=project,
                env=_environment(project),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=True,
                timeout=_PATIENCE,
            )
    except (OSError, subprocess.SubprocessError):
        return False
    return True


def _environment(project: Path) -> dict[str, str]:
    """Nobody's configuration, no repository but this one, and an author and a date that never change."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    who = {
        f"GIT_{role}_{what}": value
        for role in ("AUTHOR", "COMMITTER")
        for what, value in (("NAME", "demo"), ("EMAIL", "demo@localhost"), ("DATE", "2026-01-01T00:00:00Z"))
    }
    own = {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CEILING_DIRECTORIES": str(project.parent),
        "GIT_TERMINAL_PROMPT": "0",
    }
    return kept | who | own

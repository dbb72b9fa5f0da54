"""Tells a git that is of no use here, broken or too old, from a repository that git finds fault with."""

from __future__ import annotations

import tempfile
from pathlib import Path

from monitor.worktree.budget import Budget
from monitor.worktree.doubts import attributed
from monitor.worktree.git import GitError, run
from monitor.worktree.listing import differences, files
from monitor.worktree.settings import Settings
from monitor.worktree.shadow import shadow_of


class UselessGitError(Exception):
    """Git cannot do its part in any folder; the text says why."""


def require_useful(program: str, settings: Settings, state: Path | None, budget: Budget) -> None:
    """Ask git about an empty folder of our own all that it is asked of a project; raises `UselessGitError`."""
    with tempfile.TemporaryDirectory(prefix="shadow-empty-", dir=state) as empty:
        try:
            with shadow_of(program, None, Path(empty), settings, state) as shadow:
                run([differences(shadow), files(shadow), attributed(shadow)], budget)
        except GitError as said:
            raise UselessGitError(f"git does not work on this machine ({said})") from said

"""Lists a folder that is no repository where git is not at hand: every file its ignore rules do not hide."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from monitor.worktree.budget import Budget, MeasureError
from monitor.worktree.contents import Contents, StatCache
from monitor.worktree.gitfiles import repository_at, show, small
from monitor.worktree.ignore import Rules, ignored, parse_rules
from monitor.worktree.listing import Listing, path_of
from monitor.worktree.settings import MOST, Settings
from monitor.worktree.shadow import below
from monitor.worktree.wildmatch import PatternError


def walk(folder: Path, settings: Settings, budget: Budget, cache: StatCache, state: Path | None) -> Listing:
    """The same listing that git would lead to; a repository within cannot be read without git."""
    contents = Contents(folder, "sha1", budget, cache)
    files = _files(folder, _rules(settings.excludes, b""), budget)
    ours = state and below(state, folder)
    found = contents.entries(path for path in files if not (ours and path.startswith(ours)))
    budget.take_files(len(found))
    return Listing(sorted(found.values(), key=path_of))


def _files(top: Path, users: tuple[Rules, ...], budget: Budget) -> Iterator[bytes]:
    waiting = [(b"", users)]
    while waiting:
        prefix, rules = waiting.pop()
        folder = top / os.fsdecode(prefix)
        if prefix and repository_at(folder):
            raise MeasureError(f"git is not installed, and {show(prefix)} is a repository")
        # Git follows no link to ignore rules within a project.
        if not (folder / ".gitignore").is_symlink():
            rules += _rules(folder / ".gitignore", prefix)
        for entry in _scan(folder):
            budget.check()
            path = prefix + os.fsencode(entry.name)
            is_folder = entry.is_dir(follow_symlinks=False)
            if entry.name == ".git" or ignored(path, is_folder, rules):
                continue
            if is_folder:
                waiting.append((path + b"/", rules))
            else:
                yield path


def _scan(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise MeasureError(f"{show(folder)} cannot be read: {error.strerror}") from error


def _rules(path: Path, prefix: bytes) -> tuple[Rules, ...]:
    """The ignore rules a file holds."""
    data = small(path, MOST)
    try:
        return (parse_rules(data, prefix),) if data else ()
    except PatternError as why:
        raise MeasureError(f"{show(path)} holds {why}") from why

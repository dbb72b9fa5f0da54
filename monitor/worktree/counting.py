"""Which paths of a folder count, by git's ignore rules alone: good enough to watch, where a measurement asks git."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

from monitor.worktree.budget import MeasureError
from monitor.worktree.gitfiles import Repository, repository_at, repository_of, small
from monitor.worktree.ignore import Rules, ignored, parse_rules
from monitor.worktree.reach import read_at
from monitor.worktree.settings import MOST, settings_of
from monitor.worktree.wildmatch import PatternError

RULES = ".gitignore"


@dataclass(frozen=True, slots=True)
class Scope:
    """The ignore rules that hold in one folder of the tree."""

    rules: tuple[Rules, ...] = ()
    """The nearest stand last, and win."""
    cut: int = 0
    """How many bytes of a path stand before the top of its repository."""
    above: bytes = b""
    """The watched folder below the top of its repository, ending with a slash; empty for the top itself."""
    hidden: bool = False
    """The folder itself is hidden: of what lies in it only what git tracks counts."""

    def hides(self, path: bytes, *, folder: bool) -> bool:
        """Whether a path in this folder does not count."""
        return self.hidden or ignored(self.seen(path), folder, self.rules)

    def seen(self, path: bytes) -> bytes:
        """A path as the rules speak of it."""
        return self.above + path[self.cut :]


class Counting:
    """Finds the rules of each folder; what cannot be read hides nothing."""

    def __init__(self, top: Path) -> None:
        self._top = str(top)
        self.gitdir: Path | None = None
        """Where the HEAD of the folder's repository lies; none where it is in none."""
        try:
            repository = repository_of(top)
            excludes = settings_of(repository, top).excludes
        except (MeasureError, OSError):
            repository, excludes = None, Path(os.devnull)
        self._users = _rules(_small(excludes), b"")
        self._outermost = self._around(top, repository)
        if repository and self._outermost.above == _above(top, repository):
            self.gitdir = repository.gitdir

    def top(self) -> Scope:
        """The rules of the watched folder itself."""
        return self._with_own(self._outermost, b"")

    def within(self, scope: Scope, path: bytes) -> Scope:
        """The rules of a folder below, given those of the one it lies in."""
        try:
            repository = repository_at(Path(self._top, os.fsdecode(path)))
        except (MeasureError, OSError):
            repository = None
        if repository:
            scope = Scope(self._users + _excluded(repository), cut=len(path) + 1)
        return self._with_own(scope, path)

    def _around(self, top: Path, repository: Repository | None) -> Scope:
        """The rules from above the watched folder; none of a repository that ignores it as a whole."""
        plain = Scope(self._users)
        if repository is None or repository.top is None:
            return plain
        scope = Scope(self._users + _excluded(repository))
        place = b""
        for part in _above(top, repository).split(b"/")[:-1]:
            own = _rules(_small(repository.top / os.fsdecode(place) / RULES), place)
            scope = replace(scope, rules=scope.rules + own)
            if scope.hides(place + part, folder=True):
                return plain
            place += part + b"/"
        return replace(scope, above=place)

    def _with_own(self, scope: Scope, path: bytes) -> Scope:
        """Git follows no link to ignore rules within a project."""
        try:
            data, _ = read_at(self._top, os.path.join(os.fsdecode(path), RULES), MOST)  # noqa: PTH118 - of two names
        except OSError:
            return scope
        place = scope.seen(path + b"/") if path else scope.above
        return replace(scope, rules=scope.rules + _rules(data, place))


def _above(top: Path, repository: Repository) -> bytes:
    if repository.top is None or repository.top == top:
        return b""
    return os.fsencode(top.relative_to(repository.top)) + b"/"


def _excluded(repository: Repository) -> tuple[Rules, ...]:
    return _rules(_small(repository.common / "info" / "exclude"), b"")


def _small(path: Path) -> bytes | None:
    try:
        return small(path, MOST)
    except MeasureError:
        return None


def _rules(data: bytes | None, place: bytes) -> tuple[Rules, ...]:
    try:
        return (parse_rules(data, place),) if data else ()
    except PatternError:
        return ()

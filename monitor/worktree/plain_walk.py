"""Lists a folder where git is not at hand: every file that git tracks, and every other its ignore rules do not hide."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from monitor.worktree.budget import Budget, MeasureError
from monitor.worktree.contents import Contents, StatCache
from monitor.worktree.gitfiles import NoRepositoryError, Repository, repository_at, show, small
from monitor.worktree.ignore import Rules, ignored, parse_rules
from monitor.worktree.listing import Listing, path_of
from monitor.worktree.reach import folder_at
from monitor.worktree.settings import MOST, Settings
from monitor.worktree.shadow import below
from monitor.worktree.tracked import Tracked, tracked
from monitor.worktree.wildmatch import PatternError

_RULES = b".gitignore"
_GONE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)


def walk(
    folder: Path,
    repository: Repository | None,
    settings: Settings,
    *,
    budget: Budget,
    cache: StatCache,
    state: Path | None,
) -> Listing:
    """The files of a folder and the repositories within, as git would list them; every file is read.

    Where a disk takes two spellings of a name for one, git chooses one of them, and this may give both: so what was
    listed with git and what was listed without it are never compared.
    """
    walked = _Walk(repository, folder, settings, budget)
    contents = Contents(folder, settings.algorithm, budget, cache)
    ours = state and below(state, folder)
    files = {path for path in walked.files() if not (ours and path.startswith(ours))} | walked.tracked.files
    for path in walked.tracked.submodules:
        status = contents.status(path)
        if status is not None and stat.S_ISDIR(status.st_mode):
            walked.nested.append(path + b"/")
        else:
            files.add(path)
    found = contents.entries(sorted(files))
    budget.take_files(len(found))
    return Listing(sorted(found.values(), key=path_of), walked.nested)


def counts(repository: Repository, folder: Path, settings: Settings, budget: Budget) -> bool:
    """Whether anything in a folder counts for the repository it lies in: git may ignore it as a whole."""
    walked = _Walk(repository, folder, settings, budget)
    return bool(walked.tracked) or not walked.hidden


class _Walk:
    """One way through a folder; repositories within are named, not entered."""

    def __init__(self, repository: Repository | None, folder: Path, settings: Settings, budget: Budget) -> None:
        self._folder = folder
        self._budget = budget
        self._ignores_case = settings.ignores_case
        self.tracked = tracked(repository, folder, settings) if repository else Tracked()
        self.nested: list[bytes] = []
        self.hidden = False
        """The folder itself is ignored: of what lies in it only what git tracks counts."""
        self._above = below(folder, repository.top) if repository and repository.top else b""
        self._rules = self._around(repository, settings)

    def files(self) -> Iterator[bytes]:
        """What no rule hides; the repositories among it stand in `nested` afterwards."""
        waiting = [] if self.hidden else [(b"", self._rules)]
        while waiting:
            prefix, rules = waiting.pop()
            folder = self._folder / os.fsdecode(prefix)
            rules += self._own(folder, self._above + prefix)
            for name, is_folder in self._listed(prefix):
                self._budget.check()
                path = prefix + name
                if name == b".git" or ignored(self._above + path, is_folder, rules):
                    continue
                if not is_folder:
                    yield path
                elif self._is_apart(path):
                    self.nested.append(path + b"/")
                elif path not in self.tracked.submodules:
                    waiting.append((path + b"/", rules))

    def _listed(self, prefix: bytes) -> list[tuple[bytes, bool]]:
        """The names in a folder, each with whether it is a folder; none where it is gone, or a link by now."""
        place = os.fsdecode(prefix.rstrip(b"/"))
        try:
            with folder_at(str(self._folder), place) as handle, os.scandir(handle) as entries:
                return [(os.fsencode(entry.name), entry.is_dir(follow_symlinks=False)) for entry in entries]
        except OSError as error:
            if error.errno in _GONE:
                return []
            raise MeasureError(f"{show(self._folder / place)} cannot be read: {error.strerror}") from error

    def _is_apart(self, path: bytes) -> bool:
        """Whether a folder is a repository; a damaged one, or one in which the repository around it tracks files, is none."""
        if path in self.tracked.submodules or path in self.tracked.folders:
            return False
        try:
            return repository_at(self._folder / os.fsdecode(path)) is not None
        except NoRepositoryError:
            return False

    def _around(self, repository: Repository | None, settings: Settings) -> tuple[Rules, ...]:
        """The rules that hold in the folder from elsewhere, up to what hides it."""
        rules = self._read(settings.excludes, b"")
        if repository is None or repository.top is None:
            return rules
        rules += self._read(repository.common / "info" / "exclude", b"")
        place = b""
        for part in self._above.split(b"/")[:-1]:
            rules += self._own(repository.top / os.fsdecode(place), place)
            self.hidden = self.hidden or ignored(place + part, True, rules)
            place += part + b"/"
        return rules

    def _own(self, folder: Path, place: bytes) -> tuple[Rules, ...]:
        """The rules that lie in a folder; git follows no link to them within a project."""
        path = folder / os.fsdecode(_RULES)
        if path.is_symlink():
            return ()
        if place + _RULES in self.tracked.left_out and not path.exists():
            raise MeasureError(f"{show(place + _RULES)} is left out by a sparse checkout: only git can read its rules")
        return self._read(path, place)

    def _read(self, path: Path, place: bytes) -> tuple[Rules, ...]:
        """The rules that a file holds."""
        data = small(path, MOST)
        try:
            return (parse_rules(data, place, ignore_case=self._ignores_case),) if data else ()
        except PatternError as why:
            raise MeasureError(f"{show(path)} holds {why}") from why

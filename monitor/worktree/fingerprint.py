"""Measures a folder exactly, on demand: what its files hold, and where its history stands."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from monitor.worktree.budget import USUAL, Budget, Limits, MeasureError, UnsettledError, never
from monitor.worktree.contents import StatCache
from monitor.worktree.git import GitError, find_git, run
from monitor.worktree.gitfiles import Repository, head, repository_at, repository_of, show
from monitor.worktree.listing import Listing, list_folder, path_of
from monitor.worktree.measurement import HERE, Measurement, digest_of, history_of
from monitor.worktree.plain_walk import counts, walk
from monitor.worktree.settings import Settings, settings_of
from monitor.worktree.shadow import shadow_of
from monitor.worktree.useful_git import UselessGitError, require_useful

_TRIES = 3
"""Attempts at a folder in which files come and go."""
_NO_GIT = "git is not installed"


def measure(
    folder: Path,
    *,
    cache: StatCache | None = None,
    limits: Limits = USUAL,
    stop: Callable[[], bool] = never,
    state: Path | None = None,
) -> Measurement:
    """Measure a folder; nothing in it is written, and nothing it names is run.

    What cannot be measured within the limits is none, with the reason; so is what keeps changing meanwhile.
    `cache` makes the next measurement fast. `state` is the monitor's own private folder, in which it keeps what
    it needs meanwhile; where that lies in the measured folder, what is in it does not count.
    """
    attempt = _Attempts(Budget(limits, stop), StatCache() if cache is None else cache, state)
    try:
        return attempt.measured(folder)
    except UselessGitError as why:
        attempt.budget.files = attempt.budget.bytes = 0
        return attempt.measured(folder, without_git=str(why))


@dataclass(slots=True)
class _Attempts:
    """Some tries at a folder in which files come and go."""

    budget: Budget
    cache: StatCache
    state: Path | None

    def measured(self, folder: Path, without_git: str = "") -> Measurement:
        """What was found; git is asked unless `without_git` says why not."""
        reason = ""
        for _ in range(_TRIES):
            tree = _Tree(self.budget, self.cache, self.state, without_git)
            try:
                tree.read(folder)
            except UnsettledError as change:
                reason = f"files come and go while it is measured: {change}"
            except MeasureError as why:
                reason = str(why)
                break
            except OSError as error:
                reason = f"{show(os.fsencode(error.filename or folder))}: {error.strerror}"
                break
            else:
                self.cache.settle()
                return tree.measurement()
        return Measurement(None, None, reason, heads=tree.heads)


@dataclass(slots=True)
class _Tree:
    """One attempt: the folder, and every repository within, each listed by its own shadow."""

    budget: Budget
    cache: StatCache
    state: Path | None
    without_git: str
    git: str | None = None
    walked: bool = False
    """A repository was read without git."""
    entries: list[bytes] = field(default_factory=list)
    heads: dict[str, str] = field(default_factory=dict)
    no_history: str = ""
    device: int = 0

    def read(self, folder: Path) -> None:
        """List the folder and all repositories within."""
        if "\0" in str(folder):
            raise MeasureError(f"{show(folder)} is no name of a folder")
        folder = Path(os.path.realpath(folder, strict=True))
        if not folder.is_dir():
            raise MeasureError(f"{show(folder)} is not a folder")
        self.device = folder.stat().st_dev
        self.git = None if self.without_git else find_git(folder)
        waiting = [(b"", folder, self._repository_of(folder))]
        parts = 0
        while waiting:
            parts += 1
            prefix, place, repository = waiting.pop()
            listing = self._list(prefix, place, repository)
            self.entries += [_below(prefix, entry) for entry in listing.entries] if prefix else listing.entries
            for name in listing.nested:
                within = place / os.fsdecode(name)
                waiting.append((prefix + name, within, repository_at(within)))
        if parts > 1:
            self.entries.sort(key=path_of)

    def measurement(self) -> Measurement:
        """What was read, as a value."""
        entries = b"\0".join(self.entries)
        history = None if self.no_history else history_of(self.heads)
        return Measurement(
            digest_of(entries), history, self.no_history, entries, MappingProxyType(self.heads),
            (self.without_git or _NO_GIT) if self.walked else "", self.device,
        )  # fmt: skip

    def _repository_of(self, folder: Path) -> Repository | None:
        """The repository the folder lies in, unless that ignores the folder as a whole."""
        repository = repository_of(folder)
        if repository is None or repository.top in (None, folder):
            return repository
        settings = settings_of(repository, folder)
        if self.git is None:
            return repository if counts(repository, folder, settings, self.budget) else None
        with self._asking(settings), shadow_of(self.git, repository, folder, settings, self.state) as shadow:
            tracked, ignored = run(
                [shadow.command("ls-files", "-z"), shadow.command("check-ignore", "-q", str(folder), accepts=(0, 1))],
                self.budget,
            )
        return repository if tracked.out or ignored.code else None

    def _list(self, prefix: bytes, place: Path, repository: Repository | None) -> Listing:
        settings = settings_of(repository, place)
        if repository:
            self._read_head(prefix, repository, settings)
            _refuse(repository, settings)
        if self.git is None:
            self.walked |= repository is not None
            return walk(place, repository, settings, budget=self.budget, cache=self.cache, state=self.state)
        with self._asking(settings), shadow_of(self.git, repository, place, settings, self.state) as shadow:
            return list_folder(shadow, settings, self.budget, self.cache)

    @contextmanager
    def _asking(self, settings: Settings) -> Iterator[None]:
        """Where git fails, find out whether it is of any use."""
        try:
            yield
        except GitError:
            assert self.git is not None
            require_useful(self.git, settings, self.state, self.budget)
            raise

    def _read_head(self, prefix: bytes, repository: Repository, settings: Settings) -> None:
        why = "its references are kept as a reftable, which is not read" if settings.reftable else ""
        try:
            if not why:
                self.heads[prefix.decode("utf-8", "surrogateescape").rstrip("/") or HERE] = head(repository)
        except MeasureError as error:
            why = str(error)
        if why:
            self.no_history = f"the history of {show(repository.gitdir)} cannot be read: {why}"


def _below(prefix: bytes, entry: bytes) -> bytes:
    return entry.replace(b"\t", b"\t" + prefix, 1)


def _refuse(repository: Repository, settings: Settings) -> None:
    """Give up on a repository without files of its own, or that keeps them elsewhere."""
    if repository.top is None or settings.bare:
        raise MeasureError(f"{show(repository.gitdir)} is a bare repository: it has no files of its own")
    kept = Path(os.path.realpath(repository.gitdir / settings.elsewhere)) if settings.elsewhere else repository.top
    if kept != repository.top:
        raise MeasureError(f"{show(repository.gitdir)} keeps its files elsewhere: {show(kept)}")

"""Which files of a folder git tracks, read from its index as data: for where git is not at hand."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from monitor.worktree.budget import MeasureError
from monitor.worktree.gitfiles import Repository, show
from monitor.worktree.gitindex import Named, named
from monitor.worktree.index_copy import read_index
from monitor.worktree.settings import Settings
from monitor.worktree.shadow import below
from monitor.worktree.split_index import joined, shared_name

_SUBMODULE = 0o160000


@dataclass(frozen=True, slots=True)
class Tracked:
    """The tracked paths below one folder, relative to it."""

    files: frozenset[bytes] = frozenset()
    submodules: frozenset[bytes] = frozenset()
    folders: frozenset[bytes] = frozenset()
    """Every folder that holds one of the files, whatever lies there now."""
    left_out: frozenset[bytes] = frozenset()
    """The files that a sparse checkout leaves out, by their path in the repository, wherever they lie."""

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self.files or self.submodules)


def tracked(repository: Repository, folder: Path, settings: Settings) -> Tracked:
    """Those below `folder`; none where there is no index. Raises `MeasureError` where it cannot be read."""
    prefix = below(folder, repository.top or folder)
    files: set[bytes] = set()
    submodules: set[bytes] = set()
    left_out: set[bytes] = set()
    for path, mode, skipped in _entries(repository, settings):
        if skipped:
            left_out.add(path)
        if path.startswith(prefix):
            (submodules if mode == _SUBMODULE else files).add(path.removeprefix(prefix))
    folders = frozenset(_above(files))
    return Tracked(frozenset(files), frozenset(submodules), folders, frozenset(left_out))


def _entries(repository: Repository, settings: Settings) -> Sequence[Named]:
    """All that the index names; one that is split is put together."""
    read = read_index(repository.gitdir / "index", settings.algorithm)
    own, link = named(read[0], settings.algorithm) if read else ([], b"")
    size = hashlib.new(settings.algorithm, usedforsecurity=False).digest_size
    name = shared_name(link, size)
    if not name:
        return own
    shared = read_index(repository.gitdir / name, settings.algorithm)
    if shared is None:
        raise MeasureError(f"{show(repository.gitdir / name)}, a part of the index, is missing")
    return joined(named(shared[0], settings.algorithm)[0], own, link[size:])


def _above(paths: set[bytes]) -> Iterator[bytes]:
    seen = {b""}
    for path in paths:
        folder = path.rpartition(b"/")[0]
        while folder not in seen:
            seen.add(folder)
            yield folder
            folder = folder.rpartition(b"/")[0]

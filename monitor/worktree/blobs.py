"""Reads contents that git keeps, by their id: through a shadow, so that nothing of the project is run or written."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from monitor.worktree.budget import Budget, Limits
from monitor.worktree.git import Command, find_git, run
from monitor.worktree.gitfiles import Repository, repository_at, repository_of
from monitor.worktree.measurement import HERE
from monitor.worktree.settings import settings_of
from monitor.worktree.shadow import Shadow, shadow_of

_LIMITS = Limits(seconds=10.0, files=1 << 40)
"""Seconds one question to git may take; zero bytes of contents are no records to be counted."""


class Blobs:
    """The object stores of a folder's repository, and of those within it."""

    def __init__(self, folder: Path, heads: Iterable[str], state: Path) -> None:
        self._folder = folder
        self._state = state
        self._git = find_git(folder)
        self._places = sorted(heads, key=lambda place: (place != HERE, len(place)), reverse=True)
        self._shadows: dict[str, Shadow | None] = {}
        self._held = ExitStack()

    def committed(self) -> set[bytes]:
        """The entries that the indexes hold, as a measurement writes them: what they speak of, git keeps."""
        found: set[bytes] = set()
        for place in self._places:
            repository = self._repository(place)
            if repository is None or self._git is None:
                continue
            top = self._folder / place
            prefix = b"" if place == HERE else os.fsencode(place) + b"/"
            with shadow_of(self._git, repository, top, settings_of(repository, top), self._state) as shadow:
                (answer,) = run([shadow.command("ls-files", "-z", "-v", "--stage")], Budget(_LIMITS))
            found.update(entry.replace(b"\t", b"\t" + prefix, 1) for entry in answer.records)
        return found

    def read(self, wanted: Mapping[str, bytes], most: int, total: int) -> dict[str, bytes]:
        """By path the bytes of an id, in the store of the repository the path belongs to.

        Those that are not there, that have more than `most`, or with which they would be more than `total`, are left
        out. Raises `MeasureError` where git fails.
        """
        found: dict[str, bytes] = {}
        by_shadow: dict[str, list[str]] = {}
        for path in wanted:
            if (place := self._place_of(path)) is not None:
                by_shadow.setdefault(place, []).append(path)
        for place, paths in by_shadow.items():
            shadow = self._shadow(place)
            if shadow is None:
                continue
            sizes = _sizes(self._ask(shadow, "--batch-check", [wanted[path] for path in paths]))
            fitting = []
            for path, size in zip(paths, sizes, strict=True):
                if size is not None and size <= min(most, total):
                    total -= size
                    fitting.append((path, size))
            answer = self._ask(shadow, "--batch", [wanted[path] for path, _ in fitting]) if fitting else b""
            at = 0
            for path, size in fitting:
                at = answer.index(b"\n", at) + 1
                found[path] = answer[at : at + size]
                at += size + 1
        return found

    def close(self) -> None:
        """Take the shadows away."""
        self._held.close()
        self._shadows.clear()

    def _ask(self, shadow: Shadow, how: str, ids: Sequence[bytes]) -> bytes:
        command: Command = shadow.command("cat-file", how, "--buffer", stdin=b"".join(one + b"\n" for one in ids))
        return run([command], Budget(_LIMITS))[0].out

    def _place_of(self, path: str) -> str | None:
        return next((one for one in self._places if one == HERE or path.startswith(f"{one}/")), None)

    def _shadow(self, place: str) -> Shadow | None:
        if place not in self._shadows:
            self._shadows[place] = self._made(place, self._git) if self._git else None
        return self._shadows[place]

    def _made(self, place: str, git: str) -> Shadow | None:
        """A shadow that lasts: it needs no index, only the objects."""
        real = self._repository(place)
        if real is None:
            return None
        bare = Path(self._state, "no index")
        bare.mkdir(mode=0o700, exist_ok=True)
        top = self._folder / place
        lent = Repository(real.top, bare, real.common)
        return self._held.enter_context(shadow_of(git, lent, top, settings_of(real, top), self._state))

    def _repository(self, place: str) -> Repository | None:
        return repository_of(self._folder) if place == HERE else repository_at(self._folder / place)


def _sizes(answer: bytes) -> list[int | None]:
    """The sizes that git tells of blobs; none for another object, and for one it has not."""
    rows = (row.split(b" ") for row in answer.split(b"\n")[:-1])
    return [int(row[2]) if len(row) == 3 and row[1] == b"blob" else None for row in rows]


def uncommitted(entries: bytes, committed: Collection[bytes]) -> list[bytes]:
    """The entries of a measurement whose contents git does not keep."""
    return [entry for entry in entries.split(b"\0") if entry and entry not in committed]

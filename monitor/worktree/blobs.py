"""Reads contents that git keeps, by their id: through a shadow, so that nothing of the project is run or written."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from monitor.worktree.budget import Budget, Limits
from monitor.worktree.catfile import CatFile
from monitor.worktree.git import find_git, run
from monitor.worktree.gitfiles import Repository, repository_at, repository_of
from monitor.worktree.measurement import HERE
from monitor.worktree.settings import settings_of
from monitor.worktree.shadow import shadow_of

_LIMITS = Limits(seconds=10.0, files=1 << 40)
"""Seconds one question to git may take; zero bytes of contents are no records to be counted."""


class Blobs:
    """The object stores of a folder's repository, and of those within it."""

    def __init__(self, folder: Path, heads: Iterable[str], state: Path) -> None:
        self._folder = folder
        self._state = state
        self._git = find_git(folder)
        self._places = sorted(heads, key=lambda place: (place != HERE, len(place)), reverse=True)
        self._stores: dict[str, tuple[CatFile, CatFile] | None] = {}
        self._held = ExitStack()

    def uncommitted(self, entries: bytes) -> Iterator[bytes]:
        """Of a measurement's entries those that stand in no index: what they speak of, git does not keep."""
        known: set[int] = set()
        for place in self._places:
            known.update(hash(entry) for entry in self._indexed(place))
        return (entry for entry in entries_of(entries) if hash(entry) not in known)

    def untracked(self, paths: Iterable[str]) -> set[str]:
        """Those of these paths that stand in no index now; none where there is no repository. Raises `MeasureError`."""
        found: set[str] = set()
        asked: dict[str, list[str]] = {}
        for path in paths:
            asked.setdefault(self.within(path) or HERE, []).append(path)
        for place, names in asked.items():
            known = self._tracked(place, names)
            found.update(() if known is None else (name for name in names if name not in known))
        return found

    def within(self, path: str) -> str:
        """The repository below the folder that a path belongs to, as far as those are known; empty for none."""
        return next((one for one in self._places if one != HERE and path.startswith(f"{one}/")), "")

    def read(self, wanted: Mapping[str, bytes], most: int, total: int) -> dict[str, bytes]:
        """By path the bytes of an id, in the store of the repository the path belongs to.

        Those that are not there, that have more than `most`, or with which they would be more than `total`, are left
        out. Raises `MeasureError` where git fails.
        """
        found: dict[str, bytes] = {}
        for path, blob in wanted.items():
            asked = self._asked(path)
            size = asked[0].size(blob) if asked else None
            if asked is None or size is None or size > min(most, total):
                continue
            data = asked[1].content(blob)
            if data is not None:
                total -= size
                found[path] = data
        return found

    def rest(self) -> None:
        """Let every git go until the next question."""
        for pair in filter(None, self._stores.values()):
            for one in pair:
                one.close()

    def close(self) -> None:
        """Let every git go, and take the shadows away."""
        self._held.close()
        self._stores.clear()

    def _indexed(self, place: str) -> Iterator[bytes]:
        """The lines of one repository's index, as a measurement writes them."""
        repository = self._repository(place)
        if repository is None or self._git is None:
            return
        top = self._folder / place
        prefix = b"\t" if place == HERE else b"\t" + os.fsencode(place) + b"/"
        with shadow_of(self._git, repository, top, settings_of(repository, top), self._state) as shadow:
            (answer,) = run([shadow.command("ls-files", "-z", "-v", "--stage")], Budget(_LIMITS))
        for entry in entries_of(answer.out):
            yield entry.replace(b"\t", prefix, 1)

    def _tracked(self, place: str, names: Sequence[str]) -> set[str] | None:
        """Those that one repository's index names; none where there is none."""
        repository = self._repository(place)
        if repository is None or self._git is None:
            return None
        top = self._folder / place
        prefix = "" if place == HERE else f"{place}/"
        with shadow_of(self._git, repository, top, settings_of(repository, top), self._state) as shadow:
            if not shadow.index:
                return set()
            wanted = [name.removeprefix(prefix) for name in names]
            asked = shadow.command("--literal-pathspecs", "ls-files", "-z", "--", *wanted)
            (answer,) = run([asked], Budget(_LIMITS))
        return {prefix + os.fsdecode(name) for name in entries_of(answer.out)}

    def _asked(self, path: str) -> tuple[CatFile, CatFile] | None:
        """What is asked for the sizes and the contents of the objects behind a path."""
        place = next((one for one in self._places if one == HERE or path.startswith(f"{one}/")), None)
        if place is None or self._git is None:
            return None
        if place not in self._stores:
            self._stores[place] = self._made(place, self._git)
        return self._stores[place]

    def _made(self, place: str, git: str) -> tuple[CatFile, CatFile] | None:
        """In a shadow that lasts: it needs no index, only the objects."""
        real = self._repository(place)
        if real is None:
            return None
        bare = Path(self._state, "no index")
        bare.mkdir(mode=0o700, exist_ok=True)
        top = self._folder / place
        lent = Repository(real.top, bare, real.common)
        shadow = self._held.enter_context(shadow_of(git, lent, top, settings_of(real, top), self._state))
        pair = CatFile(shadow, "--batch-check"), CatFile(shadow, "--batch")
        for one in pair:
            self._held.callback(one.close)
        return pair

    def _repository(self, place: str) -> Repository | None:
        return repository_of(self._folder) if place == HERE else repository_at(self._folder / place)


def entries_of(data: bytes) -> Iterator[bytes]:
    """The lines of a listing one by one: hundreds of thousands at once would take their room."""
    at = 0
    while at < len(data):
        end = data.find(b"\0", at)
        end = len(data) if end < 0 else end
        if end > at:
            yield data[at:end]
        at = end + 1

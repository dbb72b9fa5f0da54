"""Private copies of the folder's contents: as they were at the start, and as they were seen since."""

from __future__ import annotations

import hashlib
import os
import threading
from bisect import bisect_right
from collections.abc import Sequence
from itertools import islice
from math import inf
from pathlib import Path

from monitor.text import clean
from monitor.worktree.blobs import Blobs, entries_of
from monitor.worktree.budget import MeasureError
from monitor.worktree.contents import UNREAD
from monitor.worktree.kept import Kept, Version
from monitor.worktree.line_diff import counted
from monitor.worktree.listed import Listed
from monitor.worktree.listing import path_of
from monitor.worktree.measurement import Measurement
from monitor.worktree.reach import status_at
from monitor.worktree.sight import Sight, listed, see
from monitor.worktree.vault import Vault

LARGEST = 1 << 20
"""Bytes of a file that is kept."""
MOST = 64 << 20
"""Bytes kept of a run's versions; as many again of what was not committed at its start."""
_FILES = 5_000
"""Uncommitted files copied at the start."""
_VERSIONS = 50
"""Versions of one file whose times are remembered."""
_ODD = 1_000
_FETCHED = 16 << 20
"""Bytes of what git keeps that are at hand; git is asked again for the rest."""
_TOO_LARGE = f"it is larger than {LARGEST >> 20} MB"
_UNREAD = "it could not be read"
_NOWHERE = f"it is larger than {LARGEST >> 20} MB, or git no longer keeps it"


class Copies:
    """For one watched folder, in a private place. Safe from any thread; never raises."""

    def __init__(self, folder: Path, place: Path) -> None:
        self._top = str(folder)
        self._place = place
        self._folder = folder
        self._versions = Vault(place / "versions", MOST)
        self._first = Vault(place / "start", MOST, forgets=False)
        self._fetched = Vault(place / "fetched", _FETCHED)
        self._listed: Listed | None = None
        self._blobs: Blobs | None = None
        self._copied: dict[str, str] = {}
        self._why: dict[str, str] = {}
        self._failed: dict[str, str] = {}
        """Why git gave nothing when it was last asked."""
        self._seen: dict[str, list[Version]] = {}
        self._odd: dict[str, str] = {}
        self._lock = threading.RLock()

    def begin(self, measurement: Measurement) -> None:
        """The folder as it was measured first: what git does not keep of it is copied, within bounds."""
        with self._lock:
            if self._listed is not None or measurement.entries is None:
                return
            self._listed = Listed(measurement.entries)
            self._blobs = Blobs(self._folder, measurement.heads, self._place)
            try:
                loose = self._blobs.uncommitted(measurement.entries)
            except (MeasureError, OSError):
                loose = entries_of(measurement.entries)
            for entry in islice(loose, _FILES):
                self._copy(os.fsdecode(path_of(entry)))

    def keep(self, seen: Sequence[tuple[str, Sight, float]]) -> list[tuple[int | None, int | None]]:
        """Keep versions of files: path, what was seen, and when it came to be so.

        For each the lines added and removed since the start come back, where they can be told.
        """
        with self._lock:
            self.fetch([path for path, _, _ in seen])
            return [self._keep(*one) for one in seen]

    def at_start(self, path: str) -> Kept:
        """A file as it was at the start."""
        with self._lock:
            self.fetch([path])
            return self._at_start(path)

    def fetch(self, paths: Sequence[str]) -> None:
        """Get from git what files held at the start, all at once, as far as there is room."""
        with self._lock:
            wanted = {path: self._listed.get(os.fsencode(path)) for path in paths} if self._listed else {}
            lacking = (path for path in wanted if self._lacks(path) and path not in self._why)
            ids = {path: line.id for path in lacking if (line := wanted[path])}
            self._failed = {}
            if not ids or self._blobs is None:
                return
            try:
                found = self._blobs.read(ids, LARGEST, _FETCHED)
            except (MeasureError, OSError, ValueError) as error:
                lost = f"the project folder: {error.strerror or error}" if isinstance(error, OSError) else str(error)
                self._failed = dict.fromkeys(ids, lost)
                return
            if len(ids) == 1 and not found:
                self._why.update(dict.fromkeys(ids, _NOWHERE))
            for path, data in found.items():
                digest = hashlib.sha256(data).hexdigest()
                if not self._fetched.put(digest, data):
                    self._copied[path] = digest

    def changed_since(self, moment: float) -> list[str]:
        """The files seen to change after a moment."""
        with self._lock:
            return sorted(path for path, versions in self._seen.items() if versions[-1].at > moment)

    def sight(self, path: str, moment: float = -inf) -> Sight | None:
        """What a file was at a moment, or at the start, without its bytes; none where that is not known."""
        with self._lock:
            versions = self._seen.get(path, [])
            if place := bisect_right(versions, moment, key=lambda one: one.at):
                return versions[place - 1].sight
            if self._listed is None or (moment > -inf and len(versions) == _VERSIONS):
                return None
            return listed(self._listed.get(os.fsencode(path)))

    def saw(self, path: str) -> bool:
        """Whether a file was seen to change."""
        with self._lock:
            return path in self._seen

    def untracked(self, paths: Sequence[str]) -> set[str]:
        """Those of these files that stand in no index; none where git cannot be asked."""
        blobs = self._blobs
        try:
            return blobs.untracked(paths) if blobs else set()
        except (MeasureError, OSError, ValueError):
            return set()

    def repository(self, path: str) -> str:
        """The repository within the folder that a file belongs to; empty for the folder's own, or for none."""
        return self._blobs.within(path) if self._blobs else ""

    def at(self, path: str, moment: float) -> Kept:
        """A file as it was at a moment, by what was seen of it until then."""
        with self._lock:
            versions = self._seen.get(path, [])
            place = bisect_right(versions, moment, key=lambda one: one.at)
            if place:
                return self._version(versions[place - 1])
            if len(versions) == _VERSIONS:
                return Kept(why="it changed too often since then")
            return self.at_start(path)

    def version(self, digest: str) -> bytes | None:
        """The bytes of a version seen since the start, while they are kept."""
        with self._lock:
            return self._versions.get(digest)

    def pin(self, digest: str) -> None:
        """Keep a version beyond this run."""
        with self._lock:
            self._versions.pin(digest)

    def real(self, file: str) -> str:
        """The path behind a name as it is shown."""
        return self._odd.get(file, file)

    def rest(self) -> None:
        """Keep no git waiting for the next question: nobody knows when that comes."""
        with self._lock:
            if self._blobs is not None:
                self._blobs.rest()

    def close(self) -> None:
        """Let everything go but what was pinned."""
        with self._lock:
            if self._blobs is not None:
                self._blobs.close()
            for vault in (self._first, self._fetched, self._versions):
                vault.empty()

    def _keep(self, path: str, sight: Sight, at: float) -> tuple[int | None, int | None]:
        if clean(path) != path and len(self._odd) < _ODD:
            self._odd[clean(path)] = path
        versions = self._seen.setdefault(path, [])
        versions.append(Version(at, sight.bare(), self._put(sight)))
        del versions[:-_VERSIONS]
        return self._lines(path, sight)

    def _put(self, sight: Sight) -> str:
        if not sight.there:
            return ""
        if sight.data is None:
            return _UNREAD if sight.mode == UNREAD else f"{_TOO_LARGE}, or was being written"
        if len(sight.data) > LARGEST:
            return _TOO_LARGE
        return self._versions.put(sight.digest, sight.data)

    def _at_start(self, path: str) -> Kept:
        if self._listed is None:
            return Kept(why="the folder was not measured when the watch began")
        was = listed(self._listed.get(os.fsencode(path)))
        if not was.there:
            return Kept(there=False)
        digest = self._copied.get(path)
        vault = self._first if digest and self._first.has(digest) else self._fetched
        data = vault.get(digest) if digest else None
        why = "" if data is not None else self._failed.get(path) or self._why.get(path, _NOWHERE)
        return Kept(data, there=True, mode=was.mode, why=why)

    def _version(self, version: Version) -> Kept:
        sight = version.sight
        data = self._versions.get(sight.digest) if sight.digest else None
        gone = f"more than {MOST >> 20} MB of newer versions were kept"
        why = "" if data is not None or not sight.there else version.why or gone
        return Kept(data, there=sight.there, mode=sight.mode, why=why)

    def _copy(self, path: str) -> None:
        """Copy a file that git does not keep, if it is still what was measured."""
        assert self._listed is not None
        was = listed(self._listed.get(os.fsencode(path)))
        try:
            status = status_at(self._top, path)
            if status.st_size > LARGEST:
                self._why[path] = _TOO_LARGE
                return
        except OSError:
            status = None
        sight = see(self._top, path, status, self._listed.algorithm)
        if sight.data is None or not sight.holds_same(was):
            self._why[path] = "it changed before it could be copied"
        elif not (why := self._first.put(sight.digest, sight.data)):
            self._copied[path] = sight.digest
        else:
            self._why[path] = why

    def _lacks(self, path: str) -> bool:
        return (digest := self._copied.get(path)) is None or not (self._first.has(digest) or self._fetched.has(digest))

    def _lines(self, path: str, sight: Sight) -> tuple[int | None, int | None]:
        """Added and removed lines since the start; none for what is no text, or not kept."""
        if sight.there and (sight.data is None or len(sight.data) > LARGEST):
            return None, None
        was = self._at_start(path)
        if was.there is None or (was.there and was.data is None):
            return None, None
        return counted(was.data or b"", sight.data or b"")

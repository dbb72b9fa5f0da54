"""Reads what files hold as git's own ids of it: raw bytes, never through a filter."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import struct
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from monitor.worktree.budget import Budget, MeasureError, UnsettledError
from monitor.worktree.gitfiles import show

Algorithm = Literal["sha1", "sha256"]
UNREAD = b"000000"
"""The mode of a file nobody may read here; its id is that of its size and times."""
_CHUNK = 1 << 20
_MUCH = 16 << 20
"""Bytes from which threads are worth their start."""
_SOME = 64
"""Files that a thread is given at a time: what is kept of each task takes more room than a path."""
_TRIES = (0.0, 0.005, 0.03, 0.15)
"""Seconds waited before each try at a file that is being written."""
_UNSEEN = getattr(os, "O_NOATIME", 0)
_NOWHERE = (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG)
_FINE, _COARSE = 50_000_000, 2_100_000_000
"""Nanoseconds within which a second change may leave the same time: the kernel's tick, and of disks that count seconds."""


def key_of(status: os.stat_result) -> bytes:
    """What the system says of a file; it changes whenever the contents do."""
    return struct.pack(
        "=QQqqqI", status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_mode
    )


def _opened(path: bytes) -> int:
    """A descriptor whose reading leaves the time of access as it was, where the file is ours; raises OSError."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        return os.open(path, flags | _UNSEEN)
    except PermissionError:
        return os.open(path, flags)


@dataclass(frozen=True, slots=True)
class Doubt:
    """The tracked files of a folder for which git's word was not enough."""

    index: bytes
    """The state of the index for which this holds."""
    at: float
    """When that was found out, seconds since the epoch."""
    paths: Mapping[bytes, int]
    """With the time of the change in ns where that makes the doubt, else 0."""


class StatCache:
    """Ids of contents by what the system says of the file, kept from one measurement to the next.

    It is used by one measurement at a time. What a measurement did not use is forgotten with the next.
    """

    def __init__(self) -> None:
        self._ids: dict[bytes, bytes] = {}
        self._used: dict[bytes, bytes] = {}
        self.doubts: dict[bytes, Doubt] = {}
        """By folder."""

    def get(self, key: bytes) -> bytes | None:
        """The id of what a file holds, if it was read since it last changed."""
        found = self._ids.get(key)
        if found is not None:
            self._used[key] = found
        return found

    def put(self, key: bytes, found: bytes, status: os.stat_result) -> None:
        """Remember an id, unless the file is so new that another change could still leave the same times."""
        whole_seconds = not status.st_ctime_ns % 1_000_000_000
        if time.time_ns() - status.st_ctime_ns > (_COARSE if whole_seconds else _FINE):
            self._ids[key] = self._used[key] = found

    def settle(self) -> None:
        """A measurement is complete: forget what it did not use."""
        self._ids, self._used = self._used, {}


def entry(mode: bytes, found: bytes, path: bytes) -> bytes:
    """One line of a listing, in the words of `git ls-files -s -v` for a file without anything special."""
    return b"H %s %s 0\t%s" % (mode, found, path)


class Contents:
    """The files and links below one folder."""

    def __init__(self, top: Path, algorithm: Algorithm, budget: Budget, cache: StatCache) -> None:
        self._top = os.fsencode(top) + b"/"
        self._algorithm = algorithm
        self._budget = budget
        self._cache = cache
        self._real: dict[bytes, bool] = {b"": True}

    def entries(self, paths: Iterable[bytes]) -> dict[bytes, bytes]:
        """By path the line of each that is a file or a link; whatever else it is, it holds no content."""
        found: dict[bytes, bytes] = {}
        unread: list[bytes] = []
        size = 0
        for path in paths:
            status = self.status(path)
            if status is None:
                continue
            if stat.S_ISLNK(status.st_mode):
                found[path] = entry(b"120000", self._link(path), path)
            elif not stat.S_ISREG(status.st_mode):
                continue
            elif known := self._cache.get(self._key(status)):
                found[path] = entry(_mode(status), known, path)
            else:
                unread.append(path)
                size += status.st_size
        self._budget.take_bytes(size)
        found.update(zip(unread, self._read_all(unread, size), strict=True))
        return found

    def _read_all(self, unread: Sequence[bytes], size: int) -> list[bytes]:
        """The lines of files that are not in the cache; side by side where they are so large that it pays."""
        if size < _MUCH:
            return self._read_some(unread)
        workers = min(4, os.cpu_count() or 1)
        some = max(min(len(unread) // (workers * 4), _SOME), 1)
        readers = ThreadPoolExecutor(workers, "reading")
        try:
            parts = readers.map(self._read_some, (unread[at : at + some] for at in range(0, len(unread), some)))
            return [line for part in parts for line in part]
        finally:
            readers.shutdown(cancel_futures=True)

    def status(self, path: bytes) -> os.stat_result | None:
        """What lies at a path; none where nothing does, or where a link leads there from elsewhere."""
        self._budget.check()
        try:
            return os.lstat(self._top + path) if self._is_real(path.rpartition(b"/")[0]) else None
        except OSError as error:
            if error.errno in _NOWHERE:
                return None
            raise

    def _is_real(self, folder: bytes) -> bool:
        """Whether a folder and all above it up to the top are folders, and no links to some."""
        unknown = []
        while folder not in self._real:
            unknown.append(folder)
            folder = folder.rpartition(b"/")[0]
        real = self._real[folder]
        for place in reversed(unknown):
            real = self._real[place] = real and stat.S_ISDIR(os.lstat(self._top + place).st_mode)
        return real

    def _key(self, status: os.stat_result) -> bytes:
        return self._algorithm.encode() + key_of(status)

    def _link(self, path: bytes) -> bytes:
        target = os.readlink(self._top + path)  # noqa: PTH115 - a Path would tidy the bytes up
        return self._id(b"blob %d\0" % len(target) + target)

    def _id(self, data: bytes) -> bytes:
        return hashlib.new(self._algorithm, data, usedforsecurity=False).hexdigest().encode()

    def _read_some(self, paths: Sequence[bytes]) -> list[bytes]:
        return [self._read(path) for path in paths]

    def _read(self, path: bytes) -> bytes:
        """The line of a file that is not in the cache, read until its size and times hold still."""
        for pause in _TRIES:
            if pause:
                self._budget.wait(pause)
            status = self._again(path)
            try:
                found = self._hash(path, status)
            except PermissionError:
                return entry(UNREAD, self._id(key_of(status)), path)
            except OSError as error:
                raise _trouble(path, error) from error
            if found:
                self._cache.put(self._key(status), found, status)
                return entry(_mode(status), found, path)
        raise MeasureError(f"{show(path)} is being written")

    def _again(self, path: bytes) -> os.stat_result:
        status = self.status(path)
        if status is None or not stat.S_ISREG(status.st_mode):
            raise UnsettledError(show(path))
        return status

    def _hash(self, path: bytes, status: os.stat_result) -> bytes | None:
        """The id of what a file holds; none when it is another by now, or changed meanwhile."""
        number = _opened(self._top + path)
        try:
            if key_of(os.fstat(number)) != key_of(status):
                return None
            digest = hashlib.new(self._algorithm, b"blob %d\0" % status.st_size, usedforsecurity=False)
            left = status.st_size
            buffer = memoryview(bytearray(min(_CHUNK, left + 1)))
            while left >= 0 and (count := os.readv(number, (buffer,))):
                digest.update(buffer[:count])
                left -= count
                self._budget.check()
            unchanged = not left and key_of(os.fstat(number)) == key_of(status)
        finally:
            os.close(number)
        return digest.hexdigest().encode() if unchanged else None


def _mode(status: os.stat_result) -> bytes:
    return b"100755" if status.st_mode & stat.S_IXUSR else b"100644"


def _trouble(path: bytes, error: OSError) -> Exception:
    if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENXIO):
        return UnsettledError(show(path))
    return MeasureError(f"{show(path)} cannot be read: {error.strerror}")

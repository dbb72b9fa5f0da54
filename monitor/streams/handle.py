"""One opened file: where reading stands in it, and whether what was read is still what it holds."""

from __future__ import annotations

import os
from pathlib import Path

from monitor.streams.files import identity, open_quietly

_SEAL = 512
"""Bytes at the start, and before the place reading stands at, that must still be what they were."""
_IDLE = 60.0
"""Seconds without a change after which the file is let go, so that hundreds can be followed."""


class Handle:
    """A file that is read on from where reading stopped. Its methods raise OSError."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = open_quietly(path)
        self.identity = identity(os.fstat(self._descriptor))
        self._offset = 0
        self._head = self._tail = b""
        self._stamp: int | None = None
        """When the file was last changed, by its own clock, where its end was seen after that."""

    def read(self, size: int) -> bytes:
        """The next bytes, none at the end."""
        if self._descriptor is None:
            return b""
        data = os.pread(self._descriptor, size, self._offset)
        if len(self._head) < _SEAL:
            self._head = (self._head + data[:_SEAL])[:_SEAL]
        self._tail = data[-_SEAL:] if len(data) >= _SEAL else (self._tail + data)[-_SEAL:]
        self._offset += len(data)
        return data

    def rewritten(self) -> bool:
        """Whether what was read may no longer be what the file holds.

        A rewrite in place that makes the file longer and leaves both its start and the bytes before the
        place read to as they were cannot be told from an append.
        """
        if self._descriptor is None:
            return False
        there = os.fstat(self._descriptor)
        if there.st_size < self._offset:
            return True
        if there.st_size == self._offset and self._stamp is not None:
            return self._stamp != there.st_mtime_ns
        head = os.pread(self._descriptor, len(self._head), 0)
        tail = os.pread(self._descriptor, len(self._tail), self._offset - len(self._tail))
        return head != self._head or tail != self._tail

    def rewind(self) -> None:
        """Read again from the start."""
        self._offset = 0
        self._head = self._tail = b""
        self._stamp = None

    def rest(self, now: float) -> None:
        """The end was reached: note how the file looks, and let it go when nothing has happened for long."""
        if self._descriptor is None:
            return
        there = os.fstat(self._descriptor)
        self._stamp = there.st_mtime_ns if there.st_size == self._offset else None
        if self._stamp is not None and now - there.st_mtime > _IDLE:
            self.close()

    @property
    def released(self) -> bool:
        """Whether the file was let go."""
        return self._descriptor is None

    def stirred(self, there: os.stat_result) -> bool:
        """Whether anything happened since it was let go."""
        return (there.st_size, there.st_mtime_ns) != (self._offset, self._stamp)

    def reopen(self) -> bool:
        """Open it again after it was let go; whether it is still the same file."""
        descriptor = open_quietly(self._path)
        if identity(os.fstat(descriptor)) != self.identity:
            os.close(descriptor)
            return False
        self._descriptor = descriptor
        return True

    def close(self) -> None:
        """Let the file go."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

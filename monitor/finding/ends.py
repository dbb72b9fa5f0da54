"""Reads heads and tails of logs, whatever their size, and keeps what was made of them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from monitor.agents.listed import Told
from monitor.streams.files import open_quietly, pread_all

HEAD = 16 << 10
TAIL = 8 << 10
_MOST = 50_000
"""Files remembered."""


class FileEnds:
    """What was made of each file, until it is written to again."""

    def __init__(self, head: int = HEAD, tail: int = TAIL) -> None:
        self._head, self._tail = head, tail
        self._known: dict[str, tuple[int, int, Any]] = {}
        self.read = 0
        """Bytes read so far."""

    def of(self, path: Path, tell: Callable[[bytes, bytes], Told]) -> tuple[Told, float] | None:
        """What `tell` makes of head and tail, and when the file was last written; none where it cannot be read."""
        name = str(path)
        try:
            there = path.stat()
            known = self._known.get(name)
            if known is None or known[:2] != (there.st_mtime_ns, there.st_size):
                known = (there.st_mtime_ns, there.st_size, tell(*self._ends(path, there)))
                if len(self._known) >= _MOST:
                    del self._known[next(iter(self._known))]
                self._known[name] = known
        except OSError:
            return None
        return known[2], there.st_mtime

    def _ends(self, path: Path, there: os.stat_result) -> tuple[bytes, bytes]:
        descriptor = open_quietly(path, there)
        try:
            size = os.fstat(descriptor).st_size
            head = pread_all(descriptor, self._head, 0)
            tail = head if size <= self._head else pread_all(descriptor, self._tail, size - self._tail)
        finally:
            os.close(descriptor)
        self.read += len(head) + (len(tail) if tail is not head else 0)
        return head, tail

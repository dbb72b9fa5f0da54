"""Reads heads and tails of logs, whatever their size, and keeps what was made of them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from monitor.agents.listed import Told
from monitor.streams.files import open_quietly, pread_all

HEAD = 16 << 10
TAIL = 8 << 10
_MOST = 50_000
"""Files remembered."""
_BATCH = 64
"""Files opened at once: the disk fetches them side by side."""
_Seen = tuple[Path, os.stat_result, int]
"""A file that was not read yet as it stands: its descriptor."""


@dataclass(slots=True)
class _Known:
    """A file as it was when it was read, and what was made of it."""

    inode: int
    changed: int
    """Nanoseconds since the epoch."""
    size: int
    last: float
    """When it was last written, seconds since the epoch."""
    told: Any
    read: float

    def holds(self, there: os.stat_result, head: int, since: float) -> bool:
        """Whether what was made of it stands: it is as it was, or was read at `since` or later and has only grown."""
        if (self.inode, self.changed, self.size) == (there.st_ino, there.st_mtime_ns, there.st_size):
            return True
        return self.read > since and self.inode == there.st_ino and there.st_size > self.size >= head


class FileEnds:
    """What was made of each file, until it is written to again."""

    def __init__(self, head: int = HEAD, tail: int = TAIL, clock: Callable[[], float] = time.monotonic) -> None:
        self._head, self._tail, self._clock = head, tail, clock
        self._known: dict[tuple[str, int], _Known] = {}
        """By path and size of the head."""
        self.read = 0
        """Bytes read so far."""

    def of(self, path: Path, tell: Callable[[bytes, bytes], Told], *, grown: float = 0.0) -> tuple[Told, float] | None:
        """What `tell` makes of head and tail, and when the file was last written; none where it cannot be read.

        One that has only grown behind its head is read again after `grown` seconds: what its tail said stands so long.
        """
        return next(((told, last) for _, told, last in self.of_all((path,), tell, grown=grown)), None)

    def of_all(
        self,
        paths: Iterable[Path],
        tell: Callable[[bytes, bytes], Told],
        head: int | None = None,
        *,
        grown: float = 0.0,
    ) -> Iterator[tuple[Path, Told, float]]:
        """The same for each; what cannot be read is left out."""
        left, head, since = iter(paths), head or self._head, self._clock() - grown
        while batch := list(islice(left, _BATCH)):
            self._read(batch, tell, head, since)
            for path in batch:
                if (known := self._known.get((str(path), head))) is not None:
                    yield path, known.told, known.last

    def _read(self, paths: Sequence[Path], tell: Callable[[bytes, bytes], Told], head: int, since: float) -> None:
        """Know all of these, as they are now; of what has only grown, as it was at `since` or later."""
        with ExitStack() as stack:
            opened = [one for path in paths if (one := self._open(path, head, since, stack)) is not None]
            for path, there, descriptor in opened:
                key = str(path), head
                try:
                    told = tell(*self._ends(descriptor, there.st_size, head))
                except OSError:
                    self._known.pop(key, None)
                    continue
                if len(self._known) >= _MOST:
                    del self._known[next(iter(self._known))]
                stands = there.st_ino, there.st_mtime_ns, there.st_size
                self._known[key] = _Known(*stands, there.st_mtime, told, self._clock())

    def _open(self, path: Path, head: int, since: float, stack: ExitStack) -> _Seen | None:
        """The file, where it is another than when it was read last; the disk begins to fetch its ends."""
        name = str(path)
        try:
            there = os.stat(name)  # noqa: PTH116 - of ten thousand files a second the detour over a Path is felt
            known = self._known.get((name, head))
            if known is not None and known.holds(there, head, since):
                known.last = there.st_mtime
                return None
            descriptor = open_quietly(path, there)
        except OSError:
            self._known.pop((name, head), None)
            return None
        stack.callback(os.close, descriptor)
        if hasattr(os, "posix_fadvise"):
            os.posix_fadvise(descriptor, 0, head, os.POSIX_FADV_WILLNEED)
            os.posix_fadvise(descriptor, max(there.st_size - self._tail, 0), self._tail, os.POSIX_FADV_WILLNEED)
        return path, there, descriptor

    def _ends(self, descriptor: int, size: int, most: int) -> tuple[bytes, bytes]:
        head = pread_all(descriptor, most, 0)
        tail = head if size <= most else pread_all(descriptor, self._tail, size - self._tail)
        self.read += len(head) + (len(tail) if tail is not head else 0)
        return head, tail

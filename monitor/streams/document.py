"""Reads one document that is rewritten whole, each time it says something else."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path

from monitor.streams.files import BOM, open_quietly, pread_all, refuse, require_file
from monitor.streams.presence import Presence
from monitor.streams.record import Input, Record, Shift
from monitor.streams.reread import read_span

CAP = 64 << 20
"""Bytes of the largest document that is held; a larger one becomes a record without data."""
_TRIES = 3
_FRESH = 0.1
"""Seconds after a change within which a second one may carry the same time."""

_Stamp = tuple[int, ...]


class DocumentReader:
    """The contents of a file, a record each time they differ from the last; the first is generation 0.

    An empty file says nothing yet. Raises MonitorError at once for what is no file.
    """

    def __init__(self, source: Input, *, cap: int = CAP, clock: Callable[[], float] = time.time) -> None:
        assert source.path is not None
        refuse(source.path)
        self._path = source.path
        self._source = source
        self._cap = cap
        self._clock = clock
        self._presence = Presence(source)
        self._stamp: _Stamp = ()
        self._digest = b""
        self.generation = -1
        """How often the contents were others before; -1 before there were any."""
        self.bytes = 0
        """Of all contents given."""
        self.unfinished = 0
        """Always 0: a document has no last line to wait for."""
        self.at_end = False
        """Whether the last `read` saw a document nobody was writing to."""
        self.closed = False
        """Always false: it may be rewritten at any time."""
        self.past = False
        """Always false: the first `read` gives it."""

    def read_at(self, offset: int, length: int) -> bytes | None:
        """Bytes of the file as they are now, or none when it is gone or shorter; any thread may ask."""
        return read_span(self._path, offset, length, length)

    def read(self, _limit: int = CAP) -> list[Record | Shift]:
        """The contents if they differ from the last ones given, whole whatever the limit.

        One that is written to while it is read is left for the next time.
        """
        return self._read(torn=False)

    def finish(self) -> list[Record | Shift]:
        """The last contents, even if somebody is still writing to them."""
        return self._read(torn=True)

    def close(self) -> None:
        """Nothing is open between two reads."""

    def _read(self, *, torn: bool) -> list[Record | Shift]:
        seen = self._clock()
        out: list[Record | Shift] = []
        self.at_end = True
        try:
            there = self._path.stat()
            require_file(there)
            if _stamp(there) != self._stamp:
                out += self._renew(seen, torn=torn)
        except OSError as error:
            return [*self._presence.miss(error, seen)]
        return [*self._presence.meet(seen), *out]

    def _renew(self, seen: float, *, torn: bool) -> list[Record]:
        for _ in range(_TRIES):
            data, there, whole = _load(self._path, self._cap + 1)
            if whole:
                break
        self.at_end = whole
        settled = whole and abs(seen - there.st_mtime) > _FRESH
        self._stamp = _stamp(there) if settled else ()
        return self._give(data, there, seen) if data and (whole or torn) else []

    def _give(self, data: bytes, there: os.stat_result, seen: float) -> list[Record]:
        problem, length = "", len(data)
        digest = blake2b(data, digest_size=16).digest()
        if length > self._cap:
            length = there.st_size
            problem = f"a document of {length:,} bytes is too large to hold (the limit is {self._cap:,})"
            data, digest = b"", repr(_stamp(there)).encode()
        if digest == self._digest:
            return []
        self._digest = digest
        self.generation += 1
        self.bytes += length
        data = data.removeprefix(BOM)
        data = b"" if data.isspace() else data
        return [Record(self._source, 1, 0, length, data, seen, self.generation, problem)]


def _load(path: Path, most: int) -> tuple[bytes, os.stat_result, bool]:
    """The first bytes of a file, how it looked afterwards, and whether it stayed the same meanwhile."""
    descriptor = open_quietly(path)
    try:
        before = os.fstat(descriptor)
        data = pread_all(descriptor, min(before.st_size, most), 0)
        there = os.fstat(descriptor)
    finally:
        os.close(descriptor)
    return data, there, _stamp(before) == _stamp(there)


def _stamp(there: os.stat_result) -> _Stamp:
    return there.st_dev, there.st_ino, there.st_size, there.st_mtime_ns, there.st_ctime_ns

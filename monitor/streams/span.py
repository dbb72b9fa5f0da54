"""Reads one part of a file that holds several runs, one after another."""

from __future__ import annotations

import time
from collections.abc import Callable

from monitor.streams.files import refuse
from monitor.streams.record import Input, Record, Shift
from monitor.streams.reread import read_span


class SpanReader:
    """The lines of the part, given once; whatever else the file holds belongs to other runs."""

    def __init__(self, source: Input, *, clock: Callable[[], float] = time.time) -> None:
        assert source.path is not None
        assert source.span is not None
        refuse(source.path)
        self._source, self._path, self._span = source, source.path, source.span
        self._clock = clock
        self.bytes = 0
        """Of the part, once it was read."""
        self.unfinished = 0
        """Always 0: the part stood whole when it was found."""
        self.at_end = False
        """Whether the part was read."""
        self.closed = False
        """Always false: a file may come back."""
        self.past = False
        """Always false: the first `read` gives it."""

    def read(self, _limit: int = 0) -> list[Record | Shift]:
        """Its lines, the first time."""
        if self.at_end:
            return []
        self.at_end = True
        span, seen = self._span, self._clock()
        data = read_span(self._path, span.offset, span.length, span.length)
        if data is None:
            return [Shift(self._source, "lost", "the file is gone, or shorter than it was", seen)]
        self.bytes = len(data)
        records: list[Record | Shift] = []
        offset = span.offset
        for number, line in enumerate(_lines(data), span.line):
            told = line.removesuffix(b"\n").removesuffix(b"\r")
            records.append(Record(self._source, number, offset, len(line), told, seen))
            offset += len(line)
        return records

    def finish(self) -> list[Record | Shift]:
        """Nothing more."""
        return []

    def read_at(self, offset: int, length: int) -> bytes | None:
        """Bytes of the file as they are now; any thread may ask."""
        return read_span(self._path, offset, length, length)

    def close(self) -> None:
        """Nothing is open between two reads."""


def _lines(data: bytes) -> list[bytes]:
    """The lines with their ends; a return alone ends none."""
    lines = data.split(b"\n")
    whole = [line + b"\n" for line in lines[:-1]]
    return [*whole, lines[-1]] if lines[-1] else whole

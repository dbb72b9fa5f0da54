"""Cuts bytes that arrive in pieces into records of whole lines, and knows which lines it gave before."""

from __future__ import annotations

from array import array
from zlib import crc32

from monitor.streams.files import BOM
from monitor.streams.record import Input, Record, Shift

CAP = 256 << 20
"""Bytes of the longest line that is held; a longer one becomes a record without data."""
LIMIT = 4 << 20
"""Bytes taken at a time where the caller does not say."""
CHUNK = 1 << 20
"""Bytes read at once."""
PATIENCE = 256 << 20
"""Bytes read in search of one line that ends, or of one that was not there before."""


class Cutter:
    """The lines of one input, the same whatever pieces its bytes arrive in.

    It keeps eight bytes per line it gave. After `rewind` the input is fed again from its start: lines that
    are what they were are passed over, and the first that differs begins a new generation.
    `bytes` is at all times the sum of the lengths of the records given and of `unfinished`.
    """

    def __init__(self, source: Input, cap: int = CAP) -> None:
        self._source = source
        self._cap = cap
        self._known = array("Q")
        self._open = 0
        """Bytes of the last known line when it was given without its end; else 0."""
        self.generation = 0
        self.bytes = 0
        self._line = 0
        """Lines passed since the start of the input."""
        self._start = 0
        """Where the current line begins."""
        self._held = bytearray()
        self._length = 0
        """Bytes of the current line so far; `_given` of them are in a record already."""
        self._given = 0
        self._sum = 0

    @property
    def unfinished(self) -> int:
        """Bytes of a last line without its end, not given yet."""
        return self._length - self._given

    @property
    def missing(self) -> int:
        """Lines given before that have not come again since `rewind`."""
        return len(self._known) - self._line - bool(self._given)

    def feed(self, chunk: bytes, seen: float) -> list[Record | Shift]:
        """The records of the lines that end in this piece."""
        self.bytes += len(chunk)
        out: list[Record | Shift] = []
        start = 0
        while (end := chunk.find(b"\n", start)) >= 0:
            if self._length:
                self._hold(chunk[start:end])
                data, digest, size = bytes(self._held), self._digest(), self._length
            else:
                data, size = chunk[start:end], end - start
                digest = crc32(data) | (size & 0xFFFFFFFF) << 32
            self._pass(data, digest, size + 1, seen, out)
            start = end + 1
        if start < len(chunk):
            self._hold(chunk[start:])
        return out

    def rewind(self) -> None:
        """The input is read again from its start; an unfinished line is taken back."""
        self.bytes -= self.unfinished
        self._line = self._start = 0
        self._drop()

    def settle(self) -> None:
        """The input is at its end for now: a last line without its end that was given before is not new."""
        last = len(self._known) - 1
        if self._open and self._line == last and self._known[last] == self._digest():
            self.bytes -= self.unfinished
            self._given = self._length
            self._held.clear()

    def cut_short(self, seen: float) -> list[Shift]:
        """Give up lines that have not come again: the input now ends before them."""
        if not self.missing:
            return []
        text = f"the log was cut short: {self._line:,} of the {len(self._known):,} lines read are left"
        self._forget()
        return [Shift(self._source, "rewritten", text, seen)]

    def finish(self, seen: float) -> list[Record]:
        """The last line, which has no end; should more of it come, that is a record of its own."""
        if not self.unfinished:
            return []
        record = self._record(bytes(self._held), self._length, seen)
        del self._known[self._line :]
        self._known.append(self._digest())
        self._open = self._given = self._length
        self._held.clear()
        return [record]

    def break_off(self, seen: float) -> list[Record]:
        """The rest of the current line is lost; what comes next begins another."""
        records = self.finish(seen)
        if self._length:
            self._line += 1
            self._start += self._length
            self._open = 0
            self._drop()
        return records

    def _pass(self, data: bytes, digest: int, length: int, seen: float, out: list[Record | Shift]) -> None:
        if self._line == len(self._known):
            self._known.append(digest)
            out.append(self._record(data, length, seen, ended=True))
        elif self._known[self._line] == digest:
            self._pass_again(length, seen, out)
        else:
            if not self._given:
                self._forget()
                text = f"the log was rewritten: from line {self._line + 1:,} on it is no longer what was read"
                out.append(Shift(self._source, "rewritten", text, seen))
            del self._known[self._line :]
            self._open = 0
            self._known.append(digest)
            out.append(self._record(data, length, seen, ended=True))
        self._line += 1
        self._start += length
        if self._length:
            self._drop()

    def _pass_again(self, length: int, seen: float, out: list[Record | Shift]) -> None:
        before = length
        if self._open and self._line == len(self._known) - 1:
            before, self._open = self._open, 0
        rest = length - before
        self.bytes -= length - self._given - rest
        if rest:
            place = self._start + before
            out.append(Record(self._source, self._line + 1, place, rest, b"", seen, self.generation))

    def _record(self, data: bytes, length: int, seen: float, *, ended: bool = False) -> Record:
        offset, length = self._start + self._given, length - self._given
        problem = ""
        if length - ended > self._cap:
            problem = f"a line of {length:,} bytes is too long to hold (the limit is {self._cap:,})"
            data = b""
        elif ended and data.endswith(b"\r"):
            data = data[:-1]
        if not offset and data.startswith(BOM):
            data = data[len(BOM) :]
        if data.isspace():
            data = b""
        return Record(self._source, self._line + 1, offset, length, data, seen, self.generation, problem)

    def _hold(self, piece: bytes) -> None:
        self._length += len(piece)
        self._sum = crc32(piece, self._sum)
        if self.unfinished > self._cap:
            self._held.clear()
        else:
            self._held += piece

    def _digest(self) -> int:
        return self._sum | (self._length & 0xFFFFFFFF) << 32

    def _forget(self) -> None:
        del self._known[self._line :]
        self._open = 0
        self.generation += 1

    def _drop(self) -> None:
        self._held.clear()
        self._length = self._given = self._sum = 0

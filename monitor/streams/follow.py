"""Follows one log of lines through all that happens to a file."""

from __future__ import annotations

import time
from collections.abc import Callable

from monitor.streams.files import identity, refuse, require_file
from monitor.streams.handle import Handle
from monitor.streams.lines import CAP, CHUNK, LIMIT, PATIENCE, Cutter
from monitor.streams.presence import Presence
from monitor.streams.record import Input, Record, Shift
from monitor.streams.reread import read_span

_GRACE = 2.0
"""Seconds a log may be shorter than it was before it counts as cut short: one that is being rewritten is."""


class Follower:
    """The whole lines of a file, as they come; nothing is given twice.

    The file may grow, be cut short, be rewritten in place or replaced, appear late, vanish and return.
    When lines given before are no longer in it, a `Shift` says from which on, and what follows has the next
    generation; a file rewritten with the same lines and more of them has only grown.
    Raises MonitorError at once for what is no file.
    """

    def __init__(self, source: Input, *, cap: int = CAP, clock: Callable[[], float] = time.time) -> None:
        assert source.path is not None
        refuse(source.path)
        self._path = source.path
        self._clock = clock
        self._presence = Presence(source)
        self._cutter = Cutter(source, cap)
        self._handle: Handle | None = None
        self._moved = False
        """Another file has taken the name of the one that is open; what is left in that is read first."""
        self._short: float | None = None
        """Since when lines given before are missing at the end."""
        self.at_end = False
        """Whether the last `read` took all there was."""
        self.closed = False
        """Always false: any file may grow."""
        self.past = False
        """Always false: the first `read` gives it."""

    def read_at(self, offset: int, length: int) -> bytes | None:
        """Bytes of the file as they are now, or none when it is gone or shorter; any thread may ask."""
        return read_span(self._path, offset, length, length)

    @property
    def bytes(self) -> int:
        """Bytes read: those of the records given, and the unfinished ones."""
        return self._cutter.bytes

    @property
    def unfinished(self) -> int:
        """Bytes of a last line without its end."""
        return self._cutter.unfinished

    @property
    def generation(self) -> int:
        """How often lines given before were replaced."""
        return self._cutter.generation

    def read(self, limit: int = LIMIT) -> list[Record | Shift]:
        """The lines there are now, about `limit` bytes of them; none when no further line has ended.

        It goes on beyond `limit` until it has one: in a very long line or an unchanged beginning up to 256 MiB.
        """
        seen = self._clock()
        out: list[Record | Shift] = []
        trouble = self._look()
        try:
            self._take(limit, seen, out)
        except OSError as error:  # a file system may fail at any step
            self.close()
            self.at_end = True
            trouble = error
        if trouble:
            return [*out, *self._presence.miss(trouble, seen)]
        return [*self._presence.meet(seen), *out]

    def finish(self) -> list[Record | Shift]:
        """All that is left, with the last line though it has no end: no more will come.

        Should more come after all, `read` goes on with it.
        """
        out = self.read()
        while not self.at_end:
            out += self.read()
        seen = self._clock()
        if self._handle:
            out += self._cutter.cut_short(seen)
        if not self._cutter.missing:
            out += self._cutter.finish(seen)
        return out

    def close(self) -> None:
        """Let go of the file; a later `read` opens it again and looks whether it is what it was."""
        if self._handle:
            self._handle.close()
            self._handle = None

    def _look(self) -> OSError | None:
        """Have the right file open; the reason when the name leads to none."""
        try:
            there = self._path.stat()
            require_file(there)
            if self._handle is None:
                self._switch()
            elif not self._handle.released:
                self._moved = self._handle.identity != identity(there)
            elif self._handle.identity != identity(there) or (
                self._handle.stirred(there) and not self._handle.reopen()
            ):
                self._switch()
        except OSError as error:
            return error
        return None

    def _take(self, limit: int, seen: float, out: list[Record | Shift]) -> None:
        if self._handle and self._handle.rewritten():
            self._handle.rewind()
            self._cutter.rewind()
        size, spent = max(min(limit, CHUNK), 1), 0
        self.at_end = False
        while not self.at_end and (spent < limit or (not out and spent < PATIENCE)):
            chunk = self._handle.read(size) if self._handle else b""
            spent += len(chunk)
            if chunk:
                out += self._cutter.feed(chunk, seen)
            elif self._moved:
                self._switch()
            else:
                self.at_end = True
        if self.at_end and self._handle:
            self._handle.rest(seen)
            out += self._rest(seen)

    def _rest(self, seen: float) -> list[Shift]:
        self._cutter.settle()
        if not self._cutter.missing:
            self._short = None
        elif self._short is None:
            self._short = seen
        elif seen - self._short > _GRACE:
            return self._cutter.cut_short(seen)
        return []

    def _switch(self) -> None:
        """Go on in the file that bears the name now."""
        self.close()
        self._moved = False
        self._handle = Handle(self._path)
        self._cutter.rewind()

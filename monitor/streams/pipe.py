"""Reads the lines of what is piped in, from the spool that a thread keeps it in."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from monitor.streams.drain import Drain, Hole
from monitor.streams.lines import CAP, CHUNK, LIMIT, PATIENCE, Cutter
from monitor.streams.record import Input, Record, Shift
from monitor.streams.spool import Spool


class PipeReader:
    """The lines of a pipe; it takes the descriptor over, and makes a spool in `folder`.

    Offsets are those of the spool, from which texts are read back. `wake` is called from the reading thread
    whenever there is more, and at the end. Raises MonitorError when the spool cannot be made.
    """

    def __init__(
        self,
        descriptor: int,
        source: Input,
        folder: Path,
        *,
        wake: Callable[[], None] = lambda: None,
        keep: bool = False,
        cap: int = CAP,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._source = source
        self._clock = clock
        self._cutter = Cutter(source, cap)
        self._offset = 0
        self._told: Hole | None = None
        self.closed = False
        """Whether the writer has closed its end and all that was kept has been given."""
        self.past = False
        """Always false: a pipe has none."""
        self.at_end = False
        """Whether the last `read` took all there was."""
        self.spool = Spool(folder, keep=keep)
        self._drain = Drain(descriptor, self.spool, wake)

    def read_at(self, offset: int, length: int) -> bytes | None:
        """Bytes given before, or none when they can no longer be had; any thread may ask."""
        data = self.spool.read_at(offset, length)
        return data if len(data) == length else None

    @property
    def bytes(self) -> int:
        """Bytes read out of the spool: those of the records given, and the unfinished ones."""
        return self._cutter.bytes

    @property
    def unfinished(self) -> int:
        """Bytes of a last line without its end."""
        return self._cutter.unfinished

    @property
    def behind(self) -> int:
        """Bytes that came and were not given yet."""
        return max(self.spool.size - self._offset, 0)

    @property
    def lost(self) -> int:
        """Bytes that came but could not be kept, the disk being full."""
        return self._drain.lost

    @property
    def problem(self) -> str:
        """Why what comes cannot be kept now; empty when it can."""
        return self.spool.problem

    def read(self, limit: int = LIMIT) -> list[Record | Shift]:
        """The lines there are now, about `limit` bytes of them; none when no further line has ended.

        Once the writer has closed its end, the last line comes though it has no end of its own.
        """
        seen = self._clock()
        out: list[Record | Shift] = []
        size, spent = max(min(limit, CHUNK), 1), 0
        self.at_end = False
        while not self.at_end and (spent < limit or (not out and spent < PATIENCE)):
            ended = self._drain.ended  # asked first: after the end neither size nor holes change
            end = self.spool.size
            hole = self._drain.holes[0] if self._drain.holes else None
            chunk = self.spool.read_at(self._offset, min(size, (hole.offset if hole else end) - self._offset))
            self._offset += len(chunk)
            spent += len(chunk)
            if chunk:
                out += self._cutter.feed(chunk, seen)
            elif hole:
                self.at_end = not hole.over and not ended
                out += self._cross(hole, seen, over=not self.at_end)
            else:
                self.at_end = True
                self.closed = ended
        if self.closed:
            out += self._cutter.finish(seen)
        return out

    def finish(self) -> list[Record | Shift]:
        """All that has come so far, with the last line though it has no end: no more is waited for."""
        out = self.read()
        while not self.at_end:
            out += self.read()
        return [*out, *self._cutter.finish(self._clock())]

    def close(self) -> None:
        """Stop reading and remove the spool; a writer that goes on finds its pipe broken."""
        self._drain.close()
        self.spool.close()

    def _cross(self, hole: Hole, seen: float, *, over: bool) -> list[Record | Shift]:
        out: list[Record | Shift] = []
        if hole is not self._told:
            self._told = hole
            out += self._cutter.break_off(seen)
            out.append(Shift(self._source, "lost", hole.why, seen))
        if over:
            self._drain.holes.popleft()
            out.append(Shift(self._source, "gap", f"{hole.lost:,} bytes of the pipe were lost", seen))
        return out

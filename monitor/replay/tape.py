"""All events of a finished run, kept on disk in order, with checkpoints to go back to."""

from __future__ import annotations

import tempfile
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from time import thread_time

import msgspec

from monitor.events import Event
from monitor.replay.checkpoints import Checkpoints
from monitor.run.run import Run

_CHUNK = 1 << 20
_NEAR = 0.003
"""Seconds of folding between the checkpoints that are laid on the way to a moment: who goes to it steps about there."""
_LATELY = 64
"""How many of those are kept."""


class Tape:
    """Written once, event by event; then any moment of the run can be had again."""

    def __init__(self, run: Run) -> None:
        self._file = tempfile.TemporaryFile(prefix="monitor-tape-")  # noqa: SIM115 - lives as long as the tape
        self._encoder = msgspec.msgpack.Encoder()
        self._decoder = msgspec.msgpack.Decoder(Event)
        self._ends = array("Q")
        self._checkpoints = Checkpoints(run)
        self._near: dict[int, Run] = {}

    def __len__(self) -> int:
        return len(self._ends)

    def append(self, event: Event, run: Run) -> None:
        """Keep a numbered event that `run` has just folded in."""
        data = self._encoder.encode(event)
        self._file.seek(0, 2)
        self._file.write(data)
        self._ends.append((self._ends[-1] if self._ends else 0) + len(data))
        self._checkpoints.passed(len(self._ends), run)

    def events(self, start: int, stop: int) -> Iterator[Event]:
        """The events from `start` up to, not including, `stop`."""
        while start < stop:
            begin = self._ends[start - 1] if start else 0
            last = max(min(bisect_right(self._ends, begin + _CHUNK), stop), start + 1)
            self._file.seek(begin)
            data = self._file.read(self._ends[last - 1] - begin)
            for index in range(start, last):
                low = (self._ends[index - 1] if index else 0) - begin
                yield self._decoder.decode(data[low : self._ends[index] - begin])
            start = last

    def nearest(self, count: int) -> int:
        """The moment, at or before that of `count` events, from which the way there is shortest."""
        return max(self._checkpoints.before(count), max((at for at in self._near if at <= count), default=0))

    def run_after(self, count: int) -> Run:
        """The run as it was when the first `count` events had been folded in; to be gone on with freely."""
        at = self.nearest(count)
        near = self._near.pop(at, None)
        if near is not None:
            self._near[at] = near
        run = (near or self._checkpoints.at(at)).copy()
        begun = thread_time()
        for event in self.events(at, count):
            run.feed(event)
            at += 1
            if thread_time() - begun > _NEAR and at < count:
                self._lay(at, run)
                begun = thread_time()
        return run

    def close(self) -> None:
        """Give the disk space back."""
        self._file.close()

    def _lay(self, at: int, run: Run) -> None:
        self._near[at] = run.copy()
        if len(self._near) > _LATELY:
            del self._near[next(iter(self._near))]

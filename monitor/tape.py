"""All events of a finished run, kept on disk in order, with checkpoints to go back to."""

from __future__ import annotations

import tempfile
from array import array
from bisect import bisect_right
from collections.abc import Iterator

import msgspec

from monitor.events import Event
from monitor.run import Run

_CHECKPOINTS = 320
"""Copies of the run kept at the most; when there are more, every second one goes."""
_STEP = 256
"""Events between two checkpoints at first."""
_CHUNK = 1 << 20


class Tape:
    """Written once, event by event; then any moment of the run can be had again."""

    def __init__(self, run: Run) -> None:
        self._file = tempfile.TemporaryFile(prefix="monitor-tape-")  # noqa: SIM115 - lives as long as the tape
        self._encoder = msgspec.msgpack.Encoder()
        self._decoder = msgspec.msgpack.Decoder(Event)
        self._ends = array("Q")
        self._at: list[int] = [0]
        self._runs: list[Run] = [run.copy()]
        self._step = _STEP

    def __len__(self) -> int:
        return len(self._ends)

    def append(self, event: Event, run: Run) -> None:
        """Keep a numbered event that `run` has just folded in."""
        data = self._encoder.encode(event)
        self._file.seek(0, 2)
        self._file.write(data)
        self._ends.append((self._ends[-1] if self._ends else 0) + len(data))
        if len(self._ends) - self._at[-1] >= self._step:
            self._at.append(len(self._ends))
            self._runs.append(run.copy())
            if len(self._runs) > _CHECKPOINTS:
                del self._at[1::2], self._runs[1::2]
                self._step *= 2

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

    def run_after(self, count: int) -> Run:
        """The run as it was when the first `count` events had been folded in; to be gone on with freely."""
        index = bisect_right(self._at, count) - 1
        run = self._runs[index].copy()
        for event in self.events(self._at[index], count):
            run.feed(event)
        return run

    def close(self) -> None:
        """Give the disk space back."""
        self._file.close()

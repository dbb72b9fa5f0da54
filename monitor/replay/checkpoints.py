"""Copies of a run at moments of it, as close to each other as the memory they take allows."""

from __future__ import annotations

import tracemalloc
from array import array
from bisect import bisect_right
from time import thread_time

from monitor.run.run import Run

_SPAN = 0.025
"""Seconds of reading between two checkpoints at first, folding included: the thread's own time, which no other program
lengthens."""
_ROOM = 256_000_000
"""Bytes that all of them take, at the most."""
_EVERY = 8
"""Events between two looks at the clock, which costs as much as an event of a few words."""
_WEIGHED = 16
"""One in so many is weighed."""


class Checkpoints:
    """Laid while a log is read; when they take too much memory, every second one goes, and they are laid half as often."""

    def __init__(self, run: Run) -> None:
        self._at = array("Q", [0])
        self._runs = [run.copy()]
        self._span = _SPAN
        self._since = thread_time()
        self._weight = 0

    def __len__(self) -> int:
        return len(self._runs)

    def passed(self, count: int, run: Run) -> None:
        """`run` has folded `count` events in."""
        if count % _EVERY or thread_time() - self._since < self._span:
            return
        if len(self._runs) % _WEIGHED == 0:
            copy, self._weight = _weighed(run)
        else:
            copy = run.copy()
        self._runs.append(copy)
        self._at.append(count)
        if len(self._runs) * self._weight > _ROOM:
            del self._at[1::2], self._runs[1::2]
            self._span *= 2
        self._since = thread_time()

    def before(self, count: int) -> int:
        """The moment of the latest checkpoint at or before that of `count` events."""
        return self._at[bisect_right(self._at, count) - 1]

    def at(self, count: int) -> Run:
        """The run at the moment of a checkpoint; not to be gone on with, but to be copied."""
        return self._runs[bisect_right(self._at, count) - 1]


def _weighed(run: Run) -> tuple[Run, int]:
    """A copy, and the bytes it holds for itself; what it shares with others is not counted."""
    traced = tracemalloc.is_tracing()
    if not traced:
        tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    copy = run.copy()
    own = tracemalloc.get_traced_memory()[0] - before
    if not traced:
        tracemalloc.stop()
    return copy, own

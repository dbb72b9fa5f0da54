"""Waits for what stirs in a run that is only watched: all such runs are looked at together, beat by beat.

In one go, all such runs cost half of what they do apart: the processor finds at hand what they need. One after the other
they cost half of that again: threads that all want the interpreter take it from each other at every call of the system.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from monitor.channels.hold import Hold
from monitor.streams.notify import Notifier

_MANY = 1_000
"""Events of one round after which more may be there already."""
_MOMENT = 0.25
"""Seconds that a run waits at most for the rounds of others."""
_TURN = threading.Lock()


class Unhurried(Notifier):
    """As long as `hold` says that nobody looks, what stirs is waited for until its next beat, which all runs share."""

    def __init__(self, hold: Hold, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._hold, self._clock = hold, clock
        self._keeps = False
        self._hurried = threading.Event()
        hold.wake = self.hurry

    def gathers(self, taken: int, *, keeps: bool) -> bool:
        """Whether what comes after so many events may wait; what does not keep its times till then never may."""
        self._keeps = keeps
        return taken < _MANY and self._calm

    def wait(self, timeout: float) -> bool:
        """As ever; while nobody looks, until the next beat, and one more where nothing has stirred by then."""
        for _ in range(2):
            if not self._calm or self._hurried.wait(self._hold.beat - self._clock() % self._hold.beat):
                self._hurried.clear()
                return super().wait(0.0 if self._calm else timeout)
            if super().wait(0.0):
                return True
        return False

    def turn(self, step: Callable[[], int]) -> int:
        """As ever; while nobody looks one run after the other, and one that hangs keeps the others for no longer than a moment."""
        mine = self._calm and _TURN.acquire(timeout=_MOMENT)
        try:
            return step()
        finally:
            if mine:
                _TURN.release()

    def hurry(self) -> None:
        """End the wait at once; safe from any thread."""
        self._hurried.set()
        self.wake()

    @property
    def slowed(self) -> int:
        """As many times as two beats have seconds, while nobody looks."""
        return max(round(2 * self._hold.beat), 1) if self._calm else 1

    @property
    def _calm(self) -> bool:
        return self._keeps and self._hold.rests

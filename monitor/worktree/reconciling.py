"""When what the watch has seen is to be held against an exact measurement, though nobody asked for one."""

from __future__ import annotations

from math import inf

OFTEN = 30.0
"""Seconds between two such measurements, at least."""
SHARE = 50
"""A measurement that takes long is made less often: at most this part of the time goes into them."""
IDLE = 5.0
"""Seconds without a change after which the folder is taken to be at rest."""


class Reconciling:
    """Asks for one after a hint, at the end of a turn, and when the folder has come to rest; all times of one clock."""

    def __init__(self) -> None:
        self._wanted = False
        self._measured = -inf
        self._stirred: float | None = None
        """When a change was last told; none where none was since the last measurement."""
        self._turn = 0

    def hint(self) -> None:
        """Something happened that only a measurement can tell."""
        self._wanted = True

    def stir(self, now: float) -> None:
        """Changes were told."""
        self._stirred = now

    def turn(self, turn: int) -> None:
        """The run's turn is this one."""
        self._wanted |= turn != self._turn
        self._turn = turn

    def measure(self, now: float) -> None:
        """A measurement was made, for whatever reason: what was seen is held against it."""
        self._measured, self._stirred, self._wanted = now, None, False

    def due(self, now: float, took: float = 0.0, slowed: int = 1) -> bool:
        """Whether one is to be made now; the latest took so long, and one may be made so many times less often."""
        rests = self._stirred is not None and now - self._stirred >= IDLE
        return (self._wanted or rests) and now - self._measured >= max(OFTEN * slowed, took * SHARE)

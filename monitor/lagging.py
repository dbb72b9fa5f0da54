"""Says how far reading is behind what has come, while it is: then the screen does not show the present."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from monitor.snapshot import Snapshot

LEAST: Final = 1 << 20
"""Bytes from which on it is worth a word: about half a second of reading."""
PACE: Final = 0.5
"""Seconds for which a distance that was told stands."""


class Lagging:
    """Puts the distance into a snapshot's troubles; `behind` gives it in bytes, `clock` seconds that only grow."""

    def __init__(self, behind: Callable[[], int], clock: Callable[[], float]) -> None:
        self._behind, self._clock = behind, clock
        self._looked = float("-inf")
        self._words = ""
        self._from: tuple[Snapshot | None, str] = (None, "")
        self._made: Snapshot | None = None

    def told(self, snapshot: Snapshot, *, more: bool) -> Snapshot:
        """The snapshot with the distance, the very same while it is none; `more` whether the last look brought any."""
        now = self._clock()
        if not more:
            self._words = ""
        elif not self._words or now - self._looked >= PACE:
            self._looked, self._words = now, words(self._behind())
        if not self._words:
            return snapshot
        if self._made is None or self._from[0] is not snapshot or self._from[1] != self._words:
            self._from = snapshot, self._words
            told, missed = (*snapshot.sources, self._words), (*snapshot.missed, self._words)
            self._made = replace(snapshot, sources=told, missed=missed)
        return self._made


def words(behind: int) -> str:
    """`reading is 12 MB behind`; nothing for a distance that is made up in a moment."""
    return f"reading is {behind / 1e6:,.0f} MB behind" if behind >= LEAST else ""

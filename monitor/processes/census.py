"""One reading of all processes for everyone who asks: as old as he allows at the most."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping

from monitor.processes.table import Entry, everything


class Census:
    """The machine's processes as they were read last; any thread may ask."""

    def __init__(
        self,
        read: Callable[[], Mapping[int, Entry]] = everything,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._read, self._clock = read, clock
        self._reading = threading.Lock()
        self._entries: Mapping[int, Entry] = {}
        self._at = float("-inf")

    def within(self, seconds: float) -> Mapping[int, Entry]:
        """All there are, read no longer ago than so many seconds; for none, read now."""
        with self._reading:
            if not seconds or self._clock() - self._at > seconds:
                self._at = self._clock()
                self._entries = self._read()
            return self._entries


CENSUS = Census()
"""The one of this machine."""

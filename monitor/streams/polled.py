"""Reads what is no file of lines, such as a database, by asking again and again what is new."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from monitor.streams.lines import Cutter
from monitor.streams.presence import Presence
from monitor.streams.reader import Data
from monitor.streams.record import Input, Record, Shift
from monitor.streams.spool import Spool

_INTERVAL = 0.25
"""Seconds between two looks at whether anything has changed."""
_REST = 1.0
"""Seconds after a change that was somebody else's before it is asked again: many may share one database."""
_PARTING = 5.0


class Asked(Protocol):
    """What is asked."""

    def stamp(self) -> object:
        """Another value whenever there may be more; cheap, never raises, any thread may ask."""

    def lines(self) -> Sequence[bytes]:
        """Lines that were not given before, without their ends; none when there are no more now.

        Raises OSError when it cannot be asked.
        """


class PolledReader:
    """Its lines, kept in a spool of `folder` so that they can be read back. `wake` is called when there may be more."""

    def __init__(
        self,
        asked: Asked,
        source: Input,
        folder: Path,
        wake: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._asked = asked
        self._source = source
        self._clock = clock
        self._cutter = Cutter(source)
        self._presence = Presence(source)
        self._spool = Spool(folder)
        self._stamp: object = None
        self._rested = 0.0
        """Until when nothing is asked."""
        self.at_end = False
        """Whether the last `read` took all there was."""
        self.closed = False
        """Always false: there may be more at any time."""
        self.past = False
        """Always false: the first `read` gives it."""
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._look, args=(wake, asked.stamp()), name="polled", daemon=True)
        self._thread.start()

    @property
    def bytes(self) -> int:
        """Bytes given so far."""
        return self._cutter.bytes

    @property
    def unfinished(self) -> int:
        """Always 0: lines are given whole."""
        return self._cutter.unfinished

    def read_at(self, offset: int, length: int) -> Data | None:
        """Bytes given before, or none when they can no longer be had; any thread may ask."""
        data = self._spool.read_at(offset, length)
        return data if len(data) == length else None

    def read(self, _limit: int = 0) -> list[Record | Shift]:
        """What is new; nothing while nothing has changed."""
        seen, stamp = self._clock(), self._asked.stamp()
        if self.at_end and (stamp == self._stamp or seen < self._rested):
            return []
        try:
            lines = self._asked.lines()
        except OSError as error:
            self.at_end, self._stamp = True, stamp
            return [*self._presence.miss(error, seen)]
        self._rested = seen + _REST if self.at_end and not lines else 0.0
        self.at_end, self._stamp = not lines, stamp
        data = b"".join(line + b"\n" for line in lines)
        self._spool.append(data)
        return [*self._presence.meet(seen), *self._cutter.feed(data, seen)]

    def finish(self) -> list[Record | Shift]:
        """Nothing: no line is without its end."""
        return []

    def close(self) -> None:
        """Ask no more, and remove the spool."""
        self._stop.set()
        self._thread.join(_PARTING)
        self._spool.close()

    def _look(self, wake: Callable[[], None], last: object) -> None:
        while not self._stop.wait(_INTERVAL):
            now = self._asked.stamp()
            if now != last:
                last = now
                wake()

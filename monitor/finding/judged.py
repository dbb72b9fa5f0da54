"""What finished logs say: each is read once, for as long as nobody writes to it."""

from __future__ import annotations

from collections.abc import Callable

from monitor.agents.listed import Listed
from monitor.errors import MonitorError
from monitor.snapshot import Snapshot
from monitor.text import line

Judge = Callable[[Listed, Callable[[], bool]], Snapshot | None]
"""Reads a finished log while the other holds; none where it is not read."""


class Judged:
    """One thread reads, any may ask."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._known: dict[str, tuple[float | None, Snapshot | None]] = {}
        """By run: when its log was last written to, and what it said then."""

    def of(self, key: str) -> Snapshot | None:
        """What its log says, where it was read."""
        return self._known.get(key, (None, None))[1]

    def keep(self, listed: Listed, snapshot: Snapshot | None) -> None:
        """What is known of it already."""
        self._known[listed.key] = (listed.last, snapshot)

    def due(self, listed: Listed) -> bool:
        """Whether its log was not read since it was last written to."""
        return listed.path is not None and (listed.key not in self._known or self._known[listed.key][0] != listed.last)

    def read(self, listed: Listed, going_on: Callable[[], bool]) -> tuple[Snapshot | None, str]:
        """What its log says, and why it cannot be read."""
        try:
            return self._judge(listed, going_on), ""
        except (MonitorError, OSError) as error:
            return None, line(str(error))

"""What of a run is still to come before it can be replayed."""

from __future__ import annotations

from monitor.streams.open import open_reader
from monitor.streams.reader import Reader
from monitor.streams.record import Input

ANSWER = 0.02
"""Seconds between two looks at what a server has told."""


class Awaited:
    """Opens the inputs of a run, and knows whether a server has yet to tell what happened before."""

    def __init__(self) -> None:
        self._readers: list[Reader] = []

    def __call__(self, source: Input) -> Reader:
        """The reader of an input."""
        self._readers.append(open_reader(source))
        return self._readers[-1]

    @property
    def past(self) -> bool:
        """Whether some of it is still to come."""
        return any(one.past for one in self._readers)

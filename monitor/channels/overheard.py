"""Lets a channel hear an input's records as they are read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from monitor.streams.record import Record, Shift

Data = bytes
"""Named here, since a reader's `bytes` is a count."""


class Reader(Protocol):
    """What is asked of a reader, see `sources.Reader`."""

    @property
    def bytes(self) -> int:
        """Bytes read so far."""

    @property
    def unfinished(self) -> int:
        """Bytes of an unfinished line."""

    @property
    def closed(self) -> bool:
        """Whether no more can come."""

    def read_at(self, offset: int, length: int) -> Data | None:
        """Bytes read before."""

    def read(self, limit: int) -> Sequence[Record | Shift]:
        """The whole records there are now."""

    def finish(self) -> Sequence[Record | Shift]:
        """The last line without its end."""

    def close(self) -> None:
        """Let go."""


class Overheard:
    """A reader that tells each record to `hear` too."""

    def __init__(self, reader: Reader, hear: Callable[[Record], None]) -> None:
        self._reader = reader
        self._hear = hear

    @property
    def bytes(self) -> int:
        """Bytes read so far."""
        return self._reader.bytes

    @property
    def unfinished(self) -> int:
        """Bytes of an unfinished line."""
        return self._reader.unfinished

    @property
    def closed(self) -> bool:
        """Whether no more can come."""
        return self._reader.closed

    def read_at(self, offset: int, length: int) -> Data | None:
        """Bytes read before, or none when they can no longer be had."""
        return self._reader.read_at(offset, length)

    def read(self, limit: int) -> Sequence[Record | Shift]:
        """The whole records there are now, told to the channel first."""
        return self._told(self._reader.read(limit))

    def finish(self) -> Sequence[Record | Shift]:
        """The last line without its end, told to the channel first."""
        return self._told(self._reader.finish())

    def close(self) -> None:
        """Let go of the input."""
        self._reader.close()

    def _told(self, records: Sequence[Record | Shift]) -> Sequence[Record | Shift]:
        for record in records:
            if isinstance(record, Record):
                self._hear(record)
        return records

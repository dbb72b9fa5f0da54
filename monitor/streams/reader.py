"""What every reader of an input can do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from monitor.streams.record import Record, Shift

Data = bytes
"""Named here, since a reader's `bytes` is a count."""


class Reader(Protocol):
    """What every reader of an input can do; none of it blocks."""

    @property
    def bytes(self) -> int:
        """Bytes read so far, those of an unfinished line included."""

    @property
    def unfinished(self) -> int:
        """Bytes of a last line without its end."""

    @property
    def closed(self) -> bool:
        """Whether no more can ever come: the pipe was closed."""

    @property
    def past(self) -> bool:
        """Whether what happened before it was opened is still to come, and is told by somebody who answers later."""

    def read_at(self, offset: int, length: int) -> Data | None:
        """Bytes read before, or none when they can no longer be had."""

    def read(self, limit: int) -> Sequence[Record | Shift]:
        """The whole records there are now, about `limit` bytes of them; none when there are no more yet."""

    def finish(self) -> Sequence[Record | Shift]:
        """The last line without its end, now that no more will come."""

    def close(self) -> None:
        """Let go of the file."""

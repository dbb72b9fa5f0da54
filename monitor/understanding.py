"""How much of a log its decoder understands."""

from __future__ import annotations

from dataclasses import dataclass

_ENOUGH = 3
"""Records from which on it is judged how much of them is understood: the first ones of a log are often but a greeting."""
_FRAMES = (b":", b"event:", b"id:", b"retry:")
"""How lines of an event stream begin that hold no record: they stand around those that do."""


@dataclass(frozen=True, slots=True)
class Understanding:
    """What became of the records of a log."""

    records: int = 0
    """Of a document its entries, as far as they tell something or are of no known type."""
    unknown: int = 0
    """Those of no known type."""
    unreadable: int = 0

    @property
    def slight(self) -> bool:
        """Less than half was understood."""
        return 2 * (self.unknown + self.unreadable) > self.records

    @property
    def strange(self) -> bool:
        """Less than half was understood of enough records to judge by."""
        return self.records >= _ENOUGH and self.slight

    @property
    def words(self) -> str:
        """For the screen."""
        lost = (
            f"{self.unknown:,} are of no known type" if self.unknown else "",
            f"{self.unreadable:,} cannot be read" if self.unreadable else "",
        )
        return (
            f"less than half of this log is understood: of {self.records:,} records {' and '.join(filter(None, lost))}"
        )


def counts(data: bytes) -> bool:
    """Whether a line holds a record: it is not blank, and not what stands around one in an event stream."""
    return bool(data.strip()) and not data.startswith(_FRAMES)

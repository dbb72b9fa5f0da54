"""One number that a detector goes by: its default, its unit, and what it means; written as a field's metadata."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Unit = Literal["count", "seconds", "times", "switch"]
"""`switch`: 1 for on, 0 for off."""
_MOST = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Number:
    """What may be set, and within which bounds; 0 turns off what the number is for."""

    unit: Unit
    says: str
    """What it counts or measures, and what it brings."""
    most: int = _MOST


def count(default: int, says: str, most: int = _MOST) -> int:
    """A field that holds a whole number."""
    return field(default=default, metadata={"number": Number("count", says, most)})


def seconds(default: float, says: str) -> float:
    """A field that holds seconds."""
    return field(default=default, metadata={"number": Number("seconds", says)})


def factor(default: float, says: str) -> float:
    """A field that holds a factor."""
    return field(default=default, metadata={"number": Number("times", says)})


def switch(says: str) -> int:
    """A field that is on unless it is set to 0."""
    return field(default=1, metadata={"number": Number("switch", says, 1)})

"""What a server tells of the time before its events were heard."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Missed:
    """What happened before a link was made, as the events that would have told it."""

    lines: Sequence[bytes] = ()
    after: float = 0.0
    """Seconds until what cannot be told yet can be."""
    rest: Callable[[], Missed] | None = None
    """Tells it then, and raises OSError where it cannot; none where all is told."""

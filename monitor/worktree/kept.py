"""What was kept of a file, and why not more."""

from __future__ import annotations

from dataclasses import dataclass, field

from monitor.worktree.sight import Sight


@dataclass(frozen=True, slots=True)
class Kept:
    """A file as it was at one moment."""

    data: bytes | None = field(default=None, repr=False)
    """None where it was not kept, or where there was no file."""
    there: bool | None = None
    """Whether there was a file; none when that is not known."""
    mode: bytes = b""
    """As git writes it."""
    why: str = ""
    """Why its bytes are not known."""


@dataclass(frozen=True, slots=True)
class Version:
    """A file as it was seen, and since when it was so."""

    at: float
    sight: Sight
    why: str
    """Why its bytes were not kept; empty where they were."""

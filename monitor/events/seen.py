"""What every event carries: its order, its times, whose it is, and where it was read."""

from __future__ import annotations

from typing import Literal

import msgspec


class Place(msgspec.Struct, frozen=True, array_like=True):
    """Where an event was read: its input, its line, and the bytes of the record."""

    input: int = -1
    """Index of the input within the run; -1 for what the monitor itself saw."""
    line: int = 0
    """Physical line from 1 in a log of lines; index of the item in a single document."""
    offset: int = 0
    """First byte of the record in its input."""
    length: int = 0
    """Bytes of the record, its line end included."""
    item: int = 0
    """Which part of the record: the index of the content block, or of the call, that the event was read from."""


NOWHERE = Place()


class Seen(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="event", tag=True):
    """What every event carries."""

    seq: int = -1
    """The order folded in, dense from 0; -1 until `Run` has numbered it."""
    at: float | None = None
    """The source's own time, seconds since the epoch."""
    seen: float = 0.0
    """When it reached the monitor, seconds since the epoch."""
    actor: str = ""
    """The sub-agent that did it; empty for the root session."""
    request: int = 0
    """The request it belongs to, from 1; 0 before any prompt. Numbered by `Run`."""
    turn: int = 0
    """The actor's model reply it belongs to, from 1. Numbered by `Run`."""
    place: Place = NOWHERE
    copied: bool = False
    """Copied from an older run (a fork, copied context): shown, marked, and not counted."""


Sees = Literal["full", "partial", "none"]


class Coverage(msgspec.Struct, frozen=True):
    """How much of what a detector needs this source can show."""

    sees: Sees
    why: str = ""


DETECTORS = (
    "failed_writes", "sites", "thinking", "repeats", "replies", "folder",
    "scripts", "worktree", "outside_edits", "tests", "stalls",
)  # fmt: skip
"""Every detector by the name that coverage, findings and the report use."""

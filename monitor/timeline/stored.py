"""A row of the timeline as it is stored: numbers and where its texts stand."""

from __future__ import annotations

from typing import NamedTuple

from monitor.events import Outcome, Place
from monitor.timeline.rows import RowKind


class Stored(NamedTuple):
    """A row as it is stored."""

    kind: RowKind
    seq: int
    at: float | None
    took: float | None
    place: Place
    """Where its text is read back; of a text in pieces, from the first piece to the end of the last."""
    result: Place | None
    outcome: Outcome | None
    actor: str
    turn: int
    copied: bool
    pieces: bool
    told: int
    """The seq of the event its text comes from: the latest telling."""
    result_seq: int


class Spans(NamedTuple):
    """The bytes a row's texts are read back from."""

    told: int
    """The seq of the event its text comes from."""
    input: int
    offset: int
    length: int
    pieces: bool
    actor: str
    result_seq: int
    """That of its result; -1 for none."""
    result_input: int
    result_offset: int
    result_length: int

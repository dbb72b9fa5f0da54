"""One record of an input, and the account of its bytes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from monitor.streams.reader import Reader

Shape = Literal["lines", "document"]


@dataclass(frozen=True, slots=True)
class Span:
    """One part of a file that holds several runs, one after another."""

    line: int
    """Its first line, from 1."""
    offset: int
    length: int
    """Bytes, the last line's end included."""
    lines: int = 1


@dataclass(frozen=True, slots=True)
class Input:
    """A file or pipe a run is read from."""

    index: int
    """Its number within the run, from 0, never reused."""
    name: str
    """What a person calls it: the file's name, relative to the run's folder."""
    role: str
    """What the decoder calls it: `transcript`, `subagent`, `run.json` …"""
    path: Path | None = None
    """None for a pipe."""
    shape: Shape = "lines"
    """A log of lines, or one document that is rewritten whole."""
    actor: str = ""
    """The sub-agent whose file it is, where its name tells."""
    passing: bool = False
    """It goes when the run ends: that it is gone is no loss."""
    span: Span | None = None
    """The part of the file that is this run's; none where all of it is."""
    opens: Callable[[Input, Callable[[], None]], Reader] | None = field(default=None, compare=False)
    """Opens what is no file of its own, such as a database or a server; it is given what wakes whoever waits."""


@dataclass(frozen=True, slots=True)
class Record:
    """One whole line of an input, or one whole document."""

    input: Input
    line: int
    """Physical line from 1; 1 for a document."""
    offset: int
    length: int
    """Bytes taken in the input, line end included."""
    data: bytes
    """Without the line end; empty when `problem` says why."""
    seen: float = 0.0
    """When it arrived, seconds since the epoch."""
    generation: int = 0
    """How often the input was rewritten before this was read."""
    problem: str = ""
    """Why the bytes are not here: a line too long to hold."""


@dataclass(frozen=True, slots=True)
class Shift:
    """The input itself changed: lost, back, rewritten, cut short."""

    input: Input
    what: Literal["lost", "back", "gap", "rewritten", "gone"]
    text: str
    seen: float = 0.0


@dataclass(slots=True)
class Account:
    """What became of an input's bytes: bytes = decoded + unreadable + unfinished."""

    name: str
    bytes: int = 0
    """Counted where they were read."""
    records: int = 0
    decoded_bytes: int = 0
    unreadable_bytes: int = 0
    unfinished_bytes: int = 0
    """Of a last line without its end."""
    unreadable: int = 0
    """Records no decoder could read."""
    unknown_types: dict[str, int] = field(default_factory=dict)

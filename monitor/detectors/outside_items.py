"""What can happen to one file, by whatever hand."""

from __future__ import annotations

from dataclasses import dataclass

from monitor.findings import Spot

OURS = ("agent", "shell", "unknown")
"""Hands that are the run's own, or may be."""


@dataclass(frozen=True, slots=True)
class Changed:
    """The file was seen to change."""

    at: float
    seq: int
    what: str
    after: str
    """SHA-256 of what it holds, in hex; empty where nothing does, or it is not known."""
    spot: Spot
    by: str = ""
    """Empty while it is not judged; see `Author.by`."""
    why: str = ""
    added: int | None = None
    removed: int | None = None
    run: str = ""
    """Another attached run that claims it."""

    @property
    def outside(self) -> bool:
        """Whether its contents changed outside the agent's view."""
        return bool(self.by) and self.by not in OURS and self.what != "mode"


@dataclass(frozen=True, slots=True)
class Met:
    """The agent read the file, or was told what changed in it."""

    at: float
    seq: int


@dataclass(frozen=True, slots=True)
class Wrote:
    """The agent wrote the file."""

    at: float
    """When the call was issued."""
    seq: int
    spot: Spot
    end: float
    tool: str
    whole: bool


@dataclass(frozen=True, slots=True)
class Noted:
    """A tool, or the harness, said that the file had changed since the agent read it."""

    at: float
    seq: int
    spot: Spot
    excused: bool
    """A call of the agent's may have changed it."""


Item = Changed | Met | Wrote | Noted

"""What the failed-writes detector shows."""

from __future__ import annotations

from dataclasses import dataclass

from monitor.events import CloseLine, Failure, Outcome
from monitor.findings import Finding, Spot

SETTLED = 50
"""Settled files kept."""


@dataclass(frozen=True, slots=True)
class FailedWrite:
    """One write that failed on one file."""

    spot: Spot
    call: str
    tool: str
    outcome: Outcome
    failure: Failure
    what: str
    """The failure in one line, as the agent was told."""
    at: float | None = None
    actor: str = ""
    turn: int = 0
    excused: bool = False
    """The repeat of a change that stands: it asks for nothing."""
    cause: bool = False
    """In a call over several files: the one that made it fail."""
    guess: str = ""
    """The text it looked for, up to 2,000 characters."""
    new: str = ""
    """The text it meant to write, up to 2,000 characters."""
    closest: tuple[CloseLine, ...] = ()
    source: str = ""
    """Where the closest lines were read: `disk` at the failure, the `log`, or the file as it is `today`."""
    no_lines: str = ""
    """Why there are no closest lines."""


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One file of the ledger."""

    key: str
    """The canonical path that settles it; one that nothing settles when the call named no file."""
    file: str
    """The path to show: relative to the project where it lies inside."""
    outstanding: bool
    failures: tuple[FailedWrite, ...]
    """The failures since the entry was opened, oldest first; the last 20."""
    count: int
    """How many failures stand (outstanding) or stood (settled)."""
    settled_by: str = ""
    """`a later write`, `denied by a person`, `corrected by a person`, `the operator: …`, or `the same change, made
    earlier` where there were only excused repeats; empty while outstanding."""
    settled_at: float | None = None
    lowered: bool = False
    """The new text now stands in the file and the old one is gone, by another hand: a note, still outstanding."""
    unknown: bool = False
    """Whether it was written is not known."""
    elsewhere: str = ""
    """Another file to which the same content was written since: it mends nothing."""

    @property
    def last(self) -> FailedWrite:
        """The latest failure."""
        return self.failures[-1]


@dataclass(frozen=True, slots=True)
class WritesView:
    """The ledger of failed writes."""

    entries: tuple[FileEntry, ...] = ()
    """Outstanding first, latest first within each; settled ones keep the last 50."""
    outstanding: int = 0
    """Files with an outstanding failure."""
    made: int = 0
    """Write calls that were made."""
    failed: int = 0
    """Write calls that failed, excused repeats included."""
    findings: tuple[Finding, ...] = ()


def how_ended(by: str) -> str:
    """What became of an entry that `by` ended: you settle it, everything else clears it."""
    if not by or by.startswith("the operator"):
        return f"settled by {by}" if by else "settled"
    return f"cleared by {by}" if by == "a later write" else f"cleared: {by}"

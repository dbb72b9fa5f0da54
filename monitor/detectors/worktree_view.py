"""What is known of the project folder."""

from __future__ import annotations

from dataclasses import dataclass

from monitor.findings import Finding


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A file that is another than at the start."""

    file: str
    by: str = ""
    """`agent`, `shell`, `outside`, `unknown`, or another run's name; empty where nobody looked who it was."""
    why: str = ""
    added: int | None = None
    removed: int | None = None
    at: float | None = None
    also: str = ""
    """The run's own hand, where somebody else changed the file after it; empty for none."""


UNMEASURED = "measured only live, with --project DIR"
"""Why a folder was not, as long as nothing else is known."""


@dataclass(frozen=True, slots=True)
class WorktreeView:
    """The newest measurement that counts."""

    changed: bool | None = None
    """Since the latest prompt or feedback."""
    since_start: bool | None = None
    reason: str = UNMEASURED
    """Why `changed` is none."""
    by: str = ""
    """`monitor` or `agent`; empty before any measurement."""
    kinds: tuple[str, ...] = ()
    files: tuple[ChangedFile, ...] = ()
    measured: int = 0
    """How many measurements were taken."""
    at: float | None = None
    since: float | None = None
    """The prompt or feedback that `changed` counts from."""
    since_feedback: bool = False
    pending: bool = False
    """A measurement was asked for and has not come back."""
    findings: tuple[Finding, ...] = ()
    attached: float | None = None
    """When the start was measured, where the run was under way by then; none where it was its start."""
    elsewhere: tuple[str, ...] = ()
    """Where nothing changed: the files that were written all the same, ignored, outside, or as they were before."""
    more: int = 0
    """Files that differ beyond those named."""
    more_outside: int = 0
    """How many of them were last changed by others than the run."""
    prompted: int = -1
    """The seq of the prompt or feedback that `changed` counts from."""
    told: int = -1
    """The seq of the measurement."""
    began: float | None = None
    """When that was begun: what changed later may not be in it."""
    live: tuple[ChangedFile, ...] = ()
    """What the watch saw change since it was measured or, where `changed` is none, since the prompt; the latest first.

    Seen, not measured: it may have been changed back, and what changes in the thousands at once is not all seen.
    """
    live_more: int = 0
    """Files that were seen to change beside them, too many at once to be named."""
    live_cut: bool = False
    """There were more of them than are remembered."""

    @property
    def count(self) -> int:
        """How many files differ; 0 where they are not named."""
        return len(self.files) + self.more

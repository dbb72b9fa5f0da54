"""What a verdict is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from monitor.detectors.worktree_view import WorktreeView
from monitor.detectors.writes_view import WritesView
from monitor.events import Coverage
from monitor.findings import Finding
from monitor.snapshot import ActionFacts, RunFacts, State


@dataclass(frozen=True, slots=True)
class Idle:
    """The agent has stopped working on the request."""

    how: str
    """As `RequestEnded.how`, with `could not` and `asked` for answers that say so."""
    text: str
    at: float | None


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that a verdict is made of."""

    run: RunFacts
    idle: Idle | None
    writes: WritesView
    worktree: WorktreeView
    findings: tuple[Finding, ...]
    coverage: Mapping[str, Coverage]
    waiting: str = ""
    waiting_since: float | None = None
    gone: str = ""
    """Why nothing more will come, where the run did not say that it ended."""
    process_gone: bool = False
    """The agent's process is known not to exist."""
    dropped: bool = False
    """The latest is the agent's own note that it dropped a reply which went in circles."""
    abort: ActionFacts | None = None
    """The abort that reached the agent since the latest prompt; `done` once all its processes are gone."""
    open_call: bool = False
    """A call has no result."""
    children: int = 0
    begun: bool = False
    unreadable: int = 0
    """Records that could not be read."""
    now: float | None = None
    """The monitor's clock, while it follows."""
    alive: bool | None = None
    """Whether the agent's process exists, as last seen."""
    since: Mapping[State, float | None] = field(default_factory=dict)
    """When a state began, where a detector knows."""

"""All detectors of a run, by the names under which a snapshot shows their views."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields

from monitor.detectors.failed_writes import FailedWrites
from monitor.detectors.folder import Folder
from monitor.detectors.outside_edits import OutsideEdits
from monitor.detectors.protocol import Detector
from monitor.detectors.repeats import Repeats
from monitor.detectors.replies import Replies
from monitor.detectors.scripts import Scripts
from monitor.detectors.sites import Sites
from monitor.detectors.stalls import Stalls
from monitor.detectors.tests_stale import TestsStale
from monitor.detectors.thinking import Thinking
from monitor.detectors.worktree import Worktree


@dataclass(slots=True)
class Every:
    """One of each, in the order in which they are fed."""

    writes: FailedWrites = field(default_factory=FailedWrites)
    sites: Sites = field(default_factory=Sites)
    thinking: Thinking = field(default_factory=Thinking)
    repeats: Repeats = field(default_factory=Repeats)
    replies: Replies = field(default_factory=Replies)
    folder: Folder = field(default_factory=Folder)
    scripts: Scripts = field(default_factory=Scripts)
    tests: TestsStale = field(default_factory=TestsStale)
    stalls: Stalls = field(default_factory=Stalls)
    outside: OutsideEdits = field(default_factory=OutsideEdits)
    worktree: Worktree = field(default_factory=Worktree)

    def __iter__(self) -> Iterator[Detector]:
        return (getattr(self, one.name) for one in fields(self))

    def copy(self) -> Every:
        """Others that go on from here."""
        return Every(*(one.copy() for one in self))  # type: ignore[arg-type] # each copy is of its own type

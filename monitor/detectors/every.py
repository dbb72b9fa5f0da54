"""All detectors of a run, by the names under which a snapshot shows their views."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields

from monitor.detectors.failed_writes import FailedWrites
from monitor.detectors.folder import Folder
from monitor.detectors.numbers import DEFAULTS, Numbers
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
from monitor.events import Event


@dataclass(slots=True)
class Every:
    """One of each, in the order in which they are fed."""

    writes: FailedWrites
    sites: Sites
    thinking: Thinking
    repeats: Repeats
    replies: Replies
    folder: Folder
    scripts: Scripts
    tests: TestsStale
    stalls: Stalls
    outside: OutsideEdits
    worktree: Worktree
    _readers: dict[type[Event], tuple[Detector, ...]] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def by(cls, numbers: Numbers = DEFAULTS) -> Every:
        """New ones that go by these numbers."""
        return cls(
            writes=FailedWrites(numbers.failed_writes),
            sites=Sites(numbers.sites),
            thinking=Thinking(numbers.thinking),
            repeats=Repeats(numbers.repeats),
            replies=Replies(numbers.replies),
            folder=Folder(numbers.folder),
            scripts=Scripts(numbers.scripts),
            tests=TestsStale(numbers.tests),
            stalls=Stalls(numbers.stalls),
            outside=OutsideEdits(numbers.outside_edits),
            worktree=Worktree(numbers.worktree),
        )

    def __iter__(self) -> Iterator[Detector]:
        return (getattr(self, one.name) for one in fields(self) if one.init)

    def readers(self, kind: type[Event]) -> tuple[Detector, ...]:
        """Those that read events of a type."""
        found = self._readers.get(kind)
        if found is None:
            found = self._readers[kind] = tuple(one for one in self if issubclass(kind, one.reads))
        return found

    def copy(self) -> Every:
        """Others that go on from here."""
        return Every(*(one.copy() for one in self))  # type: ignore[arg-type] # each copy is of its own type

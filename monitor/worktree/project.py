"""The project folder of one run, measured and watched: the exact answer and the quick one, each told in its order."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from monitor.detectors.outside_view import Overwritten
from monitor.events import Event, Tick
from monitor.worktree.diff import FolderDiff
from monitor.worktree.live import LiveFolder
from monitor.worktree.measuring import Measuring
from monitor.worktree.reconciling import Reconciling

UNKNOWN = "no project folder is known: --project names it when the run is attached to"
UNWATCHED = "the run was over when it was opened: what its folder held before was not kept"


class ProjectFolder:
    """For one thread, but for `differences`. Either half may be missing: what is finished is not watched."""

    def __init__(
        self, measuring: Measuring | None, watch: LiveFolder | None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.measuring = measuring
        self._watch = watch
        self._clock = clock
        self._reconciling = Reconciling()
        self._begun = False
        self._kept: tuple[Overwritten, ...] = ()
        if measuring is not None and watch is not None:
            measuring.told = watch.reconcile

    @property
    def problem(self) -> str:
        """What is not seen, or seen late, or cannot be kept, and why; empty when all is well."""
        return self._watch.problem if self._watch is not None else ""

    def tick(self, now: float, *, alive: bool | None) -> Tick:
        """That time passed, with what stands in no other event; `alive`: whether the agent's process exists."""
        starting = self.measuring is not None and self.measuring.starting
        return Tick(now=now, alive=alive, measuring=starting, untold=self._watch.untold() if self._watch else 0)

    @property
    def no_diff(self) -> str:
        """Why it cannot be told what differs in the folder; empty when it can."""
        if self._watch is not None:
            return self._watch.no_diff
        return UNWATCHED if self.measuring is not None else UNKNOWN

    def differences(self, file: str = "", since: float | None = None) -> FolderDiff:
        """What differs in the folder, or in one file; since the start, or since a moment. May take its time."""
        return self._watch.differences(file, since) if self._watch is not None else FolderDiff((), why=self.no_diff)

    def wake(self, call: Callable[[], None]) -> None:
        """Have this called, from any thread, when there is something new."""
        if self.measuring is not None:
            self.measuring.wake = call
        if self._watch is not None:
            self._watch.wake = call

    def begin(self, *, late: bool) -> bool:
        """Watch, and measure the start, unless that was done before; `late` when prompts were given before."""
        if self._begun or self.measuring is None:
            return False
        self._begun = True
        if self._watch is not None:
            self._watch.begin()
        self.measuring.begin(late=late)
        return True

    def news(self) -> list[Event]:
        """What was seen and what was measured since the last call: what a measurement tells of files comes before it."""
        measured = self.measuring.results() if self.measuring is not None else []
        changes = self._watch.changes() if self._watch is not None else []
        if changes:
            self._reconciling.stir(self._clock())
        if measured:
            self._reconciling.measure(self._clock())
        return [*changes, *measured]

    def look(self, turn: int, slowed: int = 1) -> None:
        """Have the folder measured where it is time to be sure; to be called now and then.

        `slowed`: how many times less often that may be while nobody looks. What is asked for is measured at once.
        """
        if self._watch is None or self.measuring is None or not self._begun:
            return
        self._watch.slow(slowed)
        if self._watch.hinted() or self._watch.ahead():
            self._reconciling.hint()
        self._reconciling.turn(turn)
        if self._reconciling.due(self._clock(), self.measuring.took, slowed):
            self._reconciling.measure(self._clock())
            self.measuring.check()

    def settle(self) -> list[Event]:
        """Wait until all that happened and all that was asked for is known; what became of it."""
        if self._watch is not None:
            self._watch.settle()
        if self.measuring is not None:
            self.measuring.settle()
        return self.news()

    def rescue(self, overwritten: Iterable[Overwritten]) -> None:
        """Keep the versions from outside that the agent wrote over."""
        overwritten = tuple(overwritten)
        if self._watch is None or overwritten == self._kept:
            return
        self._kept = overwritten
        for lost in overwritten:
            self._watch.rescue(lost.file, lost.digest, changed=lost.changed, overwritten=lost.at, by=lost.by)

    def close(self) -> None:
        """Measure and watch no more."""
        if self.measuring is not None:
            self.measuring.close()
        if self._watch is not None:
            self._watch.close()

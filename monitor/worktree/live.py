"""The live half of what is known of a project folder: what changes in it, what it held, what was overwritten."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from monitor.events import FileChanged
from monitor.worktree.cabinet import Cabinet
from monitor.worktree.copies import Copies
from monitor.worktree.diff import Differences, FolderDiff
from monitor.worktree.measurement import GONE, Measurement
from monitor.worktree.rescue import Rescue
from monitor.worktree.watch import Watcher


class LiveFolder:
    """Watches a folder for one run. Where nothing can be kept, it is watched all the same, and `problem` says why."""

    def __init__(self, folder: Path, *, run: str, state: Path, wake: Callable[[], None] = lambda: None) -> None:
        folder = Path(os.path.realpath(folder))
        self._unkept = ""
        self._cabinet: Cabinet | None = None
        self._copies: Copies | None = None
        self._rescue: Rescue | None = None
        try:
            self._cabinet = Cabinet.open(state / "rescue", folder, run)
            self._copies = Copies(folder, self._cabinet.place)
            self._rescue = Rescue(self._cabinet, self._copies)
        except OSError as error:
            self._unkept = f"versions that are overwritten cannot be kept: {error.strerror or error}"
        self._watcher = Watcher(folder, wake=wake, keeps=self._copies, state=state)
        self._unmeasured = "the folder is still being measured"
        """Why it is not known what the folder held at the start; empty once it is."""
        self._folder = folder
        self.diff = Differences(folder, self._copies, self._watcher.differing) if self._copies else None
        """What differs in the folder; none where nothing can be kept."""

    def begin(self) -> None:
        """Watch from now on; to be called before the first measurement begins."""
        self._watcher.begin()

    def changes(self) -> list[FileChanged]:
        """What has changed since the last call."""
        return self._watcher.changes()

    def hinted(self) -> bool:
        """Whether, since the last call, something happened that only a measurement can tell."""
        return self._watcher.hinted()

    def untold(self) -> int:
        """How many files changed since the last measurement, too many at once to be told one by one."""
        return self._watcher.untold()

    def ahead(self) -> bool:
        """Whether what was seen is newer than the latest measurement."""
        return self._watcher.ahead()

    def reconcile(self, measurement: Measurement) -> None:
        """Take in an exact measurement; what it knows and nobody noticed is told when this returns. From any thread."""
        if self._unmeasured:
            self._unmeasured = "" if measurement.entries is not None else measurement.reason
        self._watcher.reconcile(measurement)
        self._watcher.settle()
        if self._copies is not None:
            self._copies.rest()

    @property
    def no_diff(self) -> str:
        """Why it cannot be told what differs; empty when it can."""
        return self._unkept or self._unmeasured

    def differences(self, file: str = "", since: float | None = None) -> FolderDiff:
        """What differs in the folder, or in one file of it; since the start, or since a moment. May take its time."""
        if self.diff is None or self.no_diff:
            return FolderDiff((), why=self.no_diff, known=False)
        if not self._folder.is_dir():
            return FolderDiff((), why=GONE, known=False)
        self._watcher.settle()
        if file:
            path = os.path.normpath(os.path.join(self._folder, file))  # noqa: PTH118 - of two names, links left alone
            name = os.path.relpath(path, self._folder)
            outside = name == os.pardir or name.startswith(os.pardir + os.sep)
            return (
                FolderDiff((), why="the file lies outside the project", known=False)
                if outside
                else self._one(name, since)
            )
        return replace(self.diff.all(since), why=self._watcher.problem)

    def rescue(self, file: str, digest: str, *, changed: float, overwritten: float, by: str) -> None:
        """Keep a version that was overwritten beyond the run; told twice it is kept once."""
        if self._rescue is not None:
            self._rescue.keep(file, digest, changed=changed, overwritten=overwritten, by=by)

    def _one(self, name: str, since: float | None) -> FolderDiff:
        assert self.diff is not None
        found = self.diff.of(name, since)
        return FolderDiff(() if found.what == "same" else (found,), why=self._watcher.problem)

    @property
    def wake(self) -> Callable[[], None]:
        """Called from the watcher's thread when there is something new."""
        return self._watcher.wake

    @wake.setter
    def wake(self, call: Callable[[], None]) -> None:
        self._watcher.wake = call

    @property
    def problem(self) -> str:
        """What is not seen, or seen late, or cannot be kept, and why; empty when all is well."""
        return "; ".join(filter(None, (self._watcher.problem, self._unkept)))

    def slow(self, slowed: int) -> None:
        """Look so many times less often at whether the folder still stands there, while nobody looks."""
        self._watcher.slow(slowed)

    def settle(self) -> None:
        """Wait until everything that happened before is told, within reason."""
        self._watcher.settle()

    def close(self) -> None:
        """Watch no more, and let go of everything but the versions that were overwritten."""
        self._watcher.close()
        if self._copies is not None:
            self._copies.close()
        if self._cabinet is not None:
            self._cabinet.close()
            self._cabinet = self._rescue = None

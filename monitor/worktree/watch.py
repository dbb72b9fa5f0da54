"""Watches the project folder, and tells which files of it are another: quick and nearly always right, never exact."""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

from monitor.events import FileChanged
from monitor.text import plural
from monitor.worktree.changes import Changes, Keeps
from monitor.worktree.lookout import Lookout
from monitor.worktree.measurement import Measurement
from monitor.worktree.shadow import below

_SETTLE, _LONGEST = 0.005, 0.05
"""Seconds in which notices gather before they are looked at: at least, and where the last look took long at most."""
_PATIENCE = 35.0
"""Seconds that `settle` waits at most."""


class Watcher:
    """Gives a `FileChanged` for each file that counts and is another; works in a thread of its own.

    Folders that ignore rules hide are left out. `.git` is never read, but where HEAD or the index change, `hinted`
    says that a measurement would tell more. What the kernel gives no notice of is looked at by turns, and `problem`
    says why. Writes to mapped memory, what changes on remote disks, and what changes in the thousands at once are
    seen late or not at all: whoever needs certainty measures, and gives the measurement to `reconcile`.
    """

    def __init__(
        self,
        folder: Path,
        *,
        wake: Callable[[], None] = lambda: None,
        keeps: Keeps | None = None,
        state: Path | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        folder = Path(os.path.realpath(folder))
        self.wake = wake
        """Called from the thread when there are changes, a hint, or another problem."""
        self.problem = ""
        """Why changes are seen late or not at all, and what to do about it; empty when they are not."""
        self._clock = clock
        self._lookout = Lookout(folder, below(state, folder) if state else b"")
        self._changes = Changes(folder, keeps)
        self._told: deque[FileChanged] = deque()
        self._measured: deque[Measurement] = deque()
        self._hinted = False
        self._rounds = 0
        self._stopped = False
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        """Begin to watch; what changes before `settle` returns for the first time may be told or not."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="watching", daemon=True)
            self._thread.start()

    def changes(self) -> list[FileChanged]:
        """What has changed since the last call."""
        with self._changed:
            told = list(self._told)
            self._told.clear()
        return told

    def hinted(self) -> bool:
        """Whether, since the last call, something happened that only a measurement can tell."""
        with self._changed:
            hinted, self._hinted = self._hinted, False
        return hinted

    def untold(self) -> int:
        """How many files changed, too many at once to be told one by one; the next measurement names them."""
        with self._changed:
            return self._changes.unnamed

    def ahead(self) -> bool:
        """Whether files changed while the latest measurement was made, so that it does not hold them."""
        with self._changed:
            return self._changes.ahead

    def reconcile(self, measurement: Measurement) -> None:
        """Take in an exact measurement: what nobody noticed is told; safe from any thread."""
        with self._changed:
            if not self._stopped:
                self._measured.append(measurement)
                self._lookout.wake()

    def differing(self) -> list[str]:
        """The files that differ from the first measurement, as far as was noticed."""
        with self._changed:
            return self._changes.differing()

    def settle(self) -> None:
        """Wait until everything that happened before is told, within reason."""
        with self._changed:
            for _ in range(2 if self._thread else 0):
                number = self._rounds + 1
                self._lookout.hurry()
                self._await_round(number)

    def slow(self, slowed: int) -> None:
        """Look so many times less often at what gives no notice of itself, while nobody looks; safe from any thread."""
        with self._changed:
            if not self._stopped:
                self._lookout.slow(slowed)

    def close(self) -> None:
        """Watch no more."""
        with self._changed:
            self._stopped = True
            self._lookout.wake()
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(timeout=5)
        with self._changed:
            self._lookout.close()

    def _await_round(self, number: int) -> None:
        self._changed.wait_for(lambda: self._stopped or self._rounds >= number, _PATIENCE)

    def _work(self) -> None:
        pause = _SETTLE
        try:
            self._lookout.open()
            while not self._stopped:
                began = time.monotonic()
                self._round()
                pause = min(max(_SETTLE, time.monotonic() - began), _LONGEST)
                self._lookout.wait()
                time.sleep(pause)
        except Exception as error:  # noqa: BLE001 - the run goes on without, and the operator is told
            self._stopped = True
            self._publish([], f"monitor itself failed and watches no more ({type(error).__name__}: {error})")

    def _round(self) -> None:
        with self._changed:
            measured = list(self._measured)
            self._measured.clear()
        told: list[FileChanged] = []
        for measurement in measured:
            told += self._changes.reconcile(measurement, self._clock())
            self._lookout.know(self._changes.listed)
        touches = self._lookout.touches()
        told += self._changes.tell(touches, self._clock())
        if self._lookout.lost:
            self._lookout.lost = False
            self._changes.dating.lose()
        out = self._changes.left_out
        many = f"{plural(out, 'file')} changed at once, too many to be told one by one: a measurement names them"
        self._publish(told, "; ".join(filter(None, (self._lookout.problem, many if out else ""))))

    def _publish(self, told: list[FileChanged], problem: str) -> None:
        hinted, self._lookout.hinted = self._lookout.hinted, False
        news = bool(told) or problem != self.problem or hinted
        with self._changed:
            self._told.extend(told)
            self.problem = problem
            self._hinted |= hinted
            self._rounds += 1
            self._changed.notify_all()
        if news:
            self.wake()

"""Keeps the live runs of the machine attached, and tells how all of them stand."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from monitor.errors import MonitorError
from monitor.finding import attaching
from monitor.finding.adopting import with_adopted
from monitor.finding.followed import Followed
from monitor.finding.following import Attach, Following
from monitor.finding.judged import Judge, Judged
from monitor.finding.standing import FleetView
from monitor.finding.survey import Sighting, Survey
from monitor.finding.viewing import Viewing, unchanged
from monitor.snapshot import Snapshot
from monitor.supervisor import Supervisor

_PAUSE = 2.0
"""Seconds between two looks over the machine, at least; two beats of the runs that are followed, where that is longer."""
_SHARE = 100
"""A look is followed by a pause this many times as long as the processor worked for it: a hundredth of a core at most."""
_BREATH = 1.0
"""Seconds between two looks at what is held."""
_PATIENCE, _SOON = 5.0, 0.02
"""Seconds that are waited at most until it is known whether a channel can be taken, and between two looks."""


class Fleet:
    """Looks over the machine in a thread of its own; `view` may be asked by any thread, as often as it likes.

    What lives is attached to be watched; its channel is taken when the operator acts on it or enters it, and given
    back afterwards.
    """

    def __init__(
        self,
        survey: Survey,
        attach: Attach = attaching.attached,
        judge: Judge = attaching.judged,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._survey, self._clock = survey, clock
        self._sighting = Sighting()
        self._looked = False
        self._following = Following(attach)
        self._guard = self._following.guard
        self._adopted: Supervisor | None = None
        self._judged = Judged(judge)
        self._wanted: tuple[str, ...] = ()
        self._wake, self._stop = threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None
        self._version = 0
        """Grows with what is seen of the machine and read of finished logs."""
        self._viewing = Viewing()
        self._parts: tuple[object, ...] = ()
        self._view = FleetView()

    @property
    def view(self) -> FleetView:
        """How every run stands; the same object until something changes."""
        with self._guard:
            runs = self._following.runs
            version = self._version + self._following.version
            told = [part for one in runs.values() for part in (one.snapshot, one.new, one.over, one.fresh)]
            parts = (version, *told)
            if not unchanged(parts, self._parts):
                self._parts = parts
                view = self._viewing.view(version, self._sighting, runs, self._known, looked=self._looked)
                self._view = replace(view, beyond=len(self._following.beyond - runs.keys()))
            return self._view

    def start(self) -> None:
        """Begin to look, unless it has begun."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="fleet", daemon=True)
            self._thread.start()

    def adopt(self, supervisor: Supervisor) -> None:
        """A run that somebody else follows already: it stands in the list at once, and stays his to close."""
        with self._guard:
            self._adopted = supervisor
            self._see(self._sighting)

    def source(self, key: str) -> Supervisor | None:
        """The run of that key, where it is attached."""
        with self._guard:
            one = self._following.runs.get(key)
            return one.supervisor if one is not None else None

    def followed(self) -> tuple[Supervisor, ...]:
        """The runs that are attached, but for the one that somebody else follows."""
        with self._guard:
            return tuple(one.supervisor for one in self._following.runs.values() if one.ours)

    def enter(self, key: str) -> Supervisor:
        """As `take`, until the run is left."""
        one = self._attached(key)
        one.inside = True
        one.look()
        return self.take(key)

    def take(self, key: str) -> Supervisor:
        """Reach a run, attached if it was not: the operator acts on it.

        Takes its time, until it is known whether its channel is to be had; raises `MonitorError` where the run
        cannot be read.
        """
        one = self._attached(key)
        one.reach(self._clock())
        end = time.monotonic() + _PATIENCE
        while one.reaching and time.monotonic() < end and not self._stop.is_set():
            time.sleep(_SOON)
        return one.supervisor

    def rests(self, key: str) -> bool:
        """Whether the run is only watched, or not even that, and has to be taken before anything is done to it."""
        with self._guard:
            one = self._following.runs.get(key)
            return one is None or one.rests

    def keep(self, key: str) -> None:
        """The operator is still at it: what was taken is kept for a while."""
        with self._guard:
            one = self._following.runs.get(key)
            if one is not None and not one.rests:
                one.reach(self._clock())

    def seen(self, key: str, *, left: bool = False) -> None:
        """The operator has looked at all that has come of it so far, and if so has `left` it."""
        with self._guard:
            if (one := self._following.runs.get(key)) is not None:
                one.inside = one.inside and not left
                one.look()
                one.see()

    def look_at(self, keys: Sequence[str]) -> None:
        """These stand on the screen: what they say is read, in this order; the first is shown at a glance."""
        if tuple(keys) != self._wanted:
            self._wanted = tuple(keys)
            self._wake.set()
        with self._guard:
            for key, one in self._following.runs.items():
                one.choose(chosen=key == next(iter(keys), ""))

    def close(self) -> None:
        """Let go of every run; the agents go on."""
        self._stop.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join(timeout=5)
        self._following.close()

    def look(self) -> None:
        """One round: look over the machine, attach to what lives, let go of what need not be kept."""
        sighting = self._survey.look()
        with self._guard:
            self._version += not self._looked
            self._looked = True
            self._see(sighting)
        self._following.begin_all(one for one in self._sighting.runs if one.alive and one.path is not None)
        for one in self._following.let_go():
            self._judged.keep(one.listed, one.snapshot)
        self._following.relax(self._clock())

    def judge(self) -> bool:
        """Read one finished run that stands on the screen and was not read since it last wrote; whether there was one."""
        by_key = {one.key: one for one in self._sighting.runs}
        for key in self._wanted:
            listed = by_key.get(key)
            if listed is None or listed.alive or key in self._following.runs or not self._judged.due(listed):
                continue
            snapshot, problem = self._judged.read(listed, lambda: not self._stop.is_set())
            if problem:
                self._following.note(key, problem)
            with self._guard:
                self._judged.keep(listed, snapshot)
                self._version += 1
            return True
        return False

    def _run(self) -> None:
        while not self._stop.is_set():
            begun = time.thread_time()
            self.look()
            pause = max(_PAUSE, 2 * self._beat(), _SHARE * (time.thread_time() - begun))
            due = self._clock() + pause
            while (left := due - self._clock()) > 0 and not self._stop.is_set():
                if not self.judge():
                    self._wake.wait(min(left, _BREATH))
                    self._wake.clear()
                    self._following.relax(self._clock())

    def _beat(self) -> float:
        with self._guard:
            return self._following.beat

    def _see(self, sighting: Sighting) -> None:
        """Take in what is there, with the run that was adopted."""
        seen = with_adopted(sighting, self._adopted)
        if seen != self._sighting:
            self._sighting = seen
            self._version += 1
        self._following.know_again(seen.runs, self._adopted)

    def _attached(self, key: str) -> Followed:
        with self._guard:
            one = self._following.runs.get(key)
        if one is not None:
            return one
        listed = next((one for one in self._sighting.runs if one.key == key), None)
        if listed is None:
            raise MonitorError("this run is no longer there", "Look at the list again")
        return self._following.begin(listed)

    def _known(self, key: str) -> tuple[Snapshot | None, str]:
        return self._judged.of(key), self._following.problems.get(key, "")

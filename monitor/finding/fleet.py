"""Keeps every live run of the machine attached, and tells how all of them stand."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

from monitor.agents.listed import Listed
from monitor.errors import MonitorError
from monitor.finding import attaching
from monitor.finding.followed import Followed
from monitor.finding.standing import FleetView, Standing
from monitor.finding.survey import Sighting, Survey, together
from monitor.snapshot import Snapshot
from monitor.supervisor import Supervisor
from monitor.text import line

_PAUSE = 2.0
"""Seconds between two looks over the machine, at least."""
_SHARE = 50
"""A look is followed by a pause this many times as long, so that it never takes more than a fiftieth of a core."""
_MOST = 24
"""Runs attached at once."""
_ENDED = 8
"""Of them, those that have ended and can still be gone back to."""


class Fleet:
    """Looks over the machine in a thread of its own; `view` may be asked by any thread, as often as it likes."""

    def __init__(
        self,
        survey: Survey,
        attach: Callable[[Listed], Supervisor] = attaching.attached,
        judge: Callable[[Listed, Callable[[], bool]], Snapshot | None] = attaching.judged,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._survey, self._attach, self._judge, self._clock = survey, attach, judge, clock
        self._sighting = Sighting()
        self._looked = False
        self._attached: dict[str, Followed] = {}
        self._adopted: Supervisor | None = None
        self._judged: dict[str, tuple[float | None, Snapshot | None]] = {}
        self._problems: dict[str, str] = {}
        self._wanted: tuple[str, ...] = ()
        self._guard = threading.RLock()
        self._wake, self._stop = threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None
        self._version = 0
        """Grows with everything but what the followed runs say."""
        self._parts: tuple[object, ...] = ()
        self._view = FleetView()
        self._rest: tuple[int, dict[str, Standing]] = (-1, {})
        """The standing of each run that is not attached, and the version it holds for."""
        self._ended: tuple[Standing, ...] = ()

    @property
    def view(self) -> FleetView:
        """How every run stands; the same object until something changes."""
        with self._guard:
            told = [(one.snapshot, one.new, one.over, one.fresh) for one in self._attached.values()]
            parts = (self._version, *[part for one in told for part in one])
            if not _same(parts, self._parts):
                self._parts, self._view = parts, self._build()
            return self._view

    def start(self) -> None:
        """Begin to look, unless it has begun."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="fleet", daemon=True)
            self._thread.start()

    def adopt(self, supervisor: Supervisor) -> None:
        """A run that somebody else follows already; it stays his to close."""
        self._adopted = supervisor

    def source(self, key: str) -> Supervisor | None:
        """The run of that key, where it is attached."""
        with self._guard:
            one = self._attached.get(key)
            return one.supervisor if one is not None else None

    def followed(self) -> tuple[Supervisor, ...]:
        """The runs that are attached, but for the one that somebody else follows."""
        with self._guard:
            return tuple(one.supervisor for one in self._attached.values() if one.ours)

    def enter(self, key: str) -> Supervisor:
        """Attach to a run, unless it is. Takes its time; raises `MonitorError` where it cannot be read."""
        if (found := self.source(key)) is not None:
            return found
        listed = next((one for one in self._sighting.runs if one.key == key), None)
        if listed is None:
            raise MonitorError("this run is no longer there", "Look at the list again")
        self._add(listed, self._attach(listed))
        if (found := self.source(key)) is None:
            raise MonitorError("the overview is closed", "Start monitor again")
        return found

    def look_at(self, keys: Sequence[str]) -> None:
        """These stand on the screen: what they say is read, in this order."""
        if tuple(keys) != self._wanted:
            self._wanted = tuple(keys)
            self._wake.set()

    def seen(self, key: str) -> None:
        """The operator has looked at all that has come of it so far."""
        with self._guard:
            if (one := self._attached.get(key)) is not None:
                one.see()

    def close(self) -> None:
        """Let go of every run; the agents go on."""
        self._stop.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join(timeout=5)
        with self._guard:
            for one in self._attached.values():
                if one.ours:
                    one.supervisor.close()
            self._attached.clear()

    def look(self) -> None:
        """One round: look over the machine, attach to what lives, let go of what need not be kept."""
        sighting = self._survey.look()
        with self._guard:
            if sighting != self._sighting or not self._looked:
                self._version += 1
            self._sighting, self._looked = sighting, True
        self._take_in()
        live = [one for one in self._sighting.runs if one.alive and one.path is not None]
        for listed in live:
            room = sum(not one.over for one in self._attached.values()) < _MOST
            if listed.key not in self._attached and room and not self._stop.is_set():
                self._try(listed)
        self._note_ends()

    def judge(self) -> bool:
        """Read one finished run that stands on the screen and was not read since it last wrote; whether there was one."""
        by_key = {one.key: one for one in self._sighting.runs}
        for key in self._wanted:
            listed = by_key.get(key)
            if listed is None or listed.alive or key in self._attached or listed.path is None:
                continue
            if key in self._judged and self._judged[key][0] == listed.last:
                continue
            snapshot = self._read(listed)
            with self._guard:
                self._judged[key] = (listed.last, snapshot)
                self._version += 1
            return True
        return False

    def _run(self) -> None:
        while not self._stop.is_set():
            begun = self._clock()
            self.look()
            due = self._clock() + max(_PAUSE, _SHARE * (self._clock() - begun))
            while (left := due - self._clock()) > 0 and not self._stop.is_set():
                if not self.judge():
                    self._wake.wait(left)
                    self._wake.clear()

    def _read(self, listed: Listed) -> Snapshot | None:
        try:
            return self._judge(listed, lambda: not self._stop.is_set())
        except (MonitorError, OSError) as error:
            self._note(listed, str(error))
            return None

    def _try(self, listed: Listed) -> None:
        try:
            supervisor = self._attach(listed)
        except (MonitorError, OSError) as error:
            self._note(listed, str(error))
            return
        self._add(listed, supervisor)

    def _note(self, listed: Listed, problem: str) -> None:
        with self._guard:
            if self._problems.get(listed.key) != line(problem):
                self._problems[listed.key] = line(problem)
                self._version += 1

    def _add(self, listed: Listed, supervisor: Supervisor, *, ours: bool = True) -> None:
        with self._guard:
            known = listed.key in self._attached or self._stop.is_set()
            if not known:
                self._problems.pop(listed.key, None)
                self._attached[listed.key] = Followed(supervisor, listed, ours=ours)
                self._version += 1
        if known and ours:
            supervisor.close()

    def _take_in(self) -> None:
        """Know again what is attached, and what was adopted."""
        for listed in self._sighting.runs:
            if (one := self._attached.get(listed.key)) is not None:
                one.listed = listed
            elif self._adopted is not None and attaching.belongs(self._adopted.found, listed):
                self._add(listed, self._adopted, ours=False)
                self._adopted = None

    def _note_ends(self) -> None:
        """What ended while it was followed asks to be looked at; the oldest of those seen is let go."""
        with self._guard:
            for one in self._attached.values():
                one.note_end()
            left = [key for key, one in self._attached.items() if one.done and one.ours][:-_ENDED]
            gone = [self._attached.pop(key) for key in left]
            for key, one in zip(left, gone, strict=True):
                self._judged[key] = (one.listed.last, one.snapshot)
                self._version += 1
        for one in gone:
            one.supervisor.close()

    def _build(self) -> FleetView:
        if self._rest[0] != self._version:
            shared = together(self._sighting.runs)
            self._rest = self._version, {one.key: self._alone(one, shared) for one in self._sighting.runs}
            self._ended = tuple(one for one in self._rest[1].values() if not one.alive)
        every = {key: one.standing(self._rest[1][key]) for key, one in self._attached.items() if key in self._rest[1]}
        live = tuple(every.get(key, one) for key, one in self._rest[1].items() if one.alive)
        ended = self._ended
        if over := {key: one for key, one in every.items() if not one.alive}:
            known = (over.get(key, one) for key, one in self._rest[1].items())
            ended = tuple(one for one in known if not one.alive)
        return FleetView(tuple(one for one in live if one.alive), ended, self._sighting.places, self._looked)

    def _alone(self, listed: Listed, shared: dict[str, tuple[Listed, ...]]) -> Standing:
        """A run by what the machine and its log say."""
        key = listed.key
        others = [one for one in shared.get(listed.folder.rstrip("/"), ()) if one.key != key and listed.alive]
        return Standing(
            listed,
            snapshot=self._judged.get(key, (None, None))[1],
            together=tuple(f"{one.agent}, process {one.pid}" for one in others),
            problem=self._problems.get(key, ""),
        )


def _same(parts: tuple[object, ...], others: tuple[object, ...]) -> bool:
    """Whether all are the same objects; plain numbers are compared."""
    return len(parts) == len(others) and all(
        one is two or (isinstance(one, int) and one == two) for one, two in zip(parts, others, strict=True)
    )

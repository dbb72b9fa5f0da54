"""The runs that are followed at once: at most so many, each with its channel free unless the operator is at it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from monitor.agents.listed import Listed
from monitor.channels.hold import Hold
from monitor.errors import MonitorError
from monitor.finding.adopting import belongs
from monitor.finding.followed import Followed
from monitor.finding.pace import beat
from monitor.supervisor import Supervisor
from monitor.text import line

Attach = Callable[[Listed, Hold], Supervisor]
"""Begins to follow a run, its channel held as the other wishes. Raises `MonitorError` where it cannot be read."""
MOST = 24
"""Runs followed at once, but for those that the operator enters or acts on."""
_ENDED = 8
"""Of them, those that have ended and can still be gone back to."""


class Following:
    """One thread adds, any may ask while it holds the guard."""

    def __init__(self, attach: Attach) -> None:
        self._attach = attach
        self.runs: dict[str, Followed] = {}
        self.problems: dict[str, str] = {}
        """Why a run cannot be read, by its key."""
        self.version = 0
        """Grows with everything but what the runs say."""
        self.beyond: frozenset[str] = frozenset()
        """Live runs that there was no room for, by their keys."""
        self.guard = threading.RLock()
        self.closed = False

    @property
    def beat(self) -> float:
        """Seconds between two rounds of each while nobody looks at it."""
        return beat(sum(not one.over for one in self.runs.values()))

    def begin(self, listed: Listed) -> Followed:
        """Follow a run. Takes its time, and raises `MonitorError` where it cannot be read, or all is closed."""
        hold = Hold(wanted=False)
        return self._add(Followed(self._attach(listed, hold), listed, hold))

    def begin_all(self, runs: Iterable[Listed]) -> None:
        """Follow as many as there is room for, those that wait for somebody first."""
        beyond = set()
        for listed in sorted(runs, key=lambda one: one.state != "waiting"):
            if listed.key in self.runs or self.closed:
                continue
            if sum(not one.over for one in self.runs.values()) >= MOST:
                beyond.add(listed.key)
                continue
            try:
                self.begin(listed)
            except (MonitorError, OSError) as error:
                self.note(listed.key, str(error))
        with self.guard:
            self.version += self.beyond != beyond
            self.beyond = frozenset(beyond)

    def note(self, key: str, problem: str) -> None:
        """Why a run cannot be read."""
        with self.guard:
            if self.problems.get(key) != line(problem):
                self.problems[key] = line(problem)
                self.version += 1

    def know_again(self, runs: Iterable[Listed], adopted: Supervisor | None) -> None:
        """What is listed of those that are followed; `adopted` is followed by somebody else, and stays his."""
        with self.guard:
            for listed in runs:
                if (one := self.runs.get(listed.key)) is not None:
                    one.listed = listed
                elif adopted is not None and belongs(adopted, listed):
                    for key in [key for key, one in self.runs.items() if one.supervisor is adopted]:
                        del self.runs[key]  # it is listed by another name now
                    self._add(Followed(adopted, listed))

    def let_go(self) -> list[Followed]:
        """Note what has ended, which asks to be looked at; the oldest of those seen is not followed any more."""
        with self.guard:
            for one in self.runs.values():
                one.note_end()
            left = [key for key, one in self.runs.items() if one.done and one.ours and not one.inside][:-_ENDED]
            gone = [self.runs.pop(key) for key in left]
            self.version += len(gone)
        for one in gone:
            one.supervisor.close()
        return gone

    def relax(self, now: float) -> None:
        """Give back the channels that the operator is done with; the more runs there are, the less often is each read."""
        with self.guard:
            pause = self.beat
            for one in self.runs.values():
                one.relax(now, pause)

    def close(self) -> None:
        """Let go of every run; the agents go on."""
        with self.guard:
            self.closed = True
            for one in self.runs.values():
                if one.ours:
                    one.supervisor.close()
            self.runs.clear()

    def _add(self, new: Followed) -> Followed:
        """One more, unless it is followed already; what comes too late is closed again."""
        with self.guard:
            known = self.runs.get(new.listed.key)
            if known is None and not self.closed:
                self.problems.pop(new.listed.key, None)
                self.runs[new.listed.key] = new
                self.version += 1
                return new
        if new.ours:
            new.supervisor.close()
        if known is None:
            raise MonitorError("the overview is closed", "Start monitor again")
        return known

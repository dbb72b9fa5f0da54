"""The processes of a run as far as a channel may touch them: abort, pause, continue."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable

from monitor.actions import Action, Verb
from monitor.channels.receipts import Receipt, Receipts
from monitor.processes.family import Family
from monitor.processes.identity import Identity
from monitor.processes.ladder import Ladder, Standing
from monitor.processes.pausing import go_on, pause
from monitor.processes.plan import WAIT, Plan, plan
from monitor.processes.signals import ignores, untouchable
from monitor.processes.table import read

_PACE = 2.0
"""Seconds between two looks at the agent's process while nothing is under way."""
_CENSUS = 10.0
"""Seconds between two looks at all it started: what outlives its shell is known by having been seen."""
_SHARED = 5.0
"""Seconds that the reading of all processes may be old which such a look goes by: one serves all runs."""
_HURRY = 0.1
"""Seconds between two looks while a run is being stopped."""
SIGNALLED: tuple[Verb, ...] = ("abort", "pause", "continue")
"""What is done to processes, not said to the agent."""
UNKNOWN = "no process of this run is known"
GONE = "its process is gone"


class Body:
    """Stops, pauses and continues a run's processes.

    `find` gives the agent's verified process as it is now, or none. `ask` asks the agent itself to stop and says
    how, `asking` says so beforehand, and nothing where it cannot be asked. The `mark` that a run of ours carries in its
    environment helps to find what it started.
    """

    def __init__(
        self,
        find: Callable[[], Identity | None],
        receipts: Receipts,
        *,
        ask: Callable[[], str] | None = None,
        asking: Callable[[], str] = lambda: "",
        mark: str = "",
        wait: float = WAIT,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._find = find
        self._receipts = receipts
        self._ask = ask
        self._asking = asking
        self._mark = mark
        self._wait = wait
        self._clock = clock
        self._family: Family | None = None
        self._ladder: Ladder | None = None
        self._aborts: list[str] = []
        self._looked = self._counted = 0.0
        self._alive = self._paused = False
        self._untouchable = ""
        """Why its process cannot be signalled, as of the last look at all it started."""
        self._standing: Standing | None = None

    @property
    def alive(self) -> bool:
        """Whether the agent's process lived at the last look."""
        return self._alive

    @property
    def identity(self) -> Identity | None:
        """The agent's process, if it lived at the last look."""
        return self._family.root if self._family is not None and self._alive else None

    @property
    def gone(self) -> bool:
        """Whether the agent's process was known and is no more, and nothing more is to be said of its end."""
        return self._family is not None and not self._alive and self._ladder is None

    @property
    def stopping(self) -> bool:
        """Whether an abort is under way."""
        return self._ladder is not None

    @property
    def due(self) -> float:
        """When `step` is to be called again."""
        return self._clock() + _HURRY if self.stopping else self._looked + _PACE

    def can(self, verb: Verb) -> str:
        """Why it cannot be done, as of the last look."""
        if self._family is None:
            return UNKNOWN
        if not self._alive and not (verb == "abort" and self.stopping):
            return GONE
        if self._untouchable:
            return f"its process cannot be signalled: {self._untouchable}"
        if verb == "pause" and self._paused:
            return "it is paused already"
        if verb == "continue" and not self._paused:
            return "it is not paused"
        return ""

    def plan(self) -> Plan | None:
        """What an abort would end and how."""
        family = self._family
        members = family.look() if family is not None else ()
        if family is None or not members:
            return None
        deaf = ignores(family.root.pid, signal.SIGINT)
        told = family.suspects()
        return plan(members, self._clock(), protocol=self._asking(), deaf=deaf, suspects=told)

    def perform(self, action: Action) -> None:
        """Abort, pause or continue."""
        self.look(now=True)
        self._receipts.begin(action)
        if reason := self.can(action.verb):
            self._receipts.tell(action.id, "failed", reason)
        elif action.verb == "abort":
            self._abort(action)
        elif self._family is not None:
            done, words = (pause if action.verb == "pause" else go_on)(self._family)
            self._receipts.tell(action.id, "done" if done else "failed", words)
            self.look(now=True)

    def look(self, *, now: bool = False) -> None:
        """See which processes there are, if it is time to."""
        if not now and self._clock() < self._looked + _PACE:
            return
        self._looked = self._clock()
        met = (self._family is None or not self._alive) and self._meet()
        if self._family is None:
            return
        if now or met or self._clock() >= self._counted + _CENSUS:
            self._counted = self._clock()
            self._family.look(0.0 if now or met else _SHARED)
            self._untouchable = untouchable(self._family.root)
        entry = read(self._family.root.pid)
        same = entry is not None and entry.started == self._family.root.started
        self._alive = same and entry is not None and not entry.ended
        self._paused = self._alive and entry is not None and entry.state == "T"

    def step(self) -> None:
        """Go on with an abort that is under way."""
        if self._ladder is None:
            self.look()
            return
        standing = self._ladder.step()
        self._alive = self._alive and not standing.over
        for action in self._aborts:
            receipt: Receipt = "done" if standing.over else "delivered" if standing.reached else "queued"
            self._receipts.tell(action, receipt, standing.words, standing.until, standing.then)
        if standing.over:
            self._ladder = None
            self._aborts.clear()
            self.look(now=True)

    def _meet(self) -> bool:
        """Whether there is an agent's process now that was not known."""
        found = self._find()
        if found is None or (self._family is not None and self._family.root.key == found.key):
            return False
        self._family = Family(found, self._mark)
        return True

    def _abort(self, action: Action) -> None:
        if self._ladder is None and self._family is not None:
            self._ladder = Ladder(self._family, self._ask, self._wait, self._clock)
        if self._ladder is not None:
            self._aborts.append(action.id)
            self._ladder.climb(action.force)
            self.step()

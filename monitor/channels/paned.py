"""Reaches a run through its terminal, where that is a tmux pane: Escape ends its turn, words are pasted."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Protocol

from monitor.actions import Action, Verb, When
from monitor.channels.orders import ASKS, Orders
from monitor.channels.pane import Pane, pane_of
from monitor.channels.receipts import Receipts
from monitor.control import Channel
from monitor.events import Acted, Event, Prompted, RequestEnded, Waiting
from monitor.hand import Judging
from monitor.processes.identity import Identity
from monitor.processes.plan import WAIT, Plan, Step
from monitor.snapshot import Snapshot
from monitor.streams.record import Record

_SOON = 0.1
"""Seconds between two looks at what is under way."""
_AGAIN = 30.0
"""Seconds after which a pane that could not be typed into is looked for again."""
UNSOUGHT = "its terminal is being looked for"
UNKNOWN = "no process of this run is known, and so no terminal"
_OVER = "its request was over by then: nothing ran that Escape could end"
_WHERE = "in its terminal, which is tmux {}"


class Reached(Channel, Protocol):
    """What reaches the run otherwise."""

    @property
    def hooked(self) -> bool:
        """Whether it ends a turn and leaves the session open."""


class PaneChannel:
    """As `reached` reaches the run, and by the pane of the process that `find` gives.

    `standing` says what the agent itself says that it does: `busy`, `idle`, `waiting`, or nothing; none where it is
    not known what Escape does there: then nothing is typed. What is typed is asked for by the operator: a warning,
    which is sent by one key, goes as it went.
    """

    name = "tmux"

    def __init__(
        self,
        reached: Reached,
        find: Callable[[], Identity | None],
        standing: Callable[[], str] | None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._reached = reached
        self._judging = reached if isinstance(reached, Judging) else None
        self._find = find
        self._types = standing is not None
        self._standing = standing or (lambda: "")
        self._clock = clock
        self._receipts = Receipts(self.name, clock)
        self._orders = Orders(self._receipts, self._standing, clock)
        self._eyes = ThreadPoolExecutor(1, "tmux")
        self._sought: Future[Pane | str] | None = None
        self._met: Identity | None = None
        self._pane: Pane | str = UNKNOWN
        self._again = 0.0
        self._working = self._asks = False
        self._escapes = True
        """Whether the plan that was shown last begins with Escape: what is done is what was shown."""
        self._seek()

    @property
    def terminal(self) -> Pane | str:
        """The pane of its process, or why there is none."""
        return self._pane

    @property
    def due(self) -> float | None:
        """Soon while something is under way."""
        own = self._clock() + _SOON if self._orders or self._sought is not None else None
        return min(filter(None, (own, self._reached.due)), default=None)

    def can(self, verb: Verb) -> str:
        """What can be done otherwise, and feedback."""
        why = self._reached.can(verb)
        if verb != "feedback" or not why or not self._types:
            return why
        return f"{self._pane}; {why}" if isinstance(self._pane, str) else ""

    def how(self, verb: Verb, when: When = "next") -> str:
        """Words by the way that fits the moment; an abort by Escape where nothing else leaves the session open."""
        pane = self._typable()
        if pane is None or verb not in ("feedback", "abort"):
            return self._reached.how(verb, when)
        if verb == "abort":
            return _escape(pane) if self._by_escape() else self._reached.how(verb, when)
        if when == "now":
            return f"Escape, then a paste {_WHERE.format(pane.name)}: its turn ends, your words begin the next"
        if when == "next" and not self._reached.can("feedback"):
            return self._reached.how(verb, when)
        return f"a paste {_WHERE.format(pane.name)}, with what its prompt holds: read between its steps, or after them"

    def plan(self) -> Plan | None:
        """Escape first, where a turn runs that it would end; signals only when they are asked for."""
        plan, pane = self._reached.plan(), self._typable()
        self._escapes = pane is not None and self._by_escape()
        if plan is not None and self._orders.interrupting:
            return replace(plan, steps=_all_at_once(plan.steps))
        if plan is None or pane is None or not self._escapes:
            return plan
        return replace(plan, steps=(Step("ask", _escape(pane)), *(replace(one, asked=True) for one in plan.steps)))

    def offer(self, text: str) -> str:
        """The command that resumes it."""
        return self._reached.offer(text)

    def send(self, action: Action) -> None:
        """Begin to do it."""
        pane = self._typable()
        if pane is None or action.verb not in ("feedback", "abort"):
            self._reached.send(action)
        elif action.verb == "feedback":
            if action.when == "next" and not self._reached.can("feedback"):
                self._reached.send(action)
            else:
                self._write(pane, action)
        elif action.force in ("ask", "interrupt") and self._escapes and not self._reached.hooked:
            self._interrupt(pane, action)
        else:
            self._orders.give_up("signals follow")
            self._reached.send(action)

    def hear(self, record: Record) -> None:
        """Shown to what reaches it otherwise."""
        self._reached.hear(record)

    def observe(self, event: Event) -> None:
        """Whether a turn runs, and what was taken up."""
        self._reached.observe(event)
        if event.actor or event.copied:
            return
        if isinstance(event, Waiting):
            self._asks = not event.over
        elif isinstance(event, RequestEnded):
            self._working = False
            end = "was interrupted" if event.how == "interrupted" else "is over"
            self._orders.over(f"the agent's own record says that the turn {end}")
        elif isinstance(event, Prompted):
            self._working = True
            self._orders.taken(event.text, event.at)

    def judge(self, told: Callable[[], Snapshot]) -> None:
        """Shown to what answers the agent."""
        if self._judging is not None:
            self._judging.judge(told)

    def receipts(self) -> list[Acted]:
        """What is new."""
        told = self._reached.receipts()
        self._seek()
        self._orders.step()
        if self._orders.problem:
            self._pane, self._again = self._orders.problem, self._clock() + _AGAIN
            self._orders.problem = ""
        return [*told, *self._receipts.take()]

    def close(self) -> None:
        """Let go."""
        self._reached.close()
        self._orders.close()
        self._eyes.shutdown(wait=False, cancel_futures=True)

    def _typable(self) -> Pane | None:
        return self._pane if self._types and isinstance(self._pane, Pane) else None

    def _by_escape(self) -> bool:
        return not self._reached.hooked and self._runs()

    def _runs(self) -> bool:
        """Whether a turn runs: as the agent itself says, where it says it."""
        standing = self._standing()
        return standing in ("busy", "waiting") if standing else self._working

    def _write(self, pane: Pane, action: Action) -> None:
        """Paste its words; a turn that runs is ended before, where they are to be read now."""
        self._receipts.begin(action, self.how(action.verb, action.when))
        if action.when == "now" and self._runs():
            self._orders.interrupt(pane, action)
        elif self._asks:
            self._receipts.tell(action.id, "failed", ASKS)
        else:
            self._orders.write(pane, action)

    def _interrupt(self, pane: Pane, action: Action) -> None:
        self._receipts.begin(action, _escape(pane))
        if self._by_escape():
            self._orders.interrupt(pane, action)
        else:
            self._receipts.tell(action.id, "failed", _OVER)

    def _seek(self) -> None:
        """Look for the pane once for each process, beside everything else."""
        if self._sought is not None:
            if self._sought.done():
                self._pane, self._sought = self._sought.result(), None
            return
        found = self._find()
        if found is None:
            if self._met is not None:
                self._orders.lose("its process is gone")
            self._met, self._pane = None, UNKNOWN
        elif self._met is None or self._met.key != found.key or self._clock() > self._again > 0:
            self._met, self._again, self._pane = found, 0.0, UNSOUGHT
            self._sought = self._eyes.submit(pane_of, found)


def _escape(pane: Pane) -> str:
    return f"Escape {_WHERE.format(pane.name)}: its turn ends, the session stays open"


def _all_at_once(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps when Escape was in vain: being told to terminate, the agent is interrupted first."""
    gentle = next((one.words for one in steps if one.force == "interrupt" and not one.skipped), "")
    words = f"{gentle}; after {WAIT:.0f}s " if gentle else ""
    return tuple(replace(one, words=words + one.words) if one.force == "terminate" else one for one in steps)

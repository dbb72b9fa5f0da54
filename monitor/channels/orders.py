"""What is being typed into a pane for the operator: each from the key to the evidence that it had its effect."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal

from monitor.actions import Action
from monitor.channels.keyboard import escape, paste, typed
from monitor.channels.pane import Pane
from monitor.channels.receipts import Receipts
from monitor.processes.plan import WAIT

_GRACE = 1.5
"""Seconds in which the transcript may still tell of an interruption that the session file shows: it comes later."""
_CLOCKS = 2.0
"""Seconds by which the agent's clock may be behind."""
_IDLE = "the agent's session file says that nothing runs"
_STAYED = "Escape did not end its turn; nothing was pasted"
ASKS = "it asks something in its terminal: words pasted there would answer that"


@dataclass(slots=True)
class _Order:
    """One action on its way."""

    action: Action
    pane: Pane
    step: Literal["escape", "ends", "paste", "pasted"]
    told: Future[str] | None
    since: float
    """When its step was begun."""
    ended: str = ""
    """By what the end of the turn was seen."""
    idle: float | None = None
    """Since when the session file says that nothing runs."""


class Orders:
    """Types one after another on a thread of its own, since tmux may take its time."""

    def __init__(self, receipts: Receipts, standing: Callable[[], str], clock: Callable[[], float] = time.time) -> None:
        self.problem = ""
        """Why tmux did not take the latest."""
        self._receipts = receipts
        self._standing = standing
        self._clock = clock
        self._hands = ThreadPoolExecutor(1, "tmux")
        self._open: list[_Order] = []

    def __bool__(self) -> bool:
        return bool(self._open)

    @property
    def interrupting(self) -> bool:
        """Whether an abort is under way."""
        return any(one.action.verb == "abort" for one in self._open)

    def interrupt(self, pane: Pane, action: Action) -> None:
        """Press Escape, for an abort or for words that are to begin a turn; the action must have been begun."""
        self._open.append(_Order(action, pane, "escape", self._hands.submit(escape, pane), self._clock()))

    def write(self, pane: Pane, action: Action) -> None:
        """Paste its words; the action must have been begun."""
        self._open.append(_Order(action, pane, "paste", self._paste(pane, action), self._clock()))

    def step(self) -> None:
        """Go on with what is under way."""
        for order in list(self._open):
            if order.told is not None and order.told.done():
                self._typed(order, order.told.result())
            if order.step == "ends":
                self._await_end(order)

    def over(self, evidence: str) -> None:
        """The turn has ended, as the agent's own record says."""
        for order in list(self._open):
            if order.step in ("escape", "ends"):
                order.ended = order.ended or evidence
            elif self._receipts.receipt(order.action.id) == "seen":
                self._finish(order, "done", "the request that took it up is over")

    def taken(self, text: str, at: float | None) -> None:
        """A prompt stands in the agent's own record."""
        told = " ".join(text.split())
        for order in self._open:
            late = at is None or at >= order.since - _CLOCKS
            if order.step == "pasted" and late and " ".join(typed(order.action.text).split()) in told:
                self._receipts.tell(order.action.id, "seen", "stands in the agent's own record as a prompt")

    def give_up(self, why: str) -> None:
        """An abort that is under way is left to something harder."""
        for order in list(self._open):
            if order.action.verb == "abort":
                self._finish(order, "failed", why)

    def lose(self, why: str) -> None:
        """The process is gone."""
        for order in list(self._open):
            self._finish(order, "done" if order.action.verb == "abort" else "failed", why)

    def close(self) -> None:
        """Nothing more is begun; what is being typed is typed to its end."""
        self._hands.shutdown(wait=False, cancel_futures=True)

    def _paste(self, pane: Pane, action: Action, *, apart: bool = False) -> Future[str]:
        """Paste it, unless that would answer a question; `apart` from a prompt that the agent has taken back."""

        def free() -> str:
            return ASKS if self._standing() == "waiting" else paste(pane, action.text, apart=apart)

        return self._hands.submit(free)

    def _typed(self, order: _Order, problem: str) -> None:
        """The keys were taken, or not."""
        order.told = None
        if problem:
            self.problem = problem
            self._finish(order, "failed", problem)
            return
        order.since = self._clock()
        if order.step == "paste":
            order.step = "pasted"
            self._receipts.tell(
                order.action.id, "delivered", f"pasted into tmux {order.pane.name}, and sent with Enter"
            )
            return
        order.step = "ends"
        where = f"Escape was pressed in tmux {order.pane.name}"
        if order.action.verb == "abort":
            self._receipts.tell(order.action.id, "delivered", where, until=order.since + WAIT)
        else:
            self._receipts.tell(order.action.id, "queued", where)

    def _await_end(self, order: _Order) -> None:
        """Go on once the turn has ended; an abort stays open until it has, words are not pasted into a turn."""
        if not order.ended:
            order.idle = (order.idle or self._clock()) if self._standing() == "idle" else None
            if order.idle is not None and self._clock() > order.idle + _GRACE:
                order.ended = _IDLE
        if order.ended and order.action.verb == "abort":
            self._receipts.tell(order.action.id, "seen", order.ended)
            self._finish(order, "done", order.ended)
        elif order.ended:
            told = self._paste(order.pane, order.action, apart=order.ended == _IDLE)
            order.step, order.told, order.since = "paste", told, self._clock()
        elif order.action.verb != "abort" and self._clock() > order.since + WAIT:
            self._finish(order, "failed", _STAYED)

    def _finish(self, order: _Order, receipt: Literal["done", "failed"], evidence: str) -> None:
        self._receipts.tell(order.action.id, receipt, evidence)
        self._open.remove(order)

"""Keeps how far each action got, and tells every step once."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Literal, Protocol

from monitor.actions import Action
from monitor.events import Acted
from monitor.text import clean, line, shorten

Receipt = Literal["queued", "delivered", "seen", "done", "failed"]
_ORDER = ("queued", "delivered", "seen", "done", "failed")
_FINAL = ("done", "failed")
_KEPT = 200
"""Actions that are remembered."""
_LONG = 1_000
"""Characters of evidence."""


class Record(Protocol):
    """Where receipts are written down for a later monitor."""

    def note(self, action: str, receipt: str, at: float) -> None:
        """How far an action got, and when."""


class Receipts:
    """The actions of one channel. A receipt never goes back, and after `done` or `failed` nothing is told."""

    def __init__(self, channel: str, clock: Callable[[], float] = time.time) -> None:
        self._channel = channel
        self._clock = clock
        self._actions: dict[str, Action] = {}
        self._last: dict[str, Acted] = {}
        self._news: list[Acted] = []
        self._times: dict[str, Mapping[str, float]] = {}
        """When an earlier monitor told the receipts of an action."""
        self.record: Record | None = None

    def begin(self, action: Action, evidence: str = "", times: Mapping[str, float] | None = None) -> None:
        """It is queued; `times` when each of its receipts was told before, where an earlier monitor began it."""
        self._actions[action.id] = action
        if times is not None:
            self._times[action.id] = times
        self.tell(action.id, "queued", evidence)
        while len(self._actions) > _KEPT:
            oldest = next(iter(self._actions))
            del self._actions[oldest]
            self._last.pop(oldest, None)
            self._times.pop(oldest, None)

    def refuse(self, action: Action, why: str) -> None:
        """It cannot be done."""
        self.begin(action)
        self.tell(action.id, "failed", why)

    def tell(
        self, action: str, receipt: Receipt, evidence: str = "", until: float | None = None, then: str = ""
    ) -> None:
        """How far it got; what says nothing new is not told."""
        told, last = self._actions.get(action), self._last.get(action)
        if told is None or (last is not None and last.receipt in _FINAL):
            return
        if last is not None and _ORDER.index(receipt) < _ORDER.index(last.receipt):
            receipt = last.receipt
        if last is not None and (last.receipt, receipt) == ("queued", "seen"):
            self.tell(action, "delivered", "the agent has it")
            last = self._last[action]
        now = self._clock()
        acted = Acted(
            id=told.id,
            action=told.verb,
            by=told.by,
            channel=self._channel,
            receipt=receipt,
            evidence=shorten(line(evidence), _LONG),
            text=clean(told.text),
            subject=told.subject,
            until=until,
            then=then,
            at=self._moment(action, receipt, now, anew=last is None or last.receipt != receipt),
            seen=now,
        )
        if last is None or (last.receipt, last.evidence, last.until) != (acted.receipt, acted.evidence, acted.until):
            self._last[action] = acted
            self._news.append(acted)

    def _moment(self, action: str, receipt: Receipt, now: float, *, anew: bool) -> float | None:
        """When it got so far; none of one that an earlier monitor began and did not write that down."""
        earlier = self._times.get(action)
        if earlier is not None:
            return earlier.get(receipt, None if receipt == "queued" else now)
        if anew and self.record is not None:
            self.record.note(action, receipt, now)
        return now

    def receipt(self, action: str) -> Receipt | None:
        """How far it has got; none for one that is not known."""
        last = self._last.get(action)
        return last.receipt if last is not None else None

    def open(self) -> list[str]:
        """Those that are neither done nor failed."""
        return [name for name, last in self._last.items() if last.receipt not in _FINAL]

    def take(self) -> list[Acted]:
        """What was told since."""
        taken, self._news = self._news, []
        return taken

"""Calls that wait for their result, paired with it once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from monitor.detectors.remembered import Remembered
from monitor.events import ToolCalled, ToolReturned

_WAITING = 300
_DONE = 2_000

_Id = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Asked:
    """A call as last told, and when it was first told."""

    call: ToolCalled
    seq: int


class Pending:
    """The calls without a result; a call told again replaces what was told before, a second result is no result."""

    def __init__(self) -> None:
        self._waiting: dict[_Id, Asked] = {}
        self._done: Remembered[_Id, int] = Remembered(_DONE)
        """The request in which a call was answered: its id may be used again in another."""

    def called(self, event: ToolCalled) -> bool:
        """Remember a call; false for one that has its result, or is told again with less."""
        key = event.actor, event.call
        if self._done.get(key) == event.request:
            return False
        old = self._waiting.get(key)
        if old is not None and event.partial and not old.call.partial:
            return False
        self._waiting[key] = Asked(event, old.seq if old is not None else event.seq)
        if len(self._waiting) > _WAITING:
            del self._waiting[next(iter(self._waiting))]
        return True

    def returned(self, event: ToolReturned) -> Asked | None:
        """The call that this result is the first to answer; none when it is not known."""
        key = event.actor, event.call
        asked = self._waiting.pop(key, None)
        if asked is not None:
            self._done.put(key, asked.call.request)
        return asked

    def __iter__(self) -> Iterator[Asked]:
        """The calls that wait, oldest first."""
        return iter(self._waiting.values())

    def copy(self) -> Pending:
        """Another that goes on from here."""
        other = Pending()
        other._waiting, other._done = dict(self._waiting), self._done.copy()
        return other

"""What is awaited of each actor: the model's next word, or the results of its calls."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import Literal

from monitor.detectors.remembered import Remembered
from monitor.events import Event, RunEnded, SourceChanged, ToolCalled, ToolReturned
from monitor.findings import Level, Spot

_CALLS = 300
_DONE = 500
"""Calls that have their result of which it is remembered."""


def over(event: Event) -> str:
    """Why nothing is awaited after an event that ends something; empty where it only tells of the monitor's own works."""
    match event:
        case SourceChanged(what="back" | "unwatched" | "aside"):
            return ""
        case SourceChanged(what="gone" | "end") | RunEnded(actor=""):
            return "the run ended"
        case SourceChanged():
            return "the source was interrupted"
        case _:
            return "the request ended"


@dataclass(frozen=True, slots=True)
class Wait:
    """One thing that is awaited."""

    what: Literal["model", "call"]
    since: float
    limit: float
    """Seconds after which it stalls; 0 when it never does."""
    spot: Spot
    name: str = ""
    delegate: bool = False
    """The call has another actor work: its time begins anew with whatever that one does."""
    message: str = ""
    """Of a call: the model's message it came in."""
    speaking: bool = False
    """The model is in the middle of a reply."""

    def due(self, level: Level | None, times: float) -> float | None:
        """When the next level is reached; none when it never is. `times` as long as a note takes, a warning does."""
        if not self.limit or level == "warn" or (level == "note" and not times):
            return None
        return self.since + self.limit * (1 if level is None else max(times, 1.0))


@dataclass(slots=True)
class Clock:
    """How far time has come, by the events' own times."""

    now: float = -inf
    timed: bool = False
    """The source gives times: an event without one stands at the last of them."""

    def of(self, event: Event) -> float:
        """When an event was; a source's time ahead of ours is not believed."""
        if event.at is not None:
            self.timed = True
            return event.at if not event.seen or event.at <= event.seen else event.seen
        return self.now if self.timed or not event.seen else event.seen


class Waits:
    """One actor: what it waits for, and whether it waits for a person, which is no stall."""

    def __init__(self) -> None:
        self.person = False
        self.model: Wait | None = None
        self.calls: dict[str, Wait] = {}
        self._done: Remembered[str, tuple[int, str]] = Remembered(_DONE)
        """By call that has its result the request and the message in which it had: its id may be used again."""
        self.closed = -1
        """The turn in which its request ended: more of that turn is only told late."""
        self.deltas: bool | None = None
        self.lag = ""

    def add(self, call: str, wait: Wait) -> str:
        """Await a result; a call told again keeps its time. Of too many calls the oldest is let go: its id comes back."""
        old = self.calls.get(call)
        if old is not None and old.since > -inf:
            wait = replace(wait, since=old.since, spot=old.spot)
        self.calls[call] = wait
        oldest = next(iter(self.calls)) if len(self.calls) > _CALLS else ""
        self.calls.pop(oldest, None)
        return oldest

    def returned(self, event: ToolReturned) -> bool:
        """A call has its result, maybe before it was told; whether that was awaited."""
        wait = self.calls.pop(event.call, None)
        self._done.put(event.call, (event.request, event.message or (wait.message if wait else "")))
        return wait is not None

    def has_result(self, event: ToolCalled) -> bool:
        """Whether a call is only told again, or late: its result has come."""
        request, message = self._done.get(event.call) or (-1, "")
        return request == event.request and not (message and event.message and message != event.message)

    def awaited(self) -> list[tuple[str, Wait]]:
        """Each wait with its key: the call's id, empty for the model; none while a person is asked."""
        if self.person:
            return []
        if self.calls:
            return list(self.calls.items())
        return [("", self.model)] if self.model is not None else []

    def restart(self, now: float) -> None:
        """Everything is awaited from now on."""
        self.calls = {call: replace(wait, since=now) for call, wait in self.calls.items()}
        if self.model is not None:
            self.model = replace(self.model, since=now)

    def renew_delegates(self, now: float) -> dict[str, float]:
        """Calls that have others work are awaited from now on; each with its limit."""
        working = {call: wait for call, wait in self.calls.items() if wait.delegate}
        self.calls.update({call: replace(wait, since=now) for call, wait in working.items()})
        return {call: wait.limit for call, wait in working.items()}

    def drop(self, turn: int) -> None:
        """Nothing is awaited any more."""
        self.model, self.calls, self.person, self.closed = None, {}, False, turn

    def copy(self) -> Waits:
        """Another that goes on from here."""
        other = Waits()
        other.__dict__.update(self.__dict__)
        other.calls, other._done = dict(self.calls), self._done.copy()
        return other

"""Brings calls and results together, whichever comes first and however often they are told."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from monitor.detectors.write_calls import Call, Result, fuller

_WAITING = 2_000
"""Calls without a result that are remembered."""
_WEIGHT = 8_000_000
"""Characters that they may hold in all."""
_DONE = 200
"""Calls with a result of which a fuller telling still counts."""

Counted = Literal["", "made", "failed"]


@dataclass(frozen=True, slots=True)
class Done:
    """A call and its result; the call may not have been told yet."""

    call: Call | None
    result: Result
    counted: Counted | None = None
    """How it was counted; none before it was judged."""


class Pairing:
    """Calls that wait for their result, and the latest that have it."""

    def __init__(self) -> None:
        self.waiting: dict[tuple[str, str], Call] = {}
        self.done: dict[tuple[str, str], Done] = {}
        self._weight = 0

    def told(self, call: Call) -> Call | None:
        """The call as far as it is known now; none when it is told again and nothing is new.

        A call whose result came first is said to be issued at no known time.
        """
        known = self.waiting.get(call.id)
        done = self.done.get(call.id)
        if done is not None and done.call is not None and _another(done.call, call):
            del self.done[call.id]
            done = None
        if done is not None:
            known = done.call
            call = fuller(known, call) if known else replace(call, issued=-1)
            self.done[call.id] = replace(done, call=call)
        else:
            call = fuller(known, call) if known else call
            self._wait(call, known)
        return None if call == known else call

    def result(self, result: Result) -> Call | None:
        """Put a result to its call; none when the call is not known."""
        key = result.actor, result.call
        call = self.waiting.pop(key, None)
        done = self.done.pop(key, None)
        if call is not None:
            self._weight -= call.weight
        elif done is not None:
            call = done.call
        self.done[key] = Done(call, result, done.counted if done else None)
        if len(self.done) > _DONE:
            del self.done[next(iter(self.done))]
        return call

    def count(self, key: tuple[str, str], counted: Counted) -> None:
        """Remember how a call was counted."""
        self.done[key] = replace(self.done[key], counted=counted)

    def overflow(self) -> list[Call]:
        """The calls that have waited longest, where more wait than are remembered; they wait no longer."""
        given_up: list[Call] = []
        while len(self.waiting) > 1 and (len(self.waiting) > _WAITING or self._weight > _WEIGHT):
            call = self.waiting.pop(next(iter(self.waiting)))
            self._weight -= call.weight
            given_up.append(call)
        return given_up

    def close(self, call: Call, result: Result) -> None:
        """Put a result of the monitor's own making to a call; the real one may still come."""
        self.result(result)
        self.done[call.id] = Done(call, result)

    def copy(self) -> Pairing:
        """Another that goes on from here."""
        other = Pairing()
        other.waiting, other.done, other._weight = dict(self.waiting), dict(self.done), self._weight
        return other

    def _wait(self, call: Call, known: Call | None) -> None:
        self._weight += call.weight - (known.weight if known else 0)
        self.waiting[call.id] = call


def _another(known: Call, call: Call) -> bool:
    """Whether a call id is used a second time: by a later message, or for other files."""
    if known.message and call.message:
        return known.message != call.message
    files = {edit.file for edit in known.edits}
    return bool(files and call.edits) and files.isdisjoint(edit.file for edit in call.edits)

"""The calls of one request with their results: which were made before, and how often with the same result."""

from __future__ import annotations

from dataclasses import dataclass, replace

from monitor.detectors.folding import Told
from monitor.findings import Spot

_CALLS = 1_000
_RESULTS = 8
"""Different results remembered of one call."""


@dataclass(frozen=True, slots=True)
class Made:
    """A call that has its result."""

    key: int | None
    """The same for the same call; none where the log does not have its arguments."""
    name: str
    told: Told
    spot: Spot
    turn: int
    executed: bool
    """It ran, whatever came of it."""
    refused: bool
    """The harness did not execute it."""
    ok: bool
    ran: bool
    """It succeeded, or is a shell command that ran to an exit code."""
    failed: bool
    """The call itself failed; a shell command that ran to an exit code has not."""
    changes: bool
    """It may have changed something."""
    write: bool = False
    net: bool = True
    """Of a write: it is not known to have changed nothing."""
    command: int | None = None
    """Of a shell command: the same for the same text."""
    broken: bool = False
    """Of a shell command: it failed or timed out, and its failing says something."""
    cut: bool = False
    """The log has only a part of the result."""


@dataclass(frozen=True, slots=True)
class Times:
    """How often a call was made with one result, since something may have changed."""

    told: Told
    count: int
    first: Spot
    epoch: int


@dataclass(frozen=True, slots=True)
class Known:
    """What the book says of a call just entered."""

    count: int
    first: Spot
    new_call: bool
    """It was not made before in this request."""
    new_result: bool
    """It was made before, and never with this result."""


class CallBook:
    """Counts each call with each of its results; a call that may have changed something starts all other counts again."""

    def __init__(self) -> None:
        self._calls: dict[int, tuple[Times, ...]] = {}
        self._epoch = 0

    def enter(self, made: Made) -> Known:
        """Count a call; one without a key is always new."""
        if made.key is None:
            self._epoch += made.changes
            return Known(1, made.spot, new_call=True, new_result=False)
        old = self._calls.pop(made.key, None)
        before = next((one for one in old or () if one.told.same(made.told)), None)
        fresh = before is None or before.epoch != self._epoch
        self._epoch += made.changes
        if before is None or fresh:
            times = Times(made.told, 1, made.spot, self._epoch)
        else:
            times = replace(before, count=before.count + 1, epoch=self._epoch)
        rest = tuple(one for one in old or () if one is not before)
        self._calls[made.key] = (*rest, times)[-_RESULTS:]
        if len(self._calls) > _CALLS:
            del self._calls[next(iter(self._calls))]
        return Known(times.count, times.first, new_call=old is None, new_result=old is not None and before is None)

    def stir(self) -> None:
        """Something may have changed: every count starts again."""
        self._epoch += 1

    def copy(self) -> CallBook:
        """Another that goes on from here."""
        other = CallBook()
        other._calls, other._epoch = dict(self._calls), self._epoch
        return other

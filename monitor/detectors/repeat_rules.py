"""The counters of repetition, one class for each rule; what level a count means is decided elsewhere."""

from __future__ import annotations

from dataclasses import dataclass

from monitor.detectors.call_book import Made
from monitor.detectors.folding import Told
from monitor.findings import Spot

_COMMANDS = 300
_REFUSED = 200
PERIODS = (2, 3, 4)
"""Calls of a cycle."""


@dataclass(frozen=True, slots=True)
class Count:
    """How often, and since where."""

    times: int
    first: Spot
    name: str = ""


class FailingCommands:
    """One counter for each command that fails with the same output; its passing alone ends it."""

    def __init__(self) -> None:
        self._counts: dict[int, tuple[Told, Count]] = {}

    def passed(self, command: int) -> bool:
        """The command passed; false where nothing was counted."""
        return self._counts.pop(command, None) is not None

    def failed(self, command: int, made: Made) -> Count:
        """Count a failure; another output than the last begins anew."""
        told, count = self._counts.pop(command, (made.told, Count(0, made.spot)))
        if count.times and not told.same(made.told):
            count = Count(0, made.spot)
        count = Count(count.times + 1, count.first, made.name)
        self._counts[command] = made.told, count
        if len(self._counts) > _COMMANDS:
            del self._counts[next(iter(self._counts))]
        return count

    def copy(self) -> FailingCommands:
        """Another that goes on from here."""
        other = FailingCommands()
        other._counts = dict(self._counts)
        return other


class SameChange:
    """Counts the write made last, until another one is made."""

    def __init__(self) -> None:
        self._key: int | None = None
        self._count: Count | None = None

    def made(self, made: Made) -> Count:
        """Count a write that succeeded."""
        same = self._count if made.key is not None and made.key == self._key else None
        self._key = made.key
        self._count = Count(same.times + 1 if same else 1, same.first if same else made.spot, made.name)
        return self._count

    def copy(self) -> SameChange:
        """Another that goes on from here."""
        other = SameChange()
        other._key, other._count = self._key, self._count
        return other


class CallCycle:
    """Counts the rounds of the cycle that the latest calls make: the same calls in the same order, with equal results."""

    def __init__(self) -> None:
        self._last: tuple[Made, ...] = ()
        self._same = dict.fromkeys((1, *PERIODS), 0)
        """For each period, how many calls in a row equal the one so many calls before."""
        self._begun: dict[int, Count] = {}

    def made(self, made: Made) -> Count | None:
        """The cycle that this call goes on with; none where there is none of two rounds."""
        for period in self._same:
            before = self._last[-period] if len(self._last) >= period else None
            if before is not None and made.key is not None and _equal(before, made):
                self._same[period] += 1
                if self._same[period] == 1:
                    names = " → ".join(one.name for one in self._last[-period:])
                    self._begun[period] = Count(0, before.spot, names)
            else:
                self._same[period] = 0
        self._last = (*self._last, made)[-max(PERIODS) :]
        for period in PERIODS:
            same = self._same[period]
            shorter = max((self._same[one] for one in self._same if one < period and period % one == 0), default=0)
            if same >= period and shorter < same:
                return Count(same // period + 1, self._begun[period].first, self._begun[period].name)
        return None

    def copy(self) -> CallCycle:
        """Another that goes on from here."""
        other = CallCycle()
        other._last, other._same, other._begun = self._last, dict(self._same), dict(self._begun)
        return other


def _equal(one: Made, other: Made) -> bool:
    return one.key == other.key and one.told.same(other.told)


class NotExecuted:
    """Counts the calls that the harness did not execute, until one is executed."""

    def __init__(self) -> None:
        self._counts: dict[int, Count] = {}

    def refused(self, made: Made) -> Count | None:
        """Count a call that was not executed; none for one whose arguments are not known."""
        if made.key is None:
            return None
        old = self._counts.pop(made.key, None)
        count = Count(old.times + 1 if old else 1, old.first if old else made.spot, made.name)
        self._counts[made.key] = count
        if len(self._counts) > _REFUSED:
            del self._counts[next(iter(self._counts))]
        return count

    def executed(self) -> bool:
        """A call was executed; false where nothing was counted."""
        counted = bool(self._counts)
        self._counts = {}
        return counted

    def copy(self) -> NotExecuted:
        """Another that goes on from here."""
        other = NotExecuted()
        other._counts = dict(self._counts)
        return other


class Progress:
    """Counts the turns that brought neither a new successful call nor a net change nor new output."""

    def __init__(self) -> None:
        self._idle = 0
        self._first: Spot | None = None
        self._turn = 0
        self._spot: Spot | None = None
        self._moved = True
        """The turn under way needs not be counted: it brought something, only waited, or has not begun."""
        self._ended = self._replied = False
        self.unsure = False
        """The log has only a part of a result that seemed to bring nothing."""

    def turned(self, turn: int, spot: Spot) -> Count | None:
        """An event of this turn; the count of the turn before, where it is over and brought nothing."""
        if turn <= self._turn:
            self._spot = spot if turn == self._turn else self._spot
            return None
        count = self.over()
        self._turn, self._spot, self._moved, self._ended, self._replied = turn, spot, False, False, False
        return count

    def replied(self, *, waiting: bool) -> Count | None:
        """The model's part of the turn is complete; `waiting`: a call of it has no result yet."""
        self._replied = True
        return None if waiting else self.over()

    def returned(self, turn: int) -> Count | None:
        """The last of a turn's calls has its result."""
        return self.over() if self._replied and turn == self._turn else None

    def over(self) -> Count | None:
        """The turn under way is over; its count, where it brought nothing."""
        if self._moved or self._ended or self._spot is None:
            return None
        self._ended = True
        self._idle += 1
        self._first = self._first or self._spot
        return Count(self._idle, self._first)

    def moved(self) -> bool:
        """Something new came; whether turns without it had been counted."""
        counted = self._idle > 0
        self._idle, self._first, self._moved, self.unsure = 0, None, True, False
        return counted

    def excused(self) -> None:
        """The turn under way counts neither way."""
        self._moved = True

    def copy(self) -> Progress:
        """Another that goes on from here."""
        other = Progress()
        other.__dict__.update(self.__dict__)
        return other

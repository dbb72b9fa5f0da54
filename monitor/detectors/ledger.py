"""The files on which a write failed, and what became of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import reduce

from monitor.detectors.entries import Ended, Entry, Failure, earlier
from monitor.detectors.numbers import DEFAULTS, WritesNumbers
from monitor.detectors.write_calls import Call, Result
from monitor.detectors.writes_view import SETTLED
from monitor.findings import Level, rank

OTHERS = "?others"
"""The key of what failed on files beyond those told apart; only the operator settles it."""
_FILES = 500
"""Files with an outstanding failure that are told apart."""
_FAILURES = 20
"""Failures kept of a file."""


class Ledger:
    """Entries by key; an open one is outstanding."""

    def __init__(self, numbers: WritesNumbers = DEFAULTS.failed_writes) -> None:
        self.numbers = numbers
        self.open: dict[str, Entry] = {}
        self.ended: dict[str, Ended] = {}
        self.claimed = False
        """A claim was made over what is outstanding."""
        self._request = -1
        self._claims = 0

    def add(self, key: str, failure: Failure) -> None:
        """A write failed: the file is outstanding, unless this only repeats what stands."""
        if failure.shown.excused:
            self._add_excused(key, failure)
            return
        if key not in self.open and len(self.open) >= _FILES:
            key = OTHERS
        seq = failure.shown.spot.seq
        entry = self.open.pop(key, None) or Entry(key, (), 0, opened=seq, raised=seq)
        failures = _last(entry.failures, failure)
        self.open[key] = replace(entry, failures=failures, count=entry.count + 1)
        self.ended.pop(key, None)

    def clear(self, key: str, call: Call, result: Result) -> None:
        """A write succeeded: failures of earlier messages are mended, one beside it is not."""
        entry = self.open.get(key)
        if entry is None:
            return
        left = tuple(one for one in entry.failures if not earlier(one, call, result))
        standing = sum(one.asks for one in left)
        if not standing:
            self.end(key, Ended(entry, "a later write", "cleared", result.seq, result.at))
        elif len(left) < len(entry.failures):
            self.open[key] = replace(entry, failures=left, count=standing)

    def decide(self, key: str, failure: Failure, by: str, result: Result) -> None:
        """A person denied or corrected a write to the file: somebody has decided."""
        entry = self.open.get(key) or Entry(key, (), 0, opened=result.seq, raised=result.seq)
        shown = replace(entry, failures=_last(entry.failures, failure))
        self.end(key, Ended(shown, by, "cleared", result.seq, result.at, found=key in self.open))

    def end(self, key: str, ended: Ended) -> None:
        """Nothing is outstanding on the file any more."""
        self.open.pop(key, None)
        self.ended.pop(key, None)
        self.ended[key] = ended
        if len(self.ended) > SETTLED:
            del self.ended[next(iter(self.ended))]
        self._rearm()

    def withdraw(self, call: Call) -> dict[str, Entry]:
        """Take back what was held against a call, to judge it anew; the entries as they were."""
        before = dict(self.open)
        self._rework(lambda _, one: None if one.of(call) else one)
        return before

    def reinstate(self, before: dict[str, Entry]) -> None:
        """It has been judged anew: what is outstanding still was so all the while."""
        for key, old in before.items():
            entry = self.open.get(key)
            if entry is not None and entry is not old:
                level = max(entry.level, old.level, key=rank)
                opened = min(entry.opened, old.opened)
                self.open[key] = replace(entry, level=level, raised=max(opened, old.raised), opened=opened)
        self._rearm()

    def rename(self, old: str, new: str, *, corrected: bool) -> None:
        """A path turned out to be another file's; of a tool that mends names, what such tools did moves alone."""
        entry, target = self.open.get(old), self.open.get(new)
        if entry is None or old == new:
            return
        moving = tuple(one for one in entry.standing if one.corrects or not corrected)
        left = tuple(one for one in entry.failures if one not in moving)
        standing = sum(one.asks for one in left)
        if not moving or (standing and target is None and len(self.open) >= _FILES):
            return
        del self.open[old]
        if standing:
            self.open[old] = replace(entry, failures=left, count=standing)
        target = target or replace(entry, key=new, failures=(), count=0)
        self.open[new] = replace(
            target,
            failures=reduce(_last, sorted((*target.failures, *moving), key=lambda one: one.shown.spot.seq), ()),
            count=target.count + entry.count - standing,
            opened=min(target.opened, entry.opened),
            level=max(target.level, entry.level, key=rank),
            raised=max(target.raised, entry.raised),
        )
        self.ended.pop(new, None)

    def revise(self, change: Callable[[Entry, Failure], Failure]) -> None:
        """Put other failures in place of those that stand."""
        self._rework(change)
        self._rearm()

    def mark(self, key: str, *, stirred: int | None = None, elsewhere: str | None = None) -> None:
        """Another hand changed the file, or its content was written elsewhere."""
        entry = self.open.get(key)
        if entry is not None and stirred is not None:
            self.open[key] = replace(entry, stirred=stirred)
        if entry is not None and elsewhere is not None:
            self.open[key] = replace(entry, elsewhere=elsewhere)

    def claim(self, seq: int, request: int) -> None:
        """Done is claimed: what is outstanding presses, and at a second claim in the request more."""
        if not self.open:
            return
        self._claims = self._claims + 1 if request == self._request else 1
        self._request, self.claimed = request, True
        if self.numbers.stop and self._claims >= self.numbers.stop:
            self._press(seq, "stop")
        elif self.numbers.warn and self._claims >= self.numbers.warn:
            self._press(seq, "warn")

    def admit(self, seq: int) -> None:
        """The agent stops and says that it could not: what is outstanding is a warning, and nothing was claimed."""
        if self.numbers.warn:
            self._press(seq, "warn")

    def _press(self, seq: int, level: Level) -> None:
        for key, entry in self.open.items():
            if rank(entry.level) < rank(level):
                self.open[key] = replace(entry, level=level, raised=seq)

    @property
    def at_end(self) -> Level:
        """What is outstanding when the run ends: more than a warning after a claim."""
        if self.claimed and self.numbers.stop:
            return "stop"
        return "warn" if self.numbers.warn else "note"

    def failures(self) -> Iterator[tuple[Entry, Failure]]:
        """The failures outstanding, the latest file first."""
        for entry in reversed(self.open.values()):
            for failure in entry.failures:
                yield entry, failure

    def copy(self) -> Ledger:
        """Another that goes on from here."""
        other = Ledger(self.numbers)
        other.open, other.ended, other.claimed = dict(self.open), dict(self.ended), self.claimed
        other._request, other._claims = self._request, self._claims
        return other

    def _add_excused(self, key: str, failure: Failure) -> None:
        entry = self.open.get(key)
        if entry is not None:
            self.open[key] = replace(entry, failures=_last(entry.failures, failure))
            return
        spot = failure.shown.spot
        past = self.ended.get(key)
        if past is None:
            entry = Entry(key, (failure,), 0, opened=spot.seq, raised=spot.seq)
            by = "the same change, made earlier"
            self.end(key, Ended(entry, by, "cleared", spot.seq, failure.shown.at, found=False))
        else:
            entry = replace(past.entry, failures=_last(past.entry.failures, failure))
            self.end(key, replace(past, entry=entry))

    def _rework(self, change: Callable[[Entry, Failure], Failure | None]) -> None:
        for key, entry in list(self.open.items()):
            changed = [change(entry, one) for one in entry.failures]
            left = tuple(one for one in changed if one is not None)
            gone = sum(old.asks and new is None for old, new in zip(entry.failures, changed, strict=True))
            if gone and key == OTHERS:
                continue
            if gone and not any(one.asks for one in left):
                del self.open[key]
            elif left != entry.failures:
                self.open[key] = replace(entry, failures=left, count=entry.count - gone)

    def _rearm(self) -> None:
        if not self.open:
            self._claims, self.claimed = 0, False


def _last(failures: tuple[Failure, ...], failure: Failure) -> tuple[Failure, ...]:
    """The failures with one more, at most as many as are kept: excused ones go first."""
    kept = (*failures, failure)
    if len(kept) <= _FAILURES:
        return kept
    drop = next((at for at, one in enumerate(kept[:-1]) if one.shown.excused), 0)
    return kept[:drop] + kept[drop + 1 :]

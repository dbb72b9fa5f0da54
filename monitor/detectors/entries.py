"""A file on which a write failed: its failures, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from monitor.detectors.write_calls import Call, Result
from monitor.detectors.writes_view import FailedWrite
from monitor.events import Outcome
from monitor.findings import Level

UNKNOWN: tuple[Outcome, ...] = ("cancelled", "timed_out", "unknown")
"""Outcomes that leave open whether something was written."""
DECIDED: tuple[Outcome, ...] = ("denied", "corrected")
"""Outcomes by which a person settled it."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed write to one file, with what is needed to judge it later."""

    shown: FailedWrite
    message: str = ""
    request: int = 0
    content: bytes | None = None
    """Names the whole content it meant to give the file."""
    corrects: bool = False
    path: str = ""
    """Where to look for the file."""
    cwd: str = ""
    whole: bool = True
    """The texts are kept whole, so a look at the file can compare them."""
    missing: bool = False
    """A look found that its new text did not stand in the file, or the old one did."""
    redone: bool = False
    """A look found the new text in the file and the old one gone, after another hand had changed it."""

    @property
    def asks(self) -> bool:
        """Whether it asks for something: neither excused, nor decided by a person."""
        return not self.shown.excused and self.shown.outcome not in DECIDED

    def of(self, call: Call) -> bool:
        """Whether the call made it; a call id used again by another message is another call."""
        same = (self.shown.actor, self.shown.call) == call.id
        return same and (self.message == call.message or not (self.message and call.message))


@dataclass(frozen=True, slots=True)
class Entry:
    """One file: the failures that stand, and excused repeats among them."""

    key: str
    failures: tuple[Failure, ...]
    count: int
    """Failures that stand; more than are kept, maybe."""
    opened: int
    level: Level = "note"
    """What the claims made of it; the end of the run may make it more."""
    raised: int = 0
    elsewhere: str = ""
    """Another file to which the same content was written since."""
    stirred: int = -1
    """The seq at which another hand last changed the file."""

    @property
    def standing(self) -> tuple[Failure, ...]:
        """The failures that ask for something: neither excused, nor decided by a person."""
        return tuple(one for one in self.failures if one.asks)

    @property
    def lowered(self) -> bool:
        """All it meant to write stands in the file by another hand."""
        standing = self.standing
        return self.count == len(standing) > 0 and all(one.redone for one in standing)


@dataclass(frozen=True, slots=True)
class Ended:
    """A file that nothing is outstanding on any more."""

    entry: Entry
    by: str
    state: Literal["cleared", "settled"]
    seq: int
    at: float | None
    found: bool = True
    """It had been outstanding."""

    @property
    def key(self) -> str:
        """Names the file."""
        return self.entry.key


def earlier(failure: Failure, call: Call, result: Result) -> bool:
    """Whether a failure belongs to a message before that of a successful call."""
    past = failure.shown
    message = call.message or result.message
    if past.spot.seq >= result.seq:
        return False
    if past.actor == call.actor and failure.message and message:
        return failure.message != message
    return past.spot.seq < call.issued

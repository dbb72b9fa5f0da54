"""Where a replay stands, and how it goes on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from monitor.findings import Finding

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, float("inf"))
"""From a quarter of the log's own pace to as fast as it goes."""
LONGEST = 2.0
"""Seconds of the log's time after which a pause is shortened."""
UNTIMED = 0.5
"""Seconds each event takes in a log without times."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A finding's place on the replay bar."""

    count: int
    """Events folded in when it was raised."""
    level: str
    seq: int = -1
    """The event that proves it; -1 where only the moment is known."""


@dataclass(frozen=True, slots=True)
class Playback:
    """One moment of a replay."""

    count: int = 0
    """Events folded in."""
    total: int = 0
    read: float = 1.0
    """The share of the log read so far; under 1 the replay is not ready."""
    playing: bool = False
    speed: float = 1.0
    start: float | None = None
    """The log's own times, seconds since the epoch; none in a log without times."""
    now: float | None = None
    end: float | None = None
    shortened: float = 0.0
    """Seconds of the pause that is being shortened; 0 when none is."""
    marks: tuple[Mark, ...] = ()
    turns: int = 0
    """Turns of the whole log; 0 while it is being read."""

    @property
    def timed(self) -> bool:
        """Whether the log has times to keep pace with."""
        return self.start is not None


def marks(findings: Sequence[Finding]) -> tuple[Mark, ...]:
    """Where each finding was opened, and where it was raised to its level."""
    opened = {Mark(one.opened + 1, "note", _proof(one, one.opened)) for one in findings if one.raised != one.opened}
    raised = {Mark(one.raised + 1, one.level, _proof(one, one.raised)) for one in findings}
    return tuple(sorted(opened | raised, key=lambda mark: (mark.count, mark.level, mark.seq)))


def _proof(finding: Finding, moment: int) -> int:
    """The latest event that proves a finding at the moment of the event `moment`."""
    return max((spot.seq for spot in finding.places if 0 <= spot.seq <= moment), default=moment)


def nearest(speed: float) -> float:
    """The speed there is that comes closest."""
    return speed if speed in SPEEDS else min(SPEEDS[:-1], key=lambda one: abs(one - speed))


def pace(before: float | None, after: float | None, speed: float) -> tuple[float, float]:
    """Seconds to wait between two events, and how long the log's own pause was when it is shortened, else 0."""
    if speed == float("inf"):
        return 0.0, 0.0
    if before is None or after is None:
        return UNTIMED / speed, 0.0
    gap = max(after - before, 0.0)
    return min(gap, LONGEST) / speed, gap if gap > LONGEST else 0.0

"""Where a replay stands, and how it goes on."""

from __future__ import annotations

from dataclasses import dataclass

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

    @property
    def timed(self) -> bool:
        """Whether the log has times to keep pace with."""
        return self.start is not None


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

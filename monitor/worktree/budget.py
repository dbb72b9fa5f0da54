"""How long and how much a measurement may take, and the one way it gives up."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Limits:
    """Past any of these the answer is none, with the reason."""

    seconds: float = 30.0
    files: int = 500_000
    bytes: int = 2 * 1024**3
    """Contents read and hashed anew; what the cache knows costs nothing."""


USUAL = Limits()
"""Wide enough for nearly every project."""


class MeasureError(Exception):
    """The folder cannot be measured; the text is the reason, for a person."""


class UnsettledError(Exception):
    """The folder changed while it was read: another try may succeed. The text names the file."""


def never() -> bool:
    """Nobody asks to stop."""
    return False


@dataclass(slots=True)
class Budget:
    """What is left of the limits of one measurement."""

    limits: Limits
    stop: Callable[[], bool] = never
    files: int = 0
    bytes: int = 0
    until: float = field(init=False)

    def __post_init__(self) -> None:
        self.until = time.monotonic() + self.limits.seconds

    def check(self) -> None:
        """Give up when asked to, or when the time is over."""
        if self.stop():
            raise MeasureError("stopped before it was done")
        if time.monotonic() > self.until:
            raise MeasureError(f"not done within {self.limits.seconds:g} s")

    def take_files(self, count: int) -> None:
        """Count files looked at."""
        self.files += count
        if self.files > self.limits.files:
            raise MeasureError(f"more than {self.limits.files:,} files")

    def take_bytes(self, count: int) -> None:
        """Count bytes about to be hashed; asked before they are read, so a refusal costs nothing."""
        self.bytes += count
        if self.bytes > self.limits.bytes:
            raise MeasureError(f"more than {self.limits.bytes / 1e6:,.0f} MB of contents to read")

    def wait(self, seconds: float) -> None:
        """Let a writer finish."""
        self.check()
        time.sleep(seconds)

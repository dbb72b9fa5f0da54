"""Whether a run is to be reached, or only watched, and whether somebody looks at it alone."""

from __future__ import annotations

from collections.abc import Callable

BEAT = 1.0
"""Seconds between two rounds of a run at which nobody looks, while few are followed."""
RESTS = "this run is only watched: its channel is taken when you act on it"


class Hold:
    """The wish; any thread may change it, and the run follows at its next round.

    What but one can have is taken only while it is wanted; a run at which nobody looks is read a moment later.
    """

    def __init__(self, *, wanted: bool = True) -> None:
        self.wanted = wanted
        """Whether the channel is to be taken and kept."""
        self.near = False
        """Whether somebody looks at the run alone."""
        self.beat = BEAT
        """Seconds between two rounds while nobody looks."""
        self.wake: Callable[[], None] = lambda: None
        """Has a round begin at once."""

    @property
    def rests(self) -> bool:
        """Whether nobody waits for what comes of the run."""
        return not (self.wanted or self.near)

    def look(self, *, near: bool) -> None:
        """Somebody looks at the run alone, or no longer does."""
        if near != self.near:
            self.near = near
            self.wake()

    def take(self) -> None:
        """Reach the run from now on."""
        if not self.wanted:
            self.wanted = True
            self.wake()

    def let_go(self) -> None:
        """Only watch it from now on; what is under way is brought to its end first."""
        if self.wanted:
            self.wanted = False
            self.wake()

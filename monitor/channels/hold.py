"""Whether a run is to be reached, or only watched, and whether somebody looks at it alone."""

from __future__ import annotations

from collections.abc import Callable

ROUNDS = 5
"""Rounds that all runs at which nobody looks make in a second, at the most: twenty cost little more than five."""
BEAT = 1.0
"""Seconds between two rounds of such a run, and two drawings of the list, while there are so few."""
RESTS = "this run is only watched: its channel is taken when you act on it"


def beat(runs: int) -> float:
    """Seconds between two rounds of each of so many runs while nobody looks at it: whole beats, since all share them."""
    return BEAT * max(-(-runs // ROUNDS), 1)


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

"""Whether a run is to be reached, or only watched: what but one can have is taken only while it is wanted."""

from __future__ import annotations

from collections.abc import Callable

RESTS = "this run is only watched: its channel is taken when you act on it"


class Hold:
    """The wish; any thread may change it, and the channel follows at its next look."""

    def __init__(self, *, wanted: bool = True) -> None:
        self.wanted = wanted
        """Whether the channel is to be taken and kept."""
        self.wake: Callable[[], None] = lambda: None
        """Has the channel look at once."""

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

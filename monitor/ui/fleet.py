"""What the overview is given, and all it knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from monitor.finding.standing import FleetView
from monitor.ui.source import Source


class Fleet(Protocol):
    """The runs of this machine. But for `enter` and `take` nothing here blocks."""

    @property
    def view(self) -> FleetView:
        """How every run stands; the same object until something changes."""

    def start(self) -> None:
        """Begin to look, unless it has begun."""

    def source(self, key: str) -> Source | None:
        """The run of that key, where it is attached."""

    def enter(self, key: str) -> Source:
        """As `take`, until `seen` tells that the run was left."""

    def take(self, key: str) -> Source:
        """Reach a run, attached if it was not: the operator acts on it.

        Takes its time, and raises `MonitorError` where the run cannot be read.
        """

    def rests(self, key: str) -> bool:
        """Whether the run is only watched, or not even that, and has to be taken before anything is done to it."""

    def keep(self, key: str) -> None:
        """The operator is still at it: what was taken is kept for a while."""

    def look_at(self, keys: Sequence[str]) -> None:
        """These stand on the screen: what they say is read."""

    def seen(self, key: str, *, left: bool = False) -> None:
        """The operator has looked at all that has come of it so far, and if so has `left` it."""

    def close(self) -> None:
        """Let go of every run; the agents go on."""

"""What the overview is given, and all it knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from monitor.finding.standing import FleetView
from monitor.ui.source import Source


class Fleet(Protocol):
    """The runs of this machine. But for `enter` nothing here blocks."""

    @property
    def view(self) -> FleetView:
        """How every run stands; the same object until something changes."""

    def start(self) -> None:
        """Begin to look, unless it has begun."""

    def source(self, key: str) -> Source | None:
        """The run of that key, where it is attached."""

    def enter(self, key: str) -> Source:
        """Attach to a run, unless it is; takes its time, and raises `MonitorError` where it cannot be read."""

    def look_at(self, keys: Sequence[str]) -> None:
        """These stand on the screen: what they say is read."""

    def seen(self, key: str) -> None:
        """The operator has looked at all that has come of it so far."""

    def close(self) -> None:
        """Let go of every run; the agents go on."""

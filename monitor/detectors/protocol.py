"""What every detector is: fed events one by one, it gives a frozen view."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, Self

from monitor.actions import Want
from monitor.events import Event
from monitor.findings import Finding


class View(Protocol):
    """What a detector knows, frozen."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Everything it found, ended ones included."""


class Detector(Protocol):
    """Pure: no clock, no files, no colour. Throws on no order of events; its state is bounded."""

    name: str
    """A name of `events.DETECTORS`."""
    reads: tuple[type[Event], ...]
    """The types it is fed."""

    def feed(self, event: Event) -> Sequence[Want]:
        """Take in one numbered event; what it wants looked at is returned."""

    def view(self) -> View:
        """The same frozen object until the next change."""

    def copy(self) -> Self:
        """Another that goes on from here, sharing nothing that changes."""

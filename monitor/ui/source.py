"""What the screen is given, and all it knows."""

from __future__ import annotations

from typing import Protocol

from monitor.actions import Action, Verb
from monitor.rows import Rows
from monitor.snapshot import Snapshot


class Source(Protocol):
    """A run to look at. Nothing here blocks: a timer asks ten times a second."""

    @property
    def snapshot(self) -> Snapshot:
        """The newest; the same object until something changes."""

    @property
    def rows(self) -> Rows:
        """The timeline, row by row."""

    @property
    def live(self) -> bool:
        """Whether more may come; false for a finished log."""

    def act(self, action: Action) -> None:
        """Queue an action; what becomes of it stands in a later snapshot."""

    def can(self, verb: Verb) -> str:
        """Empty when it is possible here and now, else the reason why not, as one sentence."""

    def close(self) -> None:
        """The screen is gone; the agent goes on."""

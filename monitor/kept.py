"""A run that is read from a monitor's own record: it goes on for as long as the monitor that writes it."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from monitor.events import SourceChanged


@runtime_checkable
class Kept(Protocol):
    """A run in a record that a monitor keeps; it is never recorded again."""

    def left(self) -> str:
        """Why nothing more will be written there; empty while its monitor lives."""


def parting(found: object, seen: float) -> SourceChanged:
    """What is told of a run that nobody works on any more, and that did not say that it ended."""
    if isinstance(found, Kept):
        return SourceChanged(what="end", text=found.left(), seen=seen)
    return SourceChanged(what="gone", text="the agent's process is gone", seen=seen)


def ending(found: object, cut: str, seen: float) -> SourceChanged:
    """What is told of a log that was read to its end; `cut` says what is missing at its end."""
    left = found.left() if isinstance(found, Kept) and not cut else ""
    return SourceChanged(what="end", text=left or f"the log ends{cut}, and is not followed", seen=seen)

"""What a monitor's own record tells of the end of a run, beside what its agent said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from monitor.events import Acted, Event, SourceChanged
from monitor.snapshot import Snapshot


@runtime_checkable
class Kept(Protocol):
    """A run in a record that a monitor keeps; it is never recorded again."""

    def left(self) -> str:
        """Why nothing more will be written there; empty while its monitor lives."""


@runtime_checkable
class Fated(Protocol):
    """A run that monitor started, and of which it was written down how it ended."""

    def fate(self) -> Sequence[Event]:
        """How it ended, and the abort that ended it, as far as is known; nothing while it runs."""


def fated(found: object, told: Snapshot, parted: str, *, follows: bool) -> Sequence[Event]:
    """What is known of the end beside what the agent said, and is not told yet.

    `parted` is what was told of the end before; who `follows` the run learns himself what becomes of his own actions.
    """
    if told.run.over or not isinstance(found, Fated):
        return ()
    known = {one.id for one in told.actions if follows or one.receipt == "done"}
    return [
        event
        for event in found.fate()
        if not (isinstance(event, Acted) and event.id in known)
        and not (isinstance(event, SourceChanged) and event.text == parted)
    ]


def parting(found: object, seen: float) -> SourceChanged:
    """What is told of a run that nobody works on any more, and that did not say that it ended."""
    if isinstance(found, Kept):
        return SourceChanged(what="end", text=found.left(), seen=seen)
    return SourceChanged(what="gone", text="the agent's process is gone", seen=seen)


def ending(found: object, cut: str, seen: float) -> SourceChanged:
    """What is told of a log that was read to its end; `cut` says what is missing at its end."""
    left = found.left() if isinstance(found, Kept) and not cut else ""
    return SourceChanged(what="end", text=left or f"the log ends{cut}, and is not followed", seen=seen)

"""Decodes trajectories in the form of Harbor: one document a run."""

from __future__ import annotations

from collections.abc import Sequence

from monitor.agents.atif.story import Trajectory
from monitor.agents.fields import count_type, parts, place_of, raw, read_object
from monitor.agents.growing import Grown
from monitor.events import Event, Unreadable
from monitor.streams.record import Input, Record
from monitor.text import clean

_SOURCES = ("system", "user", "agent")


class AtifDecoder:
    """Turns the states of one trajectory into events; total, pure and copyable."""

    def __init__(self) -> None:
        self.unknown_types: dict[str, int] = {}
        self._grown = Grown()

    def feed(self, record: Record) -> Sequence[Event]:
        """What is new in this state of the document."""
        found = record.problem or read_object(record.data)
        if isinstance(found, str):
            return (_unreadable(record, found),)
        if not isinstance(found.get("steps"), list):
            return (_unreadable(record, "no trajectory"),)
        for one in parts(found, "steps"):
            if raw(one, "source") not in _SOURCES:
                count_type(self.unknown_types, f"source {raw(one, 'source')}")
        return self._grown.feed(Trajectory(found), record)

    def finish(self, inputs: Sequence[Input]) -> Sequence[Event]:
        """Nothing: a call without its result shows by itself."""
        del inputs
        return ()

    def copy(self) -> AtifDecoder:
        """Another that goes on from here."""
        other = AtifDecoder()
        other.unknown_types = dict(self.unknown_types)
        other._grown = self._grown.copy()
        return other


def is_trajectory(found: object) -> bool:
    """Whether a value says that it is of this form."""
    return isinstance(found, dict) and raw(found, "schema_version").startswith("ATIF-")


def _unreadable(record: Record, why: str) -> Unreadable:
    return Unreadable(why=clean(why), place=place_of(record), seen=record.seen)

"""Decodes SWE-agent's trajectories: a document that is rewritten whole after each step."""

from __future__ import annotations

from collections.abc import Sequence

from monitor.agents.fields import place_of, read_object
from monitor.agents.growing import Grown
from monitor.agents.swe_agent.story import Trajectory
from monitor.events import Event, Unreadable
from monitor.streams.record import Input, Record
from monitor.text import clean


class SweDecoder:
    """Turns the states of one trajectory into events; total, pure and copyable."""

    def __init__(self) -> None:
        self.unknown_types: dict[str, int] = {}
        self._grown = Grown()

    def feed(self, record: Record) -> Sequence[Event]:
        """What is new in this state of the document."""
        found = record.problem or read_object(record.data)
        if isinstance(found, str):
            return (_unreadable(record, found),)
        if not is_trajectory(found):
            return (_unreadable(record, "no trajectory"),)
        return self._grown.feed(Trajectory(found), record)

    def finish(self, inputs: Sequence[Input]) -> Sequence[Event]:
        """Nothing: each step stands there with its result."""
        del inputs
        return ()

    def copy(self) -> SweDecoder:
        """Another that goes on from here."""
        other = SweDecoder()
        other._grown = self._grown.copy()
        return other


def is_trajectory(found: object) -> bool:
    """Whether a value is a trajectory by its shape."""
    steps = found.get("trajectory") if isinstance(found, dict) else None
    return isinstance(steps, list) and all(isinstance(one, dict) and "action" in one for one in steps)


def _unreadable(record: Record, why: str) -> Unreadable:
    return Unreadable(why=clean(why), place=place_of(record), seen=record.seen)

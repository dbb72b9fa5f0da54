"""Decodes mini-swe-agent's trajectories: a document that is rewritten whole, or the bare list of its messages."""

from __future__ import annotations

from collections.abc import Sequence

from monitor.agents.fields import Object, count_type, part, parts, place_of, raw, read_json
from monitor.agents.growing import Grown
from monitor.agents.mini_swe_agent.story import Trajectory
from monitor.events import Event, Unreadable
from monitor.streams.record import Input, Record
from monitor.text import clean

_ROLES = ("system", "user", "assistant", "tool", "exit")


class MiniDecoder:
    """Turns the states of one trajectory into events; total, pure and copyable."""

    def __init__(self) -> None:
        self.unknown_types: dict[str, int] = {}
        self._grown = Grown()

    def feed(self, record: Record) -> Sequence[Event]:
        """What is new in this state of the document."""
        try:
            found = read_json(record.data)
        except ValueError as error:
            return (_unreadable(record, record.problem or str(error)),)
        told = _messages(found)
        if told is None:
            return (_unreadable(record, record.problem or "no trajectory"),)
        info, messages = told
        for one in messages:
            if raw(one, "role") not in _ROLES and "object" not in one and "type" not in one:
                count_type(self.unknown_types, f"role {raw(one, 'role')}")
        return self._grown.feed(Trajectory(info, messages), record)

    def finish(self, inputs: Sequence[Input]) -> Sequence[Event]:
        """Nothing: a command without its result shows by itself."""
        del inputs
        return ()

    def copy(self) -> MiniDecoder:
        """Another that goes on from here."""
        other = MiniDecoder()
        other.unknown_types = dict(self.unknown_types)
        other._grown = self._grown.copy()
        return other


def is_trajectory(found: object) -> bool:
    """Whether a value is a trajectory by its shape."""
    if isinstance(found, dict):
        return raw(found, "trajectory_format").startswith("mini-swe-agent") or "mini_version" in part(found, "info")
    return _messages(found) is not None


def _messages(found: object) -> tuple[Object, Sequence[Object]] | None:
    if isinstance(found, dict) and isinstance(found.get("messages"), list):
        return part(found, "info"), parts(found, "messages")
    if isinstance(found, list) and found and all(isinstance(one, dict) and "role" in one for one in found):
        return {}, found
    return None


def _unreadable(record: Record, why: str) -> Unreadable:
    return Unreadable(why=clean(why), place=place_of(record), seen=record.seen)

"""Decodes OpenHands' histories: a list of events in one document, or a line of a benchmark's output."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from monitor.agents.fields import count_type, place_of, read_json
from monitor.agents.growing import Grown
from monitor.agents.openhands.entry import entries_of
from monitor.agents.openhands.story import History
from monitor.events import Event, Unreadable
from monitor.streams.record import Input, Record
from monitor.text import clean

EVENTS, INSTANCE = "events", "instance"
"""The roles of the inputs."""
_EACH = 8
"""Items kept for each entry of a line, so that an item names its entry too."""


class OpenHandsDecoder:
    """Turns one history into events; total, pure and copyable."""

    def __init__(self) -> None:
        self.unknown_types: dict[str, int] = {}
        self._grown = Grown()

    def feed(self, record: Record) -> Sequence[Event]:
        """The events of a line, or what is new in a document."""
        try:
            found = read_json(record.data)
        except ValueError as error:
            return (_unreadable(record, record.problem or str(error)),)
        about = found if isinstance(found, dict) else {}
        history = about.get("history") if about else found
        if not isinstance(history, list) or (not about and not is_history(history)):
            return (_unreadable(record, record.problem or "no history"),)
        story = History(entries_of(history), about)
        for name in story.unknown():
            count_type(self.unknown_types, name)
        return self._grown.feed(story, record) if record.input.role == EVENTS else _line(story, record)

    def finish(self, inputs: Sequence[Input]) -> Sequence[Event]:
        """Nothing: a call without its result shows by itself."""
        del inputs
        return ()

    def copy(self) -> OpenHandsDecoder:
        """Another that goes on from here."""
        other = OpenHandsDecoder()
        other.unknown_types = dict(self.unknown_types)
        other._grown = self._grown.copy()
        return other


def is_history(found: object) -> bool:
    """Whether a value is a list of events by its shape."""
    if not isinstance(found, list) or not found:
        return False
    told = [one for one in found if isinstance(one, dict) and ("action" in one or "observation" in one)]
    return len(told) == len(found) and any("source" in one and "timestamp" in one for one in told)


def _line(story: History, record: Record) -> list[Event]:
    """The events of one line, the entry's place in the history kept in the item."""
    groups = [story.head(), *(story.told(index) for index in range(len(story))), story.tail()]
    numbers = [0, *(story.line(index) + 1 for index in range(len(story))), len(story) + 1]
    events: list[Event] = []
    items: dict[int, int] = {}
    for number, group in zip(numbers, groups, strict=True):
        for one in group:
            item = number * _EACH + items.get(number, 0)
            items[number] = items.get(number, 0) + 1
            events.append(msgspec.structs.replace(one, place=place_of(record, item), seen=record.seen))
    return events


def _unreadable(record: Record, why: str) -> Unreadable:
    return Unreadable(why=clean(why), place=place_of(record), seen=record.seen)

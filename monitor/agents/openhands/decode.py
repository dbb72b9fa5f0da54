"""Decodes OpenHands' histories: a list of events in one document, or a line of a benchmark's output."""

from __future__ import annotations

import msgspec

from monitor.agents.fields import place_of
from monitor.agents.growing import DocumentDecoder, Story
from monitor.agents.openhands.entry import entries_of
from monitor.agents.openhands.story import History
from monitor.events import Event
from monitor.streams.record import Record

EVENTS, INSTANCE = "events", "instance"
"""The roles of the inputs."""
_EACH = 8
"""Items kept for each entry of a line, so that an item names its entry too."""


def decoder() -> DocumentDecoder:
    """A fresh decoder of a history that is a document."""
    return DocumentDecoder(_history)


def line_decoder() -> DocumentDecoder:
    """A fresh decoder of a history that stands on a line."""
    return DocumentDecoder(_history, Line())


def is_history(found: object) -> bool:
    """Whether a value is a list of events by its shape."""
    if not isinstance(found, list) or not found:
        return False
    told = [one for one in found if isinstance(one, dict) and ("action" in one or "observation" in one)]
    return len(told) == len(found) and any("source" in one and "timestamp" in one for one in told)


class Line:
    """Tells the history of one line, each entry's place in the history kept in the item."""

    def feed(self, story: Story, record: Record) -> list[Event]:
        """All of it: a line never grows."""
        count = len(story.marks())
        groups = [story.head(), *(story.told(index) for index in range(count)), story.tail()]
        numbers = [0, *(story.line(index) + 1 for index in range(count)), count + 1]
        events: list[Event] = []
        items: dict[int, int] = {}
        for number, group in zip(numbers, groups, strict=True):
            for one in group:
                item = number * _EACH + items.get(number, 0)
                items[number] = items.get(number, 0) + 1
                events.append(msgspec.structs.replace(one, place=place_of(record, item), seen=record.seen))
        return events

    def copy(self) -> Line:
        """Itself: it keeps nothing."""
        return self


def _history(found: object) -> History | str:
    about = found if isinstance(found, dict) else {}
    history = about.get("history") if about else found
    if not isinstance(history, list) or (not about and not is_history(history)):
        return "no history"
    return History(entries_of(history), about)

"""Decodes one session of Aider's chat history, a line at a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from monitor.agents.aider.session import HEADING, Session
from monitor.agents.fields import place_of, unreadable
from monitor.events import NOWHERE, Event, Place
from monitor.streams.record import Input, Record

_BLANKS = 200
"""Lines without anything on them, one after another, that are told."""


class AiderDecoder:
    """Turns the lines of one session into events; total, pure and copyable.

    `first` is the line it begins at: earlier lines are other sessions'. With the next session's heading it is over.
    """

    def __init__(self, first: int = 1) -> None:
        self.unknown_types: dict[str, int] = {}
        self._first = first
        self._session = Session()
        self._over = False
        self._last = 0
        """The line before: lines without anything on them are not fed, and are a part of a text all the same."""

    def feed(self, record: Record) -> Sequence[Event]:
        """The events of one line."""
        if record.problem:
            return (unreadable(record, record.problem),)
        line = record.data.decode("utf-8", "replace")
        if record.line < self._first or self._over:
            return ()
        place = place_of(record)
        if HEADING.fullmatch(line) and self._session.begun:
            self._over = True
            return _placed(self._session.end(over=True), place, record.seen)
        events: list[Event] = []
        for blank in range(max(self._last + 1, record.line - _BLANKS), record.line) if self._last else ():
            where = Place(place.input, blank, max(place.offset - (record.line - blank), 0), 1)
            events += _placed(self._session.feed("", where), where, record.seen)
        self._last = record.line
        return [*events, *_placed(self._session.feed(line, place), place, record.seen)]

    def finish(self, inputs: Sequence[Input]) -> Sequence[Event]:
        """The last request is over when its session is."""
        if self._over or not self._session.begun:
            return ()
        self._over = True
        index = inputs[0].index if inputs else 0
        return _placed(self._session.end(over=False), Place(index), 0.0)

    def copy(self) -> AiderDecoder:
        """Another that goes on from here."""
        other = AiderDecoder(self._first)
        other._session, other._over, other._last = self._session.copy(), self._over, self._last
        return other


def _placed(events: Iterable[Event], place: Place, seen: float) -> list[Event]:
    """Events at their own places, or at that of the line; those at one place are numbered."""
    out: list[Event] = []
    numbers: dict[tuple[int, int], int] = {}
    for event in events:
        where = event.place if event.place != NOWHERE else place
        item = numbers.get((where.line, where.length), 0)
        numbers[where.line, where.length] = item + 1
        out.append(msgspec.structs.replace(event, place=msgspec.structs.replace(where, item=item), seen=seen))
    return out

"""Decodes a run that lies in one document: what each state of it adds to the last one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from typing import Protocol, Self

import msgspec

from monitor.agents.fields import count_type, place_of, read_json, unreadable
from monitor.events import Event, Noticed
from monitor.streams.record import Input, Record

_HEAD, _TAIL, _NOTE = 1_000, 2_000, 3_000
"""Items of what no part of the document tells: what stands before them, how it ended, and that it was rewritten."""


class Story(Protocol):
    """One state of a document, part by part; what a part tells depends on no later part."""

    epoch: int
    """How often the document became another before: a part's number then means another part."""

    def marks(self) -> Sequence[str]:
        """A text for each part; the part is another when it is."""

    def given(self) -> int:
        """How many parts stand before the first that the run did itself."""

    def line(self, index: int) -> int:
        """The number a person knows the part by."""

    def head(self) -> Iterable[Event]:
        """What the document says of the run as a whole."""

    def told(self, index: int) -> Iterable[Event]:
        """What a part tells."""

    def tail(self) -> Iterable[Event]:
        """How it ended and what it used, as far as that is said yet."""

    def unknown(self) -> Iterable[str]:
        """What the parts are that are of no known type."""


class Telling(Protocol):
    """Tells states of a document one after another."""

    def feed(self, story: Story, record: Record) -> list[Event]:
        """What is to be told of this state."""

    def copy(self) -> Self:
        """Another that goes on from here."""


class DocumentDecoder:
    """Turns the states of one document into events; total, pure and copyable.

    `read` makes the story of a JSON value, or says why it is none.
    """

    def __init__(self, read: Callable[[object], Story | str], telling: Telling | None = None) -> None:
        self.unknown_types: dict[str, int] = {}
        self._read = read
        self._telling: Telling = telling or Grown()

    def feed(self, record: Record) -> Sequence[Event]:
        """What is new in this state of the document."""
        story = record.problem or self._story(record.data)
        if isinstance(story, str):
            return (unreadable(record, story),)
        self.unknown_types = {}
        for name in story.unknown():
            count_type(self.unknown_types, name)
        return self._telling.feed(story, record)

    def finish(self, inputs: Sequence[Input]) -> Sequence[Event]:
        """Nothing: a call without its result shows by itself."""
        del inputs
        return ()

    def copy(self) -> DocumentDecoder:
        """Another that goes on from here."""
        other = DocumentDecoder(self._read, self._telling.copy())
        other.unknown_types = dict(self.unknown_types)
        return other

    def _story(self, data: bytes) -> Story | str:
        try:
            found = read_json(data)
        except ValueError as error:
            return str(error)
        return self._read(found)


class Grown:
    """What was told of a document so far."""

    def __init__(self) -> None:
        self._known: tuple[bytes, ...] = ()
        """A digest of each part told."""
        self._epoch = 0
        self._head: tuple[Event, ...] = ()
        self._tail: tuple[Event, ...] = ()

    def feed(self, story: Story, record: Record) -> list[Event]:
        """The news in this state of the document."""
        marks = tuple(_digest(mark) for mark in story.marks())
        same = _common(self._known, marks)
        events: list[Event] = []
        before = self._tail if same == len(marks) else ()
        if same < len(self._known):
            self._epoch += 1
            told = "the log was rewritten: it went back to an earlier point"
            if same <= story.given():
                same, before, self._head = 0, (), ()
                told = "the log was rewritten: a run begins in it anew"
            events.append(_placed(Noticed(kind="status", name="rewritten", text=told), record, 0, _NOTE))
        story.epoch = self._epoch
        head = tuple(story.head())
        events += [_placed(one, record, 0, _HEAD + at) for at, one in _news(self._head, head)]
        for index in range(same, len(marks)):
            line = story.line(index)
            events += [_placed(one, record, line, item) for item, one in enumerate(story.told(index))]
        tail = tuple(story.tail())
        last = story.line(len(marks) - 1) if marks else 0
        events += [_placed(one, record, last, _TAIL + at) for at, one in _news(before, tail)]
        self._known, self._head, self._tail = marks, head, tail
        return events

    def copy(self) -> Grown:
        """Another that goes on from here."""
        other = Grown()
        other.__dict__.update(self.__dict__)
        return other


def _news(old: Sequence[Event], new: Sequence[Event]) -> list[tuple[int, Event]]:
    """What was not told before, each with its number."""
    return [(at, one) for at, one in enumerate(new) if one not in old]


def _common(old: Sequence[bytes], new: Sequence[bytes]) -> int:
    """How many parts from the first are what they were."""
    pairs = enumerate(zip(old, new, strict=False))
    return next((at for at, (one, other) in pairs if one != other), min(len(old), len(new)))


def _digest(mark: str) -> bytes:
    return blake2b(mark.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _placed(event: Event, record: Record, line: int, item: int) -> Event:
    place = msgspec.structs.replace(place_of(record, item), line=max(line, 0))
    return msgspec.structs.replace(event, place=place, seen=record.seen)

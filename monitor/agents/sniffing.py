"""Decodes a stream whose agent is not known yet: holds records until a head is recognised."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from monitor.agents.protocol import Decoder, Finder, Found
from monitor.events import Event, Place, Unreadable
from monitor.streams.record import Input, Record

_HEAD = 1 << 16
"""Bytes after which a stream that nobody recognised is given up."""
_RECORDS = 50


class SniffingDecoder:
    """Hands over to the first agent that recognises the stream's head, and tells which run it is."""

    def __init__(self, finders: Sequence[Finder], name: str, recognised: Callable[[Found], None]) -> None:
        self._finders = finders
        self._name = name
        self._recognised = recognised
        self._held: list[Record] = []
        self._decoder: Decoder | None = None
        self._given_up = False

    @property
    def unknown_types(self) -> dict[str, int]:
        """Record types the recognised decoder does not know."""
        return self._decoder.unknown_types if self._decoder else {}

    def feed(self, record: Record) -> Sequence[Event]:
        """Nothing while the agent is not known; then all that was held, in order."""
        if self._decoder is not None:
            return self._decoder.feed(record)
        if self._given_up:
            return (_stranger(record),)
        self._held.append(record)
        head = b"\n".join(held.data for held in self._held)
        for finder in self._finders:
            if finder.sniff(head):
                found = finder.pipe(self._name)
                self._recognised(found)
                self._decoder = found.decoder()
                return [event for held in self._release() for event in self._decoder.feed(held)]
        if len(head) < _HEAD and len(self._held) < _RECORDS:
            return ()
        self._given_up = True
        return [_stranger(held) for held in self._release()]

    def finish(self, inputs: Sequence[Input]) -> Sequence[Event]:
        """What the agent's decoder has to say at the end; all that is still held is unreadable."""
        if self._decoder is not None:
            return self._decoder.finish(inputs)
        return [_stranger(held) for held in self._release()]

    def copy(self) -> SniffingDecoder:
        """Another that goes on from here."""
        other = SniffingDecoder(self._finders, self._name, self._recognised)
        other._held, other._given_up = list(self._held), self._given_up
        other._decoder = self._decoder.copy() if self._decoder else None
        return other

    def _release(self) -> list[Record]:
        held, self._held = self._held, []
        return held


def _stranger(record: Record) -> Unreadable:
    place = Place(record.input.index, record.line, record.offset, record.length)
    return Unreadable(why="not the stream of an agent this version knows", place=place, seen=record.seen)

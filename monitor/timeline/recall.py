"""Decodes records anew from where they stand, and keeps the latest."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock

import msgspec

from monitor.agents.protocol import Decoder
from monitor.events import Event, Place
from monitor.streams.record import Input, Record

_KEPT = 4096
"""Records kept after they were read back."""
_HELD = 64 << 20
"""Bytes of all records kept."""
LARGEST = 8 << 20
"""Bytes of the largest record read back."""

ReadSpan = Callable[[Input, int, int], bytes | None]
"""Gives the bytes of an input from an offset, or none when they can no longer be read."""


class Recall:
    """What the records of a run tell, each for itself; any thread may ask."""

    def __init__(self, read: ReadSpan, decoder: Callable[[], Decoder]) -> None:
        self._read = read
        self._decoder = decoder
        self.inputs: Sequence[Input] = ()
        """The run's inputs, as far as they are found."""
        self._cache: OrderedDict[Place, tuple[Event, ...]] = OrderedDict()
        self._held = 0
        self._lock = Lock()

    def decode(self, place: Place) -> tuple[Event, ...]:
        """All that a record tells; a document is decoded once, whichever of its parts is looked at."""
        known = 0 <= place.input < len(self.inputs)
        document = known and self.inputs[place.input].shape == "document"
        place = msgspec.structs.replace(place, item=0, line=1 if document else place.line)
        with self._lock:
            if place in self._cache:
                self._cache.move_to_end(place)
                return self._cache[place]
        events = self._decoded(place)
        with self._lock:
            self._held += place.length if place not in self._cache else 0
            self._cache[place] = events
            while len(self._cache) > _KEPT or (self._held > _HELD and len(self._cache) > 1):
                self._held -= self._cache.popitem(last=False)[0].length
        return events

    def _decoded(self, place: Place) -> tuple[Event, ...]:
        if not 0 <= place.input < len(self.inputs) or place.length > LARGEST:
            return ()
        source = self.inputs[place.input]
        data = self._read(source, place.offset, place.length)
        if data is None:
            return ()
        decoder = self._decoder()
        events: list[Event] = []
        offset = place.offset
        lines = data.removesuffix(b"\n").split(b"\n") if source.shape == "lines" else [data]
        for number, line in enumerate(lines):
            record = Record(source, place.line + number, offset, len(line) + 1, line.removesuffix(b"\r"))
            events += decoder.feed(record)
            offset += len(line) + 1
        return tuple(events)

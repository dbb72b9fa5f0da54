"""Drains a run's inputs and gives its events in order, with the account of every byte."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from monitor.agents.protocol import Found
from monitor.events import Event, Place, SourceChanged, Unreadable
from monitor.streams.pipe import PipeReader
from monitor.streams.reader import Reader
from monitor.streams.record import Account, Input, Record, Shift
from monitor.understanding import Understanding, counts

_BATCH = 1 << 20
"""Bytes read from one input at a time."""
_MOST = 2_000
"""Events given out at a time."""

DRIFT = -4
"""The number under which it is said that a log is not understood; -1 to -3 are the troubles of monitor's own works."""


@dataclass(slots=True)
class _Feed:
    """One input on its way: its reader, its account, and the events not yet given out."""

    input: Input
    reader: Reader
    account: Account
    queue: deque[tuple[float, Event]] = field(default_factory=deque)
    at: float = float("-inf")
    """The time of its latest event; what has no time of its own, or an earlier one, happened then."""
    dry: bool = False
    """Nothing more is to be had now."""
    delivered: int = 0
    """Bytes of the records delivered."""
    left: int = 0
    """Bytes of a last line that could not be decoded without its end."""
    records: int = 0
    """Lines that hold a record."""
    entries: set[int] = field(default_factory=set)
    """The entries of a document that told something."""
    refused: Place | None = None
    """The latest record that could not be read."""


class Sources:
    """All inputs of one run, merged by the time of their events; each input keeps its own order."""

    def __init__(
        self, found: Found, reader: Callable[[Input], Reader], hear: Callable[[Record], None] = lambda _: None
    ) -> None:
        self._found = found
        self._reader = reader
        self._hear = hear
        self._decoder = found.decoder()
        self._feeds: list[_Feed] = []
        self.inputs: tuple[Input, ...] = ()
        self._strange = False
        """It was said that less than half is understood."""
        self.look_for_inputs()

    def look_for_inputs(self) -> bool:
        """Whether there are inputs not seen before; they are read from now on."""
        inputs = tuple(self._found.inputs())
        for source in inputs[len(self._feeds) :]:
            self._feeds.append(_Feed(source, self._reader(source), Account(source.name)))
        new = len(inputs) > len(self.inputs)
        self.inputs = inputs
        return new

    def take(self) -> list[Event]:
        """The next events in order, none when nothing more is to be had now.

        An event is given out only when no input that still has bytes can hold an earlier one.
        """
        out: list[Event] = []
        while len(out) < _MOST:
            for feed in self._feeds:
                if not feed.queue and not feed.dry:
                    self._read(feed, feed.reader.read(_BATCH))
            waiting = [feed for feed in self._feeds if feed.queue]
            if not waiting:
                break
            first = min(waiting, key=lambda feed: feed.queue[0][0])
            rest = min((feed.queue[0][0] for feed in waiting if feed is not first), default=float("inf"))
            while first.queue and first.queue[0][0] <= rest and len(out) < _MOST:
                out.append(first.queue.popleft()[1])
        for feed in self._feeds:
            feed.dry = False
        return out or self._drifted()

    def finish(self) -> list[Event]:
        """What the last, unfinished lines hold, now that no more will come."""
        for feed in self._feeds:
            for record in feed.reader.finish():
                if isinstance(record, Record) and not self._decodes(record):
                    feed.left += record.length
                else:
                    self._read(feed, (record,))
        out = [
            event
            for _, event in sorted((pair for feed in self._feeds for pair in feed.queue), key=lambda pair: pair[0])
        ]
        for feed in self._feeds:
            feed.queue.clear()
        last = self._decoder.finish(self.inputs)
        for event in last:
            self._judge(event)
        return [*out, *last, *self._drifted()]

    def accounts(self) -> list[Account]:
        """What became of every byte, input by input."""
        for index, feed in enumerate(self._feeds):
            feed.account.bytes = feed.reader.bytes
            feed.account.decoded_bytes = feed.delivered - feed.account.unreadable_bytes
            feed.account.unfinished_bytes = feed.left or feed.reader.unfinished
            feed.account.unknown_types = dict(self._decoder.unknown_types) if index == 0 else {}
        return [feed.account for feed in self._feeds]

    @property
    def progress(self) -> float:
        """The share of the inputs read so far, from 0 to 1; 1 where their size is not known."""
        sizes = [size for feed in self._feeds if (size := _size(feed.input.path)) is not None]
        return min(sum(feed.reader.bytes for feed in self._feeds) / max(sum(sizes), 1), 1.0) if sizes else 1.0

    @property
    def behind(self) -> int:
        """Bytes that have come and are not read yet, as far as is known."""
        return sum(_behind(feed) for feed in self._feeds)

    @property
    def closed(self) -> bool:
        """Whether no more can ever come from any input."""
        return bool(self._feeds) and all(feed.reader.closed for feed in self._feeds)

    @property
    def past(self) -> bool:
        """Whether what happened before is still to come from any input."""
        return any(feed.reader.past for feed in self._feeds)

    def rereadable(self, index: int) -> bool:
        """Whether a record of this input can be read again: a document is rewritten, and what is ours is in none."""
        return 0 <= index < len(self.inputs) and self.inputs[index].shape == "lines"

    def read_at(self, source: Input, offset: int, length: int) -> bytes | None:
        """Bytes of an input read before, or none when they can no longer be had; any thread may ask."""
        return self._feeds[source.index].reader.read_at(offset, length)

    def close(self) -> None:
        """Let go of all files."""
        for feed in self._feeds:
            feed.reader.close()

    def _decodes(self, record: Record) -> bool:
        events = self._decoder.copy().feed(record)
        return not any(isinstance(event, Unreadable) for event in events)

    def understanding(self) -> Understanding:
        """How much was understood of what was read so far."""
        unknown = sum(self._decoder.unknown_types.values())
        unreadable = sum(feed.account.unreadable for feed in self._feeds)
        records = sum(feed.records for feed in self._feeds)
        if all(feed.input.shape == "document" for feed in self._feeds):
            records = sum(len(feed.entries) for feed in self._feeds) + unknown + unreadable
        return Understanding(records, unknown, unreadable)

    def _drifted(self) -> list[Event]:
        """Said once all is read that there is now: less than half of it was understood, or it is more again."""
        found = self.understanding()
        if found.strange == self._strange:
            return []
        self._strange = found.strange
        if not found.strange:
            return [SourceChanged(what="back", input=DRIFT)]
        return [SourceChanged(what="lagging", input=DRIFT, text=found.words)]

    def _read(self, feed: _Feed, records: Sequence[Record | Shift]) -> None:
        feed.dry = not records
        for record in records:
            if isinstance(record, Shift) and feed.input.passing:
                continue
            if isinstance(record, Shift):
                self._queue(
                    feed, SourceChanged(what=record.what, input=feed.input.index, text=record.text), record.seen
                )
                continue
            self._hear(record)
            feed.account.records += 1
            feed.records += counts(record.data) or bool(record.problem)
            feed.delivered += record.length
            place = Place(feed.input.index, record.line, record.offset, record.length)
            for event in self._decode(record, place):
                placed = event
                if feed.input.role == "journal" or event.place.input < 0:
                    placed = msgspec.structs.replace(event, place=place)
                if feed.input.shape == "document":
                    feed.entries.add(placed.place.line)
                self._judge(placed)
                self._queue(feed, placed, record.seen)

    def _judge(self, event: Event) -> None:
        """Count a record that could not be read, once."""
        if not isinstance(event, Unreadable) or not 0 <= event.place.input < len(self._feeds):
            return
        feed = self._feeds[event.place.input]
        if event.place != feed.refused:
            feed.refused = event.place
            feed.account.unreadable += 1
            feed.account.unreadable_bytes += event.place.length

    def _decode(self, record: Record, place: Place) -> Sequence[Event]:
        if record.problem:
            return (Unreadable(why=record.problem, place=place),)
        return self._decoder.feed(record) if record.data else ()

    def _queue(self, feed: _Feed, event: Event, seen: float) -> None:
        if event.at is not None and not event.copied:
            feed.at = max(feed.at, event.at)
        feed.queue.append((feed.at, event if event.seen else msgspec.structs.replace(event, seen=seen)))


def _behind(feed: _Feed) -> int:
    if isinstance(feed.reader, PipeReader):
        return feed.reader.behind
    size = _size(feed.input.path) if feed.input.shape == "lines" else None
    return 0 if size is None else max(size - feed.reader.bytes, 0)


def _size(path: Path | None) -> int | None:
    """Bytes of a file; none where there is none, or it is not to be seen."""
    try:
        return None if path is None else path.stat().st_size
    except OSError:
        return None

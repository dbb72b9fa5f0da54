"""Decodes pi's session files and the events it streams, a record a line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from monitor.agents.fields import Object, count_type, moment, part, raw, read_object, stamped, text, unreadable
from monitor.agents.pi import started
from monitor.agents.pi.messages import Item, Talk, time_of
from monitor.agents.pi.stream import SILENT, TYPES, Stream
from monitor.events import Event, Noticed, RunStarted
from monitor.streams.record import Input, Record

ENTRIES = frozenset((
    "session", "message", "model_change", "thinking_level_change", "compaction", "branch_summary", "context_edit", "custom",
    "custom_message", "label", "session_info",
))  # fmt: skip
"""The entries of a session's file."""
_STARTED, _BRANCHED = 950, 951


class PiDecoder:
    """Turns the records of one session into events; total, pure and copyable.

    The file is a tree: an entry names the one it follows. It is told in the order it was written, which is the order
    things were done in, also on a branch that was left: what was written to files there is still written.
    """

    def __init__(self) -> None:
        self.unknown_types: dict[str, int] = {}
        self._talk = Talk()
        self._stream = Stream(self._talk)
        self._shape = ""
        """Whether it is a session's file or a stream, once that shows."""
        self._born: float | None = None
        """When this session was split off an older one; entries before that are the older one's."""
        self._last = ""
        """The entry before, in a session whose entries have ids."""

    def feed(self, record: Record) -> Sequence[Event]:
        """The events of one line."""
        found = record.problem or read_object(record.data)
        if isinstance(found, str):
            return (unreadable(record, found),)
        found = unwrapped(found)
        kind = raw(found, "type")
        if not kind:
            return () if is_aside(found) else (unreadable(record, "a record without its kind"),)
        if kind in ENTRIES:
            return self._entry(kind, found, record)
        if kind not in TYPES:
            if kind not in SILENT:
                count_type(self.unknown_types, kind)
            return stamped(list(self._began("stream")), record, None) if kind == "agent_start" else ()
        items = [*self._began("stream"), *self._stream.feed(kind, found, record.line)]
        return stamped(items, record, time_of(part(found, "message")))

    def finish(self, inputs: Sequence[Input]) -> Sequence[Event]:
        """Nothing: a call without its result shows by itself."""
        del inputs
        return ()

    def copy(self) -> PiDecoder:
        """Another that goes on from here."""
        other = PiDecoder()
        other.__dict__.update(self.__dict__)
        other.unknown_types = dict(self.unknown_types)
        other._talk = self._talk.copy()
        other._stream = self._stream.copy(other._talk)
        return other

    def _began(self, shape: str) -> Iterable[Item]:
        """What kind of source this is, told once."""
        if not self._shape:
            self._shape = shape
            yield _STARTED, started.streamed() if shape == "stream" else started.filed()

    def _entry(self, kind: str, found: Object, record: Record) -> Sequence[Event]:
        at = moment(found.get("timestamp"))
        if kind == "session":
            older = raw(found, "parentSession") or raw(found, "branchedFrom")
            self._born = at if older else None
            return stamped([(0, started.opened(found))], record, at)
        items = [*self._began("session"), *self._branched(found), *self._told(kind, found, record.line)]
        events = stamped(items, record, at)
        if at is None or self._born is None or at >= self._born:
            return events
        return [one if isinstance(one, RunStarted) else msgspec.structs.replace(one, copied=True) for one in events]

    def _told(self, kind: str, found: Object, line: int) -> Iterable[Item]:
        match kind:
            case "message":
                yield from self._talk.told(part(found, "message"), f"m{line}", stream=False)
            case "model_change":
                yield 0, RunStarted(model=text(found, "modelId"))
            case "compaction":
                yield 0, Noticed(kind="compaction", name=kind, text=text(found, "summary"))
            case "branch_summary":
                yield 0, Noticed(kind="status", name=kind, text=text(found, "summary"))
            case "custom_message":
                yield from self._talk.told({**found, "role": "custom"}, f"m{line}", stream=False)
            case _:
                pass

    def _branched(self, found: Object) -> Iterable[Item]:
        """The entry follows another than the last one: the conversation went back."""
        before, self._last = self._last, raw(found, "id") or self._last
        follows = found.get("parentId")
        if before and isinstance(follows, str) and follows != before:
            self._talk.working = False
            yield (
                _BRANCHED,
                Noticed(kind="status", name="branch", text="the conversation went back to an earlier point"),
            )


def unwrapped(found: Object) -> Object:
    """The record itself, where whoever kept the log put it into one of his own."""
    for key in ("line", "e"):
        if "type" not in found and isinstance(found.get(key), dict):
            return part(found, key)
    return found


def is_aside(found: Object) -> bool:
    """Whether a record is what an extension says of itself between the events."""
    return "ev" in found or ("file" in found and "pid" in found)

"""Decodes lcode's records: the lines of its stream, a saved session, or the result of a whole run."""

from __future__ import annotations

from collections.abc import Sequence

from monitor.agents.fields import count_type, read_object, unreadable
from monitor.agents.lcode import whole
from monitor.agents.lcode.session import Session
from monitor.agents.lcode.started import About, is_session
from monitor.agents.lcode.stream import TYPES, Stream
from monitor.events import Event
from monitor.streams.record import Input, Record

SESSION, RESULT, STREAM = "session", "result", "stream"
"""The roles of the inputs; an input of any other role is read as a stream."""


class LcodeDecoder:
    """Turns the records of one run into events; total, pure and copyable."""

    def __init__(self, about: About | None = None) -> None:
        self.unknown_types: dict[str, int] = {}
        self._about = about or About()
        self._stream = Stream()
        self._session = Session(self._about, self.unknown_types)

    def feed(self, record: Record) -> Sequence[Event]:
        """The events of one record; of a document only what is new in it."""
        found = record.problem or read_object(record.data)
        if isinstance(found, str):
            return (unreadable(record, found),)
        if record.input.role == SESSION:
            return self._session.feed(found, record) if is_session(found) else (unreadable(record, "no saved session"),)
        kind = found.get("type")
        if not isinstance(kind, str):
            return (unreadable(record, "a record without its kind"),)
        if record.input.role == RESULT:
            return whole.decoded(found, record) if kind == "result" else (unreadable(record, "no result"),)
        if kind not in TYPES:
            count_type(self.unknown_types, kind)
            return ()
        return self._stream.feed(kind, found, record)

    def finish(self, inputs: Sequence[Input]) -> Sequence[Event]:
        """Nothing: a call without its result shows by itself."""
        del inputs
        return ()

    def copy(self) -> LcodeDecoder:
        """Another that goes on from here."""
        other = LcodeDecoder(self._about)
        other.unknown_types.update(self.unknown_types)
        other._stream = self._stream.copy()
        other._session = self._session.copy(other.unknown_types)
        return other

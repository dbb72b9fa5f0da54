"""Decodes events in our own format: a foreign agent's, which may say only what an agent can know, and our journal's."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeVar, get_args

import msgspec

from monitor.agents.fields import Object, count_type, moment, place_of, read_object, unreadable
from monitor.events import DETECTORS, OURS, Event, RequestEnded, RunStarted, Said, SourceChanged, Unreadable
from monitor.streams.record import Input, Record
from monitor.text import clean, shorten

TYPES: Mapping[str, type[Event]] = {kind.__name__: kind for kind in get_args(Event)}
"""By the name that stands in `event`."""
MONITORS_OWN: tuple[type[Event], ...] = (*OURS, SourceChanged, Unreadable)
"""What only the monitor may say: what it measured, did, and could or could not read."""
_GIVEN = frozenset({"seq", "seen", "request", "turn", "place"})
"""What the monitor gives to an event; a foreigner's word for it is ignored."""
_LARGEST = 1 << 63
_Known = TypeVar("_Known", bound=Event)


class NativeDecoder:
    """Reads a foreign agent's stream: one event a line, each checked, every text cleaned."""

    def __init__(self) -> None:
        self.unknown_types: dict[str, int] = {}
        self._synthetic = ""
        """Whose words the root's latest are, where they are not the model's."""

    def feed(self, record: Record) -> Sequence[Event]:
        """The event of one line."""
        found = record.problem or read_object(record.data)
        if isinstance(found, str):
            return (unreadable(record, found),)
        name = found.get("event")
        if not isinstance(name, str):
            return (unreadable(record, "event: not the name of one"),)
        kind = TYPES.get(name)
        if kind is None:
            count_type(self.unknown_types, name)
            return ()
        if kind in MONITORS_OWN:
            return (unreadable(record, f"{name}: only the monitor may say this; an agent cannot forge a measurement"),)
        try:
            event = _converted(_foreign(found, kind), kind)
        except ValueError as error:
            return (unreadable(record, f"{name}: {error}"),)
        return (msgspec.structs.replace(self._ending(event), seen=record.seen, place=place_of(record)),)

    def finish(self, inputs: Sequence[Input]) -> Sequence[Event]:
        """Nothing: the stream has said what it had to say."""
        del inputs
        return ()

    def copy(self) -> NativeDecoder:
        """Another that goes on from here."""
        other = NativeDecoder()
        other.unknown_types, other._synthetic = dict(self.unknown_types), self._synthetic
        return other

    def _ending(self, event: Event) -> Event:
        """The event; an API error, a limit, a login notice or a filler is never an answer."""
        if isinstance(event, Said) and not event.actor:
            self._synthetic = event.synthetic
        if isinstance(event, RequestEnded) and event.how == "answered" and self._synthetic and not event.actor:
            return msgspec.structs.replace(event, how="limit" if self._synthetic == "limit" else "error")
        return event


class JournalDecoder:
    """Reads the monitor's own journal, with all it measured and did.

    An event's place is then where its text can be read again: its line in the journal. With `places` of the
    source it is the one it was journaled with.
    """

    def __init__(self, *, places: Literal["journal", "source"] = "journal") -> None:
        self.unknown_types: dict[str, int] = {}
        self._places = places

    def feed(self, record: Record) -> Sequence[Event]:
        """The event of one line; none for the header."""
        found = record.problem or read_object(record.data)
        if isinstance(found, str):
            return (unreadable(record, found),)
        name = found.get("event")
        if not isinstance(name, str):
            return () if "journal" in found else (unreadable(record, "event: not the name of one"),)
        kind = TYPES.get(name)
        if kind is None:
            count_type(self.unknown_types, name)
            return ()
        try:
            event = _converted(found, kind)
        except ValueError as error:
            return (unreadable(record, f"{name}: {error}"),)
        return (event if self._places == "source" else msgspec.structs.replace(event, place=place_of(record)),)

    def finish(self, inputs: Sequence[Input]) -> Sequence[Event]:
        """Nothing: what the end had to say was journaled."""
        del inputs
        return ()

    def copy(self) -> JournalDecoder:
        """Another that goes on from here."""
        other = JournalDecoder(places=self._places)
        other.unknown_types = dict(self.unknown_types)
        return other


def _foreign(found: Object, kind: type[Event]) -> Object:
    """What a foreigner may say of an event; raises `ValueError` for a time that is none."""
    fields = {key: value for key, value in found.items() if key not in _GIVEN}
    if fields.get("at") is not None:
        fields["at"] = moment(fields["at"])
        if fields["at"] is None:
            raise ValueError("at: neither seconds since the epoch nor an ISO 8601 time")
    if kind is RunStarted and isinstance(fields.get("coverage"), dict):
        fields["coverage"] = {name: told for name, told in fields["coverage"].items() if name in DETECTORS}
    return fields


def _converted(found: Object, kind: type[_Known]) -> _Known:
    """The event, its texts cleaned; raises `ValueError` that names the field which does not fit."""
    known = kind.__struct_encode_fields__
    try:
        fields = {key: _cleaned(value, key) for key, value in found.items() if key in known}
        return msgspec.convert(fields, kind)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except msgspec.ValidationError as error:
        raise ValueError(_named(str(error))) from None


def _cleaned(value: Any, name: str) -> Any:
    """The value with every text in it cleaned and every number fit to be written down again."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_cleaned(one, name) for one in value]
    if isinstance(value, dict):
        return {clean(key): _cleaned(one, name) for key, one in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{name}: not a finite number")
    if isinstance(value, int) and not -_LARGEST <= value < _LARGEST:
        raise ValueError(f"{name}: a number beyond 64 bits")
    return value


def _named(why: str) -> str:
    """The reason that msgspec gives, with the field before it."""
    reason, _, path = why.partition(" - at `$")
    field = path.rstrip("`").lstrip(".")
    return shorten(f"{field}: {reason}" if field else reason, 200)

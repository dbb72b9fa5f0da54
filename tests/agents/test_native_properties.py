"""What holds of our own format for any event and for anything at all."""

from __future__ import annotations

import json
import typing

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.agents.native.decode import MONITORS_OWN, TYPES, JournalDecoder, NativeDecoder
from monitor.events import (
    Place,
    Tick,
    Unreadable,
)
from monitor.streams.record import Input, Record
from monitor.text import clean

STREAM = Input(3, "agent.jsonl", "events")


def record(found: object, line: int = 5) -> Record:
    data = found if isinstance(found, bytes) else json.dumps(found).encode()
    return Record(STREAM, line, 40, len(data) + 1, data, seen=9.0)


def _texts() -> st.SearchStrategy[str]:
    """Texts as they stand in events: clean."""
    return st.text(
        st.characters(codec="utf-8", exclude_categories=("C", "Z")) | st.sampled_from(" \n\t"), max_size=12
    ).map(clean)


def _value(kind: object) -> st.SearchStrategy:
    """Any value of a field's type."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if kind is str:
        return _texts()
    if kind is float:
        return st.floats(-6e10, 2.5e11, allow_nan=False)
    if kind is int:
        return st.integers(-1, 2**40)
    if kind in (bool, type(None)):
        return st.from_type(kind)
    if origin is tuple:
        return st.lists(_value(arguments[0]), max_size=2).map(tuple)
    if origin is dict:
        return st.dictionaries(st.sampled_from(["thinking", "sites"]), _value(arguments[1]), max_size=2)
    if origin is typing.Literal:
        return st.sampled_from(arguments)
    if arguments:
        return st.one_of(*map(_value, arguments))
    return _struct(kind)


def _struct(kind: typing.Any) -> st.SearchStrategy:
    hints = typing.get_type_hints(kind)
    return st.builds(kind, **{field.name: _value(hints[field.name]) for field in msgspec.structs.fields(kind)})


any_event = st.one_of(*(_struct(kind) for kind in TYPES.values() if kind is not Tick))


@settings(deadline=None, max_examples=150)
@given(any_event)
def test_every_event_survives_being_written_and_read(event):
    """What is journaled is read back equal; its place is its line in the journal, or the one it came from."""
    line = record(msgspec.json.encode(event))
    (exact,) = JournalDecoder(places="source").feed(line)
    assert exact == event
    (placed,) = JournalDecoder().feed(line)
    assert placed == msgspec.structs.replace(event, place=Place(3, 5, 40, line.length))


@settings(deadline=None, max_examples=150)
@given(any_event)
def test_a_foreigner_may_say_all_but_what_is_the_monitors(event):
    """Every event of ours can be told by an agent, except what only the monitor knows."""
    (told,) = NativeDecoder().feed(record(msgspec.json.encode(event)))
    if isinstance(event, MONITORS_OWN):
        assert isinstance(told, Unreadable)
    else:
        given_by_us = {"seq": -1, "request": 0, "turn": 0, "seen": 9.0, "place": told.place}
        assert told == msgspec.structs.replace(event, **given_by_us)


@settings(deadline=None, max_examples=150)
@given(st.binary(max_size=80) | st.builds(lambda kind, fields: json.dumps({"event": kind, **fields}).encode(),
       st.sampled_from([*TYPES, "x"]), st.dictionaries(st.sampled_from(["text", "at", "call", "files", "coverage", "seq",
       "place", "tokens"]), st.none() | st.integers() | st.floats() | st.text() | st.lists(st.text() | st.integers(),
       max_size=3), max_size=4)))  # fmt: skip
def test_garbage_never_throws(data):
    """Any bytes give one event, or none, from both decoders."""
    for decoder in (NativeDecoder(), JournalDecoder(), JournalDecoder(places="source")):
        assert len(decoder.feed(record(data))) <= 1
        assert list(decoder.copy().finish(())) == []

"""A stream whose agent shows only from what it says."""

from __future__ import annotations

import logs

from monitor.agents.sniffing import SniffingDecoder
from monitor.events import Unreadable
from monitor.streams.record import Input, Record
from monitor.targets import FINDERS

PIPE = Input(0, "the pipe", "stream")


def records(data):
    """The records of a log of lines."""
    offset, made = 0, []
    for number, line in enumerate(data.split(b"\n")[:-1], 1):
        made.append(Record(PIPE, number, offset, len(line) + 1, line))
        offset += len(line) + 1
    return made


def sniffing(known):
    """A decoder, and the runs it recognises."""
    return SniffingDecoder(FINDERS, "the pipe", known.append)


def test_the_first_line_may_tell():
    """Once the agent is recognised, everything held comes out in order, and the run is told."""
    known = []
    decoder = sniffing(known)
    events = [event for record in records(logs.lines(*logs.FALSE_DONE)) for event in decoder.feed(record)]
    assert [type(event).__name__ for event in events[:3]] == ["RunStarted", "Prompted", "ToolCalled"]
    assert [found.agent for found in known] == ["native"]


def test_a_stranger_is_unreadable():
    """A stream that nobody recognises is unreadable record by record, and given up after fifty lines."""
    decoder = sniffing([])
    lines = records(b"hello\n" * 60)
    events = [event for record in lines for event in decoder.feed(record)]
    assert len(events) == 60
    assert all(isinstance(event, Unreadable) for event in events)
    assert [event.place.line for event in events] == list(range(1, 61))


def test_what_is_still_held_at_the_end():
    """A short stream that nobody recognised is told as unreadable at its end."""
    decoder = sniffing([])
    assert not [event for record in records(b"hello\nworld\n") for event in decoder.feed(record)]
    assert len(decoder.finish([PIPE])) == 2


def test_a_copy_goes_on_alone():
    """A copy taken while records are held recognises the agent by itself."""
    whole = records(logs.lines(*logs.FALSE_DONE))
    decoder = sniffing([])
    other = decoder.copy()
    assert [event for record in whole for event in other.feed(record)] == [
        event for record in whole for event in decoder.feed(record)
    ]

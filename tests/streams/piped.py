"""What comes through a pipe."""

from __future__ import annotations

from waiting import until

from monitor.streams.record import Input, Record

SOURCE = Input(0, "the pipe", "stream")


def told(found):
    return [one.data if isinstance(one, Record) else (one.what, one.text) for one in found]


def collect(reader, enough):
    found = []

    def more():
        found.extend(reader.read())
        return enough(found)

    until(more)
    return found

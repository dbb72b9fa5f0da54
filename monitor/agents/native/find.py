"""Finds runs told in our own event format, and the monitor's journals."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from glob import escape
from pathlib import Path

from monitor.agents.fields import read_object
from monitor.agents.native.decode import TYPES, JournalDecoder, NativeDecoder
from monitor.agents.protocol import Found
from monitor.config import state_folder
from monitor.errors import MonitorError
from monitor.events.watched import WRITER_GONE, WRITER_UNKNOWN
from monitor.journal import Header, read_header
from monitor.processes.identity import identify
from monitor.streams.files import read_lines
from monitor.streams.record import Input

_HEAD = 1 << 16
_BEGIN = re.compile(rb'\s*\{\s*"event"\s*:\s*"(\w+)"')
"""How a line begins that is longer than the head."""


class EventStream:
    """A stream or file of events from a foreign agent."""

    agent = "native"

    def __init__(self, name: str, path: Path | None) -> None:
        self.title = name
        self._input = Input(0, name, "events", path)

    def inputs(self) -> Sequence[Input]:
        """The one."""
        return (self._input,)

    def decoder(self) -> NativeDecoder:
        """One that lets no measurement through."""
        return NativeDecoder()

    def project(self) -> Path | None:
        """Nothing tells: the stream's word is not enough."""
        return None

    def alive(self) -> bool | None:
        """Nothing tells."""
        return None


class JournalFile:
    """A journal of the monitor's."""

    agent = "native"

    def __init__(self, path: Path, header: Header) -> None:
        self.header = header
        self.title = header.run or path.name
        self._input = Input(0, path.name, "journal", path)

    def inputs(self) -> Sequence[Input]:
        """The journal; it holds what its own inputs gave."""
        return (self._input,)

    def decoder(self) -> JournalDecoder:
        """One that takes every event as it was journaled."""
        return JournalDecoder()

    def project(self) -> Path | None:
        """None: what was measured stands in the journal."""
        return None

    def alive(self) -> bool | None:
        """Nothing tells of the agent; once the monitor that wrote the journal is gone, nothing more will come."""
        return False if self.left() else None

    def left(self) -> str:
        """Why nothing more will be written there; empty while its monitor lives."""
        if not self.header.pid:
            return WRITER_UNKNOWN
        return "" if written_now(self.header) else WRITER_GONE


class NativeFinder:
    """Recognises our own event format by the names of its events.

    A journal is taken for one only as a file that a person names: from a pipe, an agent could write one.
    """

    def open(self, path: Path) -> Found | None:
        """The run in a file."""
        if not path.is_file():
            return None
        try:
            head = read_lines(path, _HEAD)
        except OSError:
            return None
        if (header := read_header(head)) is not None:
            return JournalFile(path, header)
        return EventStream(path.name, path) if self.sniff(head) else None

    def sniff(self, head: bytes) -> bool:
        """Whether the first line names an event of ours."""
        line = next((line for line in head.splitlines() if line.strip()), b"")
        found = read_object(line)
        if isinstance(found, dict):
            name = found.get("event")
            return isinstance(name, str) and name in TYPES
        begins = _BEGIN.match(line)
        return begins is not None and begins[1].decode() in TYPES

    def pipe(self, name: str) -> Found:
        """A stream that is piped in."""
        return EventStream(name, None)

    def named(self, session: str) -> Iterable[Found]:
        """The journal of this name, or all that begin so: of runs that have no name of their own."""
        try:
            folder = state_folder("journals")
        except MonitorError:
            return
        begin = sorted(folder.glob(f"{escape(session)}*.jsonl"))
        for path in [one for one in begin if one.stem == session] or begin:
            found = self.open(path)
            if isinstance(found, JournalFile) and found.header.nameless:
                yield found


def written_now(header: Header) -> bool:
    """Whether the very monitor that began a journal still runs."""
    return header.pid > 0 and identify(header.pid, header.started) is not None


FINDER = NativeFinder()

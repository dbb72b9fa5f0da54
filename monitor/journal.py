"""Writes the monitor's own record of a run: every event in the order it was folded in, a line each."""

from __future__ import annotations

import errno
import os
import re
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

import msgspec

from monitor import __version__
from monitor.config import make_private
from monitor.events import Event, SourceChanged, Tick
from monitor.text import clean, plural

MARK = "monitor"
FORMAT = 1
_BACKLOG = 1 << 20
"""Bytes kept while the disk is full."""
_NAMES = 100
_MOST = 1 << 30
_DAY = 86_400
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The first line: what the journal is a record of."""

    journal: str = MARK
    format: int = FORMAT
    version: str = __version__
    """The monitor's."""
    run: str = ""
    agent: str = ""
    inputs: tuple[str, ...] = ()
    """Their names by index, as the events' places count them."""
    began: float = 0.0
    """Seconds since the epoch."""
    pid: int = 0
    """The monitor that writes it; 0 where that is not known."""
    started: float = 0.0
    """When that process began, seconds since the epoch."""

    @property
    def nameless(self) -> bool:
        """Whether the run has no name but that of its pipe or file, which other runs may have too."""
        return not self.run or self.run in self.inputs


class Journal:
    """One file, written through at each event; a full disk never stops the run, but is told as a `problem`.

    What cannot be written waits; beyond 1 MiB whole events are lost, and a `SourceChanged` stands in their gap.
    """

    def __init__(self, path: Path, fd: int | None, problem: str = "") -> None:
        self.path = path
        self.problem = problem
        """Why the record is not complete; empty while it is, and again once all that waited is written."""
        self._holed = bool(problem)
        """Events are lost for good."""
        self._fd = fd
        self._backlog = bytearray()
        self._lost = 0

    @classmethod
    def open(cls, folder: Path, header: Header, clock: Callable[[], float] = time.time) -> Self:
        """Begin a journal in a folder, which is made where it is missing; never raises."""
        began = header.began or clock()
        path = folder / _file_name(header, began)
        try:
            make_private(folder)
            path, fd = _create(path)
        except OSError as error:
            return cls(path, None, f"the journal could not be begun: {error.strerror or error}")
        journal = cls(path, fd)
        journal._write(msgspec.json.encode(msgspec.structs.replace(header, began=began)) + b"\n")
        return journal

    def append(self, event: Event) -> None:
        """Write one event; never raises."""
        if self._fd is None or isinstance(event, Tick):
            return
        try:
            line = msgspec.json.encode(event) + b"\n"
        except (TypeError, ValueError, OverflowError, RecursionError):
            self.problem = "an event could not be written down"
            self._lose()
            return
        self._write(line)

    def close(self) -> None:
        """Write what still waits, as far as that is possible, and let go of the file."""
        if self._fd is None:
            return
        self._write(b"")
        fd, self._fd = self._fd, None
        try:
            os.close(fd)
        except OSError as error:
            self._failed(error)

    def _write(self, line: bytes) -> None:
        self._drain()
        if self._lost and not self._backlog:
            text = f"the journal lost {plural(self._lost, 'event')}: {self.problem}"
            self._backlog += msgspec.json.encode(SourceChanged(what="gap", text=text)) + b"\n"
            self._lost = 0
        if len(self._backlog) + len(line) > max(_BACKLOG, len(line)):
            self._lose()
            return
        self._backlog += line
        self._drain()

    def _lose(self) -> None:
        self._lost += 1
        self._holed = True

    def _drain(self) -> None:
        assert self._fd is not None
        try:
            while self._backlog:
                del self._backlog[: os.write(self._fd, self._backlog)]
        except OSError as error:
            self._failed(error)
        else:
            self.problem = self.problem if self._holed else ""

    def _failed(self, error: OSError) -> None:
        self.problem = f"the journal could not be written: {error.strerror or error}"


def prune(folder: Path, most: int = _MOST, now: float | None = None) -> None:
    """Remove the oldest journals beyond so many bytes; one written to within the last day stays."""
    now = time.time() if now is None else now
    with suppress(OSError):
        found = sorted(((path.stat(), path) for path in folder.glob("*.jsonl")), key=lambda pair: -pair[0].st_mtime)
        total = 0
        for there, path in found:
            total += there.st_size
            if total > most and now - there.st_mtime > _DAY:
                path.unlink()


def read_header(head: bytes) -> Header | None:
    """The header with which these bytes begin, its texts cleaned; none when this is no journal of this format."""
    try:
        found = msgspec.json.decode(head.partition(b"\n")[0])
        if not isinstance(found, dict) or (found.get("journal"), found.get("format")) != (MARK, FORMAT):
            return None
        header = msgspec.convert(found, Header)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
    return Header(
        version=clean(header.version),
        run=clean(header.run),
        agent=clean(header.agent),
        inputs=tuple(clean(name) for name in header.inputs),
        began=header.began,
        pid=header.pid,
        started=header.started,
    )


def _file_name(header: Header, began: float) -> str:
    try:
        when = datetime.fromtimestamp(began, UTC)
    except (ValueError, OverflowError, OSError):
        when = datetime.fromtimestamp(0, UTC)
    words = re.sub(r"[^A-Za-z0-9]+", "-", f"{header.agent} {header.run}").strip("-")[:60]
    return f"{when:%Y%m%d-%H%M%S}-{words or 'run'}.jsonl"


def _create(path: Path) -> tuple[Path, int]:
    """A file that did not exist, under this name or one like it."""
    for number in range(1, _NAMES):
        tried = path if number == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")
        try:
            return tried, os.open(tried, _FLAGS, 0o600)
        except FileExistsError:
            continue
    raise FileExistsError(errno.EEXIST, "too many journals of this second")

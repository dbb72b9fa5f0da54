"""A session in OpenCode's database, followed by what is written to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from monitor.agents.opencode.database import Entry, entries, holds_sessions, opened
from monitor.agents.opencode.decode import OpenCodeDecoder
from monitor.agents.opencode.process import Worker
from monitor.agents.opencode.rows import SessionRows
from monitor.agents.protocol import Process
from monitor.config import state_folder
from monitor.streams.polled import PolledReader
from monitor.streams.reader import Reader
from monitor.streams.record import Input
from monitor.text import clean

_ALIKE = 20
"""Sessions that are named when several begin alike."""


class Stored:
    """One session, with those of its sub-agents."""

    agent = "opencode"

    def __init__(self, database: Path, entry: Entry, *, ends: bool = False) -> None:
        self._ends = ends
        self.session = entry.id
        self.title = clean(entry.id)
        self.folder = entry.directory
        self._database = database
        self._input = Input(0, f"{database.name} {self.title}", "session", opens=self._opened)
        self._entry = entry
        self._worker = Worker(entry.directory, self._last)

    def inputs(self) -> Sequence[Input]:
        """The database."""
        return (self._input,)

    def decoder(self) -> OpenCodeDecoder:
        """A fresh one."""
        return OpenCodeDecoder(self.session, ends=self._ends)

    def process(self) -> Process | None:
        """The process of OpenCode in the session's folder, where there is just one."""
        return self._worker.process()

    def project(self) -> Path | None:
        """The session's folder, while a process of OpenCode works in it."""
        return Path(self.folder) if self.process() is not None else None

    def alive(self) -> bool | None:
        """Whether such a process is there; none where one elsewhere may work on the session."""
        return self._worker.alive()

    def _last(self) -> float | None:
        """When it was last written to."""
        found = _found(self._database, " where id = ?", (self.session,))
        return found[0].updated if found else self._entry.updated

    def _opened(self, source: Input, wake: Callable[[], None]) -> Reader:
        return PolledReader(SessionRows(self._database, self.session), source, state_folder("spool"), wake)


def newest(database: Path) -> Stored | None:
    """The session of a database that was written to last; none where it is not OpenCode's."""
    found = _found(database, " where parent_id is null", ()) or _found(database, "", ())
    return Stored(database, found[0]) if found else None


def named(database: Path, session: str, *, ends: bool = False) -> list[Stored]:
    """The sessions whose ids begin like this; of those that sub-agents work in only the one that is named whole."""
    exact = _found(database, " where id = ?", (session,))
    alike = exact or _found(database, " where substr(id, 1, ?) = ? and parent_id is null", (str(len(session)), session))
    return [Stored(database, one, ends=ends) for one in alike[:_ALIKE]]


def _found(database: Path, where: str, values: Sequence[str]) -> list[Entry]:
    try:
        with opened(database) as found:
            return entries(found, where, values) if holds_sessions(found) else []
    except OSError:
        return []

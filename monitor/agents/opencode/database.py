"""OpenCode's database, read and never written: not even the files that SQLite keeps beside it change.

Only the tables of sessions, messages, parts and events are read; which columns they have is asked first, since they are
OpenCode's own affair and change with its versions.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

_LARGEST_COPY = 512 << 20
"""Bytes of a database that is copied where it cannot be read in its place without a trace."""
_SESSION = ("id", "parent_id", "directory", "title", "version", "time_created", "time_updated")
_PATIENCE = 1.0
"""Seconds a lock is waited for."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One session; times in seconds since the epoch."""

    id: str
    parent: str
    directory: str
    title: str
    version: str
    created: float | None
    updated: float | None


def folder() -> Path:
    """Where OpenCode of this user keeps its data."""
    named = os.environ.get("XDG_DATA_HOME")
    return (Path(named) if named else Path.home() / ".local" / "share") / "opencode"


def database() -> Path:
    """The database of this user."""
    return folder() / "opencode.db"


def stamp(path: Path) -> object:
    """Another value whenever the database was written to."""
    return tuple(_stamp(Path(f"{path}{end}")) for end in ("", "-wal"))


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that leaves no trace. Raises `OSError` where there is no database to be read."""
    with _connected(path) as found:
        found.text_factory = lambda data: data.decode("utf-8", "replace")
        try:
            yield found
        except sqlite3.Error as error:
            raise OSError(0, f"the database cannot be read: {error}") from error


def columns(found: sqlite3.Connection, table: str) -> frozenset[str]:
    """The columns of a table; none where it does not exist."""
    return frozenset(str(row[1]) for row in found.execute(f"pragma table_info({table})"))


def holds_sessions(found: sqlite3.Connection) -> bool:
    """Whether this is OpenCode's: sessions with their messages, or with their events."""
    sessions, messages, events = (columns(found, name) for name in ("session", "message", "event"))
    kept = {"id", "session_id", "data"} <= messages or {"id", "aggregate_id", "seq", "type", "data"} <= events
    return "id" in sessions and kept


def entries(found: sqlite3.Connection, where: str = "", values: Sequence[str] = ()) -> list[Entry]:
    """The sessions, the latest first."""
    have = columns(found, "session")
    named = ", ".join(name if name in have else f"null as {name}" for name in _SESSION)
    order = " order by time_updated desc" if "time_updated" in have else ""
    rows = found.execute(f"select {named} from session{where}{order}", values)  # noqa: S608 - names of columns alone
    return [_entry(row) for row in rows]


def _entry(row: Sequence[object]) -> Entry:
    texts = [value if isinstance(value, str) else "" for value in row[:5]]
    times = [value / 1000 if isinstance(value, int | float) else None for value in row[5:7]]
    return Entry(texts[0], texts[1], texts[2], texts[3], texts[4], times[0], times[1])


@contextmanager
def _connected(path: Path) -> Iterator[sqlite3.Connection]:
    """In its place where that leaves no trace: unwritten alone, else by what SQLite keeps in shared memory."""
    log = _size(Path(f"{path}-wal"))
    os.stat(path)  # noqa: PTH116 - raises what tells that it is not there
    how = "mode=ro&readonly_shm=1" if log else "immutable=1"
    found = _try(path, how)
    if found is None:
        with _copied(path) as copy:
            yield copy
        return
    try:
        yield found
    finally:
        found.close()


def _try(path: Path, how: str) -> sqlite3.Connection | None:
    if how.startswith("mode") and not Path(f"{path}-shm").exists():
        return None
    found = None
    try:
        found = sqlite3.connect(f"file:{quote(str(path))}?{how}", uri=True, timeout=_PATIENCE, check_same_thread=False)
        found.execute("select count(*) from sqlite_master").fetchone()
    except sqlite3.Error:
        if found is not None:
            found.close()
        return None
    return found


@contextmanager
def _copied(path: Path) -> Iterator[sqlite3.Connection]:
    """A private copy: what was written last stands in a log that SQLite would have to write to."""
    ends = [end for end in ("", "-wal") if Path(f"{path}{end}").exists()]
    size = sum(_size(Path(f"{path}{end}")) for end in ends)
    if size > _LARGEST_COPY:
        raise OSError(0, f"the database cannot be read without a trace, and is too large to copy ({size >> 20:,} MiB)")
    with tempfile.TemporaryDirectory(prefix="monitor-") as private:
        for end in ends:
            shutil.copyfile(f"{path}{end}", Path(private, f"copy.db{end}"))
        try:
            found = sqlite3.connect(Path(private, "copy.db"), check_same_thread=False)
            found.execute("select count(*) from sqlite_master").fetchone()
        except sqlite3.Error as error:
            raise OSError(0, f"the database cannot be read: {error}") from error
        try:
            yield found
        finally:
            found.close()


def _stamp(path: Path) -> tuple[int, ...]:
    with suppress(OSError):
        there = path.stat()
        return there.st_dev, there.st_ino, there.st_size, there.st_mtime_ns
    return ()


def _size(path: Path) -> int:
    with suppress(OSError):
        return path.stat().st_size
    return 0

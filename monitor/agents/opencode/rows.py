"""One session of the database and those of its sub-agents, as the lines that were not given before."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from monitor.agents.fields import read_object
from monitor.agents.folders import changed
from monitor.agents.opencode.database import columns, entries, opened, stamp
from monitor.agents.opencode.document import frames_of

_DEPTH = 8
"""How deep sub-agents of sub-agents are looked for."""
_ROWS = 1_000
"""Rows taken at a time."""
_FIRST = "session.created"
"""What the events of a session begin with; where others stand first, its older ones were never kept."""
_DATED = (
    "select id, data, time_updated from message where session_id = ? order by id",
    "select id, message_id, data, time_updated from part where session_id = ? order by id",
)
_UNDATED = (
    "select id, data, 0 from message where session_id = ? order by id",
    "select id, message_id, data, 0 from part where session_id = ? order by id",
)


class SessionRows:
    """What is new of a session: its events, or, in a database that has not kept them all, its messages as they are."""

    def __init__(self, path: Path, session: str) -> None:
        self._path = path
        self._session = session
        self._numbers: dict[str, int] = {}
        """Of each session whose events are read, the number of the latest that was given."""
        self._marks: dict[str, int] = {}
        """Of each session whose messages are read, when the latest of them was written."""
        self._given: dict[str, int] = {}
        """A digest of each message that was given."""

    def stamp(self) -> object:
        """Another value whenever the database was written to, and once more when that has settled."""
        return stamp(self._path), changed(self._path), changed(f"{self._path}-wal")

    def lines(self) -> Sequence[bytes]:
        """Rows that are new, a JSON object a line. Raises `OSError` where the database cannot be read."""
        with opened(self._path) as found:
            rows = [row for name in self._sessions(found) for row in self._new(found, name)]
        told = (json.dumps(row, ensure_ascii=False) for _, row in sorted(rows, key=lambda one: one[0]))
        return [line.encode("utf-8", "surrogatepass") for line in told]

    def _sessions(self, found: sqlite3.Connection) -> Sequence[str]:
        """The session, and all that were started from it."""
        family, layer = [self._session], [self._session]
        for _ in range(_DEPTH if "parent_id" in columns(found, "session") else 0):
            marks = ", ".join("?" * len(layer))
            layer = [one.id for one in entries(found, f" where parent_id in ({marks})", layer) if one.id not in family]
            if not layer:
                break
            family += layer
        return family

    def _new(self, found: sqlite3.Connection, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
        if name in self._numbers or (name not in self._marks and _keeps_all(found, name)):
            yield from self._events(found, name)
        else:
            yield from self._messages(found, name)

    def _events(self, found: sqlite3.Connection, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
        after = self._numbers.setdefault(name, -1)
        query = "select id, seq, type, data from event where aggregate_id = ? and seq > ? order by seq limit ?"
        for ident, number, kind, data in found.execute(query, (name, after, _ROWS)):
            told = read_object(str(data).encode("utf-8", "surrogatepass"))
            row = {
                "id": ident,
                "aggregate_id": name,
                "seq": number,
                "type": kind,
                "data": {} if isinstance(told, str) else told,
            }
            self._numbers[name] = number
            yield _moment(str(ident)), row

    def _messages(self, found: sqlite3.Connection, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
        """Messages and parts that were written since, in the words of the events that would have told them."""
        if name not in self._marks:
            yield from ((0, _row(name, "session.created", {"info": info})) for info in _info(found, name))
        written, self._marks[name] = _written(found, name, self._marks.get(name, -1))
        told = [one for one in written if self._is_news(one)]
        frames = frames_of(told) if told else ()
        for _, frame in frames if not isinstance(frames, str) else ():
            yield int((frame.at or 0) * 1000), _row(name, frame.type, {**frame.data, **_when(frame.at)})

    def _is_news(self, message: dict[str, Any]) -> bool:
        name, digest = message["info"]["id"], hash(json.dumps(message))
        before, self._given[name] = self._given.get(name), digest
        return before != digest


def _keeps_all(found: sqlite3.Connection, name: str) -> bool:
    """Whether the table of events tells the session from its beginning."""
    if not {"id", "aggregate_id", "seq", "type", "data"} <= columns(found, "event"):
        return False
    row = found.execute("select type from event where aggregate_id = ? order by seq limit 1", (name,)).fetchone()
    return row is not None and str(row[0]).startswith(_FIRST)


def _written(found: sqlite3.Connection, name: str, mark: int) -> tuple[list[dict[str, Any]], int]:
    """The messages that were written to at `mark` or later, each with its parts, and the next mark."""
    if not {"id", "session_id", "data"} <= columns(found, "message"):
        return [], mark
    dated = "time_updated" in columns(found, "message") and "time_updated" in columns(found, "part")
    messages = {ident: (data, at) for ident, data, at in found.execute(_DATED[0] if dated else _UNDATED[0], (name,))}
    parts: dict[str, list[tuple[str, str]]] = {}
    newest = max((_moment_of(at, mark) for _, at in messages.values()), default=mark)
    fresh = {ident for ident, (_, at) in messages.items() if _moment_of(at, mark) >= mark or not dated}
    for ident, message, data, at in found.execute(_DATED[1] if dated else _UNDATED[1], (name,)):
        parts.setdefault(message, []).append((ident, data))
        newest = max(newest, _moment_of(at, mark))
        fresh.update({message} if _moment_of(at, mark) >= mark else ())
    told = [_told(name, ident, messages[ident][0], parts.get(ident, [])) for ident in messages if ident in fresh]
    return told, newest if dated else -1


def _moment_of(at: object, mark: int) -> int:
    """When a row was written; one that does not tell may have been written at the mark."""
    return at if isinstance(at, int) else mark


def _told(session: str, message: str, data: str, parts: Sequence[tuple[str, str]]) -> dict[str, Any]:
    info = {**_object(data), "id": message, "sessionID": session}
    return {
        "info": info,
        "parts": [{**_object(one), "id": ident, "messageID": message, "sessionID": session} for ident, one in parts],
    }


def _info(found: sqlite3.Connection, name: str) -> list[dict[str, Any]]:
    return [
        {
            "id": one.id, "parentID": one.parent, "directory": one.directory, "version": one.version, "title": one.title,
            "time": {"created": (one.created or 0) * 1000, "updated": (one.updated or 0) * 1000},
        }
        for one in entries(found, " where id = ?", (name,))
    ]  # fmt: skip


def _row(session: str, kind: str, data: dict[str, Any]) -> dict[str, Any]:
    return {"id": "", "aggregate_id": session, "type": f"{kind}.1", "data": data}


def _when(at: float | None) -> dict[str, Any]:
    return {"time": at * 1000} if at is not None else {}


def _object(data: str) -> dict[str, Any]:
    found = read_object(str(data).encode("utf-8", "surrogatepass"))
    return {} if isinstance(found, str) else found


def _moment(ident: str) -> int:
    """What an id sorts by: the milliseconds in it, of which the highest digits are cut off."""
    letters = ident.partition("_")[2][:12]
    try:
        return int(letters, 16) >> 12
    except ValueError:
        return 0

"""Databases, made as OpenCode's versions make them, by a process of their own."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

from opencode_logs import CWD, SESSION, rows

_SESSION = (
    "create table session (id text primary key, project_id text not null, parent_id text, slug text not null, directory text not null,"
    " title text not null, version text not null, time_created integer not null, time_updated integer not null)"
)
_KEPT = (
    "create table message (id text primary key, session_id text not null, time_created integer, time_updated integer, data text)",
    "create table part (id text primary key, message_id text, session_id text, time_created integer, time_updated integer, data text)",
)
_EVENTS = "create table event (id text primary key, aggregate_id text not null, seq integer not null, type text not null, data text not null)"


class Database:
    """One of them, held open as a running OpenCode holds it."""

    def __init__(self, path: Path, *, events: bool = True) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.events = events
        self.held = sqlite3.connect(path)
        self.held.execute("pragma journal_mode=wal")
        for table in (_SESSION, *_KEPT, *((_EVENTS,) if events else ())):
            self.held.execute(table)
        self.held.commit()

    def session(
        self,
        name: str = SESSION,
        parent: str | None = None,
        directory: str = CWD,
        updated: int = 2_000,
        title: str = "t",
    ) -> None:
        values = (name, "p", parent, "slug", directory, title, "1.18.33", 1_000, updated)
        self.held.execute("insert into session values (?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
        self.held.commit()

    def tell(self, events: list[dict[str, Any]], first: int = 0) -> None:
        """What lasts of these events, as its events and as the messages that they leave."""
        for row in rows(events)[first:]:
            if self.events:
                told = (row["id"], row["aggregate_id"], row["seq"], row["type"], json.dumps(row["data"]))
                self.held.execute("insert into event values (?, ?, ?, ?, ?)", told)
            self._leave(row)
        self.held.commit()

    def _leave(self, row: dict[str, Any]) -> None:
        info, part = row["data"].get("info", {}), dict(row["data"].get("part", {}))
        if part:
            ids = (part.pop("id"), part.pop("messageID"), part.pop("sessionID"))
            self.held.execute(
                "insert or replace into part values (?, ?, ?, 0, ?, ?)", (*ids, self._now(), json.dumps(part))
            )
        elif row["type"].startswith("message"):
            info = dict(info)
            ids = (info.pop("id"), info.pop("sessionID"))
            self.held.execute(
                "insert or replace into message values (?, ?, 0, ?, ?)", (*ids, self._now(), json.dumps(info))
            )

    def _now(self) -> int:
        return int(
            self.held.execute(
                "select (select count(*) from part) + (select count(*) from message) + total_changes()"
            ).fetchone()[0]
        )

    def close(self) -> None:
        self.held.close()

"""Lists OpenCode's sessions: its database, and the processes that may work on them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from monitor.agents.fields import part, raw, read_object
from monitor.agents.listed import Ends, Listed, ListedState, Machine, Program
from monitor.agents.opencode.database import Entry, columns, database, entries, folder, holds_sessions, opened, stamp
from monitor.agents.opencode.process import NAMES
from monitor.text import clean, first_line, shorten

_LONGEST = 200
_LATEST = "select data from message where session_id = ? order by id desc limit 1"


class OpenCodeLister:
    """Knows where OpenCode of this user keeps its sessions; the database is read again only when it was written to."""

    def __init__(self) -> None:
        self._stamp: object = None
        self._entries: Sequence[Entry] = ()
        self._in_turn: dict[str, bool] = {}

    def places(self) -> Sequence[Path]:
        """The folder of its database."""
        return (folder(),)

    def listed(self, machine: Machine, ends: Ends) -> Iterable[Listed]:
        """Every session that a user began."""
        del ends
        path = database()
        if not path.is_file():
            return
        programs = machine.programs(*NAMES)
        self._read(path, {program.folder for program in programs})
        yield from (self._run(path, entry, mine, programs) for entry, mine in _workers(self._entries, programs))

    def _read(self, path: Path, folders: set[str]) -> None:
        now = (stamp(path), frozenset(folders))
        if now == self._stamp:
            return
        with opened(path) as found:
            if not holds_sessions(found):
                return
            where = " where parent_id is null" if "parent_id" in columns(found, "session") else ""
            self._entries = entries(found, where)
            here = [one.id for one in self._entries if one.directory in folders]
            self._in_turn = {name: _works(found, name) for name in here[:_LONGEST]}
        self._stamp = now

    def _run(self, path: Path, entry: Entry, mine: Sequence[Program], programs: Sequence[Program]) -> Listed:
        state, how, pid = _standing(mine, programs, entry, in_turn=self._in_turn.get(entry.id, False))
        return Listed(
            agent="opencode",
            session=clean(entry.id),
            path=path / entry.id if "/" not in entry.id else path,
            state=state,
            how=how,
            folder=clean(entry.directory),
            title=shorten(first_line(clean(entry.title)), _LONGEST),
            began=entry.created,
            last=entry.updated,
            pid=pid,
            version=clean(entry.version),
        )


LISTER = OpenCodeLister()


def _workers(found: Sequence[Entry], programs: Sequence[Program]) -> Iterator[tuple[Entry, Sequence[Program]]]:
    """Each session with the processes that may work on it: in a folder as many of the latest as there are processes."""
    left: dict[str, int] = {}
    here: Mapping[str, list[Program]] = {
        name: [one for one in programs if one.folder == name] for name in {one.folder for one in programs if one.folder}
    }
    for entry in found:
        there = [one for one in here.get(entry.directory, ()) if one.begun <= (entry.updated or 0.0)]
        taken = left.get(entry.directory, 0)
        left[entry.directory] = taken + 1
        yield entry, there if taken < len(there) else ()


def _standing(
    mine: Sequence[Program], programs: Sequence[Program], entry: Entry, *, in_turn: bool
) -> tuple[ListedState, str, int | None]:
    if len(mine) == 1:
        pid = mine[0].pid
        if in_turn:
            return "live", f"process {pid} of OpenCode works in its folder, in a turn that has not ended", pid
        return "idle", f"process {pid} of OpenCode works in its folder, and its last turn has ended", pid
    if mine:
        return (
            "unknown",
            f"{len(mine)} processes of OpenCode work in its folder: which one has it is not known",
            mine[0].pid,
        )
    if any(one.begun <= (entry.updated or 0.0) for one in programs):
        return "unknown", "no process of OpenCode works in its folder, but one elsewhere may have it open", None
    return "ended", "no process of OpenCode has run since before it was last written to", None


def _works(found: sqlite3.Connection, name: str) -> bool:
    """Whether its latest message is a prompt, or a reply that is not complete."""
    if not {"session_id", "data"} <= columns(found, "message"):
        return False
    row = found.execute(_LATEST, (name,)).fetchone()
    told = read_object(str(row[0]).encode("utf-8", "surrogatepass")) if row is not None else ""
    if isinstance(told, str):
        return False
    return raw(told, "role") == "user" or "completed" not in part(told, "time")

"""Who a process is: its number, its start and its command together, since numbers are used again."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

import psutil

from monitor.processes.table import PROC, Entry, read
from monitor.text import line

_CLOSE = 0.1
"""Seconds by which two tellings of one start may differ: a clock may be set in between."""
_MOST, _HEAD = 200, 60
_TRIES, _MOMENT = 5, 0.001
GONE = "it is gone"
ANOTHER = "its number belongs to another process now"
CHANGED = "it runs another command now"


@dataclass(frozen=True, slots=True)
class Identity:
    """One process, not to be taken for another."""

    pid: int
    started: float
    """As `table.Entry` tells it."""
    command: str
    """Its words on one line, cleaned and shortened."""
    owner: int
    """The user it runs as."""
    begun: float = 0.0
    """Seconds since the epoch."""

    @property
    def key(self) -> tuple[int, float]:
        """What no other process on this machine has had or will have."""
        return self.pid, self.started


def identify(pid: int, begun: float | None = None) -> Identity | None:
    """The process with this number now; none when there is none, or it began at another time than `begun`."""
    entry = read(pid)
    if entry is None or entry.ended:
        return None
    try:
        process = psutil.Process(pid)
        since = process.create_time()
        found = Identity(pid, entry.started, command_of(process), process.uids().effective, since)
    except (psutil.Error, OSError):
        return None
    if begun is not None and abs(since - begun) > _CLOSE:
        return None
    return None if (after := read(pid)) is None or after.started != entry.started else found


def command_of(process: psutil.Process) -> str:
    """Its command on one line; a process without words is called by its name.

    For a moment there are none, while a process becomes another program.
    """
    words = process.cmdline()
    for _ in range(_TRIES):
        if words:
            break
        time.sleep(_MOMENT)
        words = process.cmdline()
    return _short(line(" ".join(words)) if words else f"[{line(process.name())}]")


def _short(command: str) -> str:
    """Its beginning and its end: what an agent's shell is really told stands last, after a long preamble."""
    return command if len(command) <= _MOST else f"{command[:_HEAD]} … {command[_HEAD + 3 - _MOST :]}"


def why_not_itself(identity: Identity) -> str:
    """Empty while the very same process runs the very same command, else what has become of it."""
    entry = read(identity.pid)
    if entry is None:
        return GONE
    if entry.started != identity.started:
        return ANOTHER
    if entry.ended:
        return GONE
    try:
        command = command_of(psutil.Process(identity.pid))
    except (psutil.Error, OSError):
        return GONE
    return "" if command == identity.command else CHANGED


def ours(entries: Mapping[int, Entry] | None = None) -> frozenset[int]:
    """This process and all that it was started by, as they stand among the `entries` or are now: never to be signalled."""
    found, look = {os.getpid(), 0, 1}, read if entries is None else entries.get
    entry = look(os.getpid())
    while entry is not None and entry.parent not in found:
        found.add(entry.parent)
        entry = look(entry.parent)
    return frozenset(found)


def carries(pid: int, mark: str) -> bool:
    """Whether a process was started with this word among its environment; nothing else of it is kept."""
    with suppress(OSError, psutil.Error):
        if (PROC / str(pid)).exists():
            return mark.encode() in (PROC / str(pid) / "environ").read_bytes().split(b"\0")
        name, _, value = mark.partition("=")
        return bool(psutil.Process(pid).environ().get(name) == value)
    return False

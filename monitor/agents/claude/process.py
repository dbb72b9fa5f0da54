"""The process of a session, as `sessions/<pid>.json` names it, verified."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import psutil

from monitor.agents.claude.parse import NotARecordError, read
from monitor.agents.claude.registry import Registered
from monitor.agents.protocol import Process
from monitor.processes import table
from monitor.streams.files import read_head
from monitor.text import clean

_LARGEST = 1 << 16
_MOST = 4_000
"""Files and processes remembered."""
_SETTLED = 10**8
"""Nanoseconds after which a file's time of change tells it from what it was before: clocks of file systems are coarse."""
_WHILE = 2.0
"""Seconds for which it stands which sessions the files of a folder name, while no file of it comes or goes."""
_told: dict[str, tuple[tuple[int, int, int], Registered]] = {}
"""What files say that have stood still since; many sessions ask for all of them each second."""
_met: dict[tuple[int, str], Process] = {}
"""Processes by their ids and the kernel's start times, which never change."""


@dataclass(frozen=True, slots=True)
class Carrier:
    """What one file says of the process that carries a session."""

    pid: int
    session: str
    status: str
    """`busy`, `idle` or `waiting`, as it was when the file was written."""
    verified: bool
    """The process that wrote the file is the one that runs under its id now."""
    here: bool
    """The id is one of this machine's, not of a container that shares the home."""
    folder: str = ""
    """Where the verified process works."""
    version: str = ""
    began: float | None = None


def config_folder() -> Path:
    """Where Claude Code of this user keeps its sessions."""
    return _config_folder(os.environ.get("CLAUDE_CONFIG_DIR"), os.environ.get("HOME"))


@lru_cache(8)
def _config_folder(named: str | None, home: str | None) -> Path:
    """The same for what the environment says; asked for every run, each second."""
    del home
    return Path(named).expanduser() if named else Path.home() / ".claude"


def registrations(session: str) -> list[Path]:
    """The files in which processes of this machine say that they carry this session; those of killed ones remain.

    That one of them is rewritten to name this session instead of another is seen within two seconds.
    """
    named = _BOARD.look(f"{config_folder()}/sessions").get(session, ()) if session else ()
    return [path for path in named if (told := _registered(path)) is not None and told.session == session]


class _Board:
    """Which files of a folder name which session, read once for all sessions that ask."""

    def __init__(self) -> None:
        self._stands: tuple[str, int] | None = None
        """The folder as it was read, and when it had last changed; none where that may not tell it from another."""
        self._until = 0.0
        self._named: dict[str, list[Path]] = {}

    def look(self, name: str) -> dict[str, list[Path]]:
        """By session the files, in their order."""
        try:
            changed = os.stat(name).st_mtime_ns  # noqa: PTH116 - as in `_registered`
            if self._stands != (name, changed) or time.monotonic() > self._until:
                self._named = _named(name)
                self._until = time.monotonic() + _WHILE
                self._stands = (name, changed) if changed + _SETTLED < time.time_ns() else None
        except OSError:
            self._stands, self._named = None, {}
        return self._named


_BOARD = _Board()


def _named(folder: str) -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = {}
    for entry in sorted(os.scandir(folder), key=lambda one: one.name):
        told = _registered(entry.path) if entry.name.endswith(".json") else None
        if told is None or not told.session or entry.name != f"{told.pid}.json":
            continue
        if told.started and _same_namespace(told.domain):
            found.setdefault(told.session, []).append(Path(entry.path))
    return found


def carriers() -> list[Carrier]:
    """Every process that says it carries a session, those that are gone too; the verified ones last."""
    try:
        paths = sorted(Path(entry.path) for entry in os.scandir(config_folder() / "sessions"))
    except OSError:
        return []
    found = [one for path in paths if path.suffix == ".json" and (one := _carrier(path)) is not None]
    return sorted(found, key=lambda one: one.verified)


def _carrier(path: Path) -> Carrier | None:
    told = _registered(path)
    if told is None or not told.session or path.name != f"{told.pid}.json":
        return None
    here = _same_namespace(told.domain)
    folder = folder_of(path) if here else None
    lives = folder is not None or (here and verified(path) is not None)
    return Carrier(
        told.pid, clean(told.session), clean(told.status or ""), lives, here, str(folder or ""),
        clean(told.version or ""), told.begun / 1000 if told.begun else None,
    )  # fmt: skip


def standing(session: str) -> str:
    """What the verified process of a session says that it does: `busy`, `idle` or `waiting`; empty where it says nothing."""
    for path in registrations(session):
        told = _registered(path)
        if told is not None and told.status in ("busy", "idle", "waiting") and verified(path) is not None:
            return told.status
    return ""


def verified(path: Path) -> Process | None:
    """The process that wrote this file, if it is the one that runs under its id now.

    The kernel's start time must be the one the file names, so that no other process under the same id is
    taken for it; where the kernel does not tell it so (macOS), nothing is verified.
    """
    told = _registered(path)
    if told is None or not told.started:
        return None
    entry = table.read(told.pid) if can_verify() else None
    if entry is None or str(int(entry.started)) != told.started or entry.state == "Z":
        return None
    return _process(told.pid, told.started)


def _process(pid: int, started: str) -> Process | None:
    """The process that has begun at that tick of the kernel's clock."""
    if (pid, started) not in _met:
        if len(_met) >= _MOST:
            _met.clear()
        try:
            _met[pid, started] = Process(pid, psutil.Process(pid).create_time())
        except psutil.Error:
            return None
    return _met[pid, started]


def can_verify() -> bool:
    """Whether this machine tells the start times that are compared."""
    return table.HAS_PROC


def folder_of(path: Path) -> Path | None:
    """The folder that the verified process of this file works in now."""
    process = verified(path)
    if process is None:
        return None
    try:
        folder = (table.PROC / str(process.pid) / "cwd").readlink()
    except OSError:
        return None
    return folder if verified(path) is not None else None


def _registered(path: Path | str) -> Registered | None:
    name = str(path)
    try:
        there = os.stat(name)  # noqa: PTH116 - asked for every session, each second
        if there.st_uid != os.getuid():
            return None
        stands = (there.st_ino, there.st_mtime_ns, there.st_size)
        if (known := _told.get(name)) is not None and known[0] == stands:
            return known[1]
        told = read(Registered, read_head(Path(name), _LARGEST))
    except (OSError, NotARecordError):
        return None
    if there.st_mtime_ns + _SETTLED < time.time_ns():
        if len(_told) >= _MOST:
            _told.clear()
        _told[name] = stands, told
    return told


def _same_namespace(domain: str | None) -> bool:
    """Whether the pid is one of ours: a shared home may hold those of containers."""
    if not domain or "pid:[" not in domain:
        return True
    try:
        return domain.endswith(str(Path("/proc/self/ns/pid").readlink()))
    except OSError:
        return False

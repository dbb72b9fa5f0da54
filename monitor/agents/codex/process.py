"""The process that writes a rollout: the one that holds its file open."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import psutil

from monitor.agents.protocol import Process

_PROC: Final = Path("/proc")
_NAMES: Final = ("codex",)


def home() -> Path:
    """Where Codex of this user keeps its sessions."""
    named = os.environ.get("CODEX_HOME")
    return Path(named).expanduser() if named else Path.home() / ".codex"


def can_tell() -> bool:
    """Whether this machine tells which process holds which file open."""
    return (_PROC / "self/fd").is_dir()


def writer(rollout: Path) -> Process | None:
    """The process of Codex that holds the file open; the daemon that several threads live in counts too."""
    try:
        wanted = rollout.stat()
    except OSError:
        return None
    for process in psutil.process_iter(["name"]):
        if str(process.info["name"]).startswith(_NAMES) and holds(process.pid, wanted):
            try:
                return Process(process.pid, process.create_time())
            except psutil.Error:
                continue
    return None


def still(process: Process, rollout: Path) -> bool:
    """Whether that very process still holds the file open."""
    try:
        same = psutil.Process(process.pid).create_time() == process.started
        return same and holds(process.pid, rollout.stat())
    except (psutil.Error, OSError):
        return False


def holds(pid: int, wanted: os.stat_result) -> bool:
    """Whether a process has this file open."""
    return any((found.st_dev, found.st_ino) == (wanted.st_dev, wanted.st_ino) for found in _files(pid))


def held(pids: Iterable[int]) -> dict[tuple[int, int], int]:
    """Which process holds which file open, by device and inode."""
    return {(found.st_dev, found.st_ino): pid for pid in pids for found in _files(pid)}


def _files(pid: int) -> Iterator[os.stat_result]:
    folder = _PROC / str(pid) / "fd"
    try:
        links = list(folder.iterdir())
    except OSError:
        return
    for link in links:
        try:
            yield link.stat()
        except OSError:
            continue

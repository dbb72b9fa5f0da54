"""The machine's processes as its kernel tells them: who started whom, in which group and session."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import psutil

PROC = Path("/proc")
HAS_PROC = (PROC / "self/stat").exists()
"""Whether the kernel tells of processes in files, as Linux does."""
_LONGEST = 4096
"""Bytes of what the kernel tells of one process, at most."""
_WORDS = 45
"""Which field after the name tells where the words of its command line begin."""
_LETTERS = {psutil.STATUS_ZOMBIE: "Z", psutil.STATUS_STOPPED: "T", psutil.STATUS_DEAD: "X"}


@dataclass(frozen=True, slots=True)
class Entry:
    """One process at one moment."""

    pid: int
    parent: int
    group: int
    session: int
    started: float
    """On Linux the kernel's ticks since boot, which no change of the clock moves; elsewhere seconds since the epoch."""
    state: str
    """The kernel's letter: `Z` has ended and waits for its parent, `T` is stopped."""
    foreground: bool = False
    """Whether it is what its terminal's keys go to."""
    terminal: int = 0
    """The device of its controlling terminal; 0 for none, or where nothing tells."""
    image: bytes = b""
    """Another once it runs another program or calls itself otherwise: its name, and where its words lie in its memory;
    empty where nothing tells."""

    @property
    def name(self) -> bytes:
        """What it calls itself, its first 15 bytes; empty where nothing tells."""
        return self.image.rpartition(b" ")[0]

    @property
    def ended(self) -> bool:
        """Whether nothing of it runs any more."""
        return self.state in ("Z", "X")


def read(pid: int) -> Entry | None:
    """The process with this number now, or none."""
    if pid <= 0:
        return None
    try:
        return _parsed(pid, _stat(pid)) if HAS_PROC else asked(pid)
    except (OSError, ValueError, IndexError, OverflowError):
        return None


def below(pid: int, above: int) -> bool:
    """Whether a process was started by another one, or by what that one started."""
    entry = read(pid)
    while entry is not None and entry.parent > 0:
        if entry.parent == above:
            return True
        entry = read(entry.parent)
    return False


def everything() -> Mapping[int, Entry]:
    """Every process there is, by its number."""
    pids = map(int, filter(str.isdigit, os.listdir(PROC))) if HAS_PROC else psutil.pids()  # noqa: PTH208 - see `_stat`
    return {pid: entry for pid in pids if (entry := read(pid)) is not None}


def asked(pid: int) -> Entry | None:
    """As `read`, where the kernel has no files for it."""
    try:
        process = psutil.Process(pid)
        with process.oneshot():
            state = _LETTERS.get(process.status(), "S")
            return Entry(pid, process.ppid(), os.getpgid(pid), os.getsid(pid), process.create_time(), state)
    except (psutil.Error, OSError):
        return None


def _stat(pid: int) -> bytes:
    """What the kernel tells of a process; by its descriptor, since a Path for each of all processes costs thrice as much."""
    descriptor = os.open(f"/proc/{pid}/stat", os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(descriptor, _LONGEST)
    finally:
        os.close(descriptor)


def _parsed(pid: int, stat: bytes) -> Entry:
    # The name in brackets may hold anything, brackets too; fields are counted after the last one.
    name, _, rest = stat.rpartition(b")")
    fields = rest.split()
    group = int(fields[2])
    return Entry(
        pid=pid,
        parent=int(fields[1]),
        group=group,
        session=int(fields[3]),
        started=float(fields[19]),
        state=fields[0].decode("ascii", "replace"),
        foreground=int(fields[5]) == group,
        terminal=int(fields[4]),
        image=b"%s %s" % (name.partition(b"(")[2], fields[_WORDS]) if fields[_WORDS:] else b"",
    )

"""Whether the process that run.json names is really the run's."""

from __future__ import annotations

from pathlib import Path

import psutil

from monitor.agents.fields import Object, moment, raw, whole
from monitor.agents.protocol import Process

_CLOCK = 2.0
"""Seconds by which a process's start, counted in ticks since boot, may be off."""
_WORDS = 4
"""Words of a command line among which the program's name stands: python, its options, the script."""


def of_run(found: Object) -> Process | None:
    """The run's process, as run.json names it; none when it is gone, or another has taken its number.

    A process older than `started` that exists now had that number then; one begun later is another.
    """
    pid, started = whole(found, "host_pid"), moment(found.get("started"))
    if raw(found, "status") != "running" or pid is None or pid <= 0 or started is None:
        return None
    try:
        process = psutil.Process(pid)
        begun = process.create_time()
        if begun > started + _CLOCK or process.status() == psutil.STATUS_ZOMBIE:
            return None
        words = process.cmdline()[:_WORDS]
    except (psutil.Error, OverflowError, ValueError):
        return None
    return Process(pid, begun) if any("dirtywork" in word for word in words) else None


def holds(process: Process, file: Path) -> bool:
    """Whether the process has this very file open: then it writes it, whoever says so."""
    try:
        found = psutil.Process(process.pid)
        if found.create_time() != process.started:
            return False
        return any(_same(Path(held.path), file) for held in found.open_files())
    except (psutil.Error, OSError):
        return False


def _same(held: Path, file: Path) -> bool:
    try:
        return held.samefile(file)
    except OSError:
        return False

"""The processes of OpenCode on this machine: which may work on a session, and which ports they listen on."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from monitor.agents.protocol import Process

NAMES = ("opencode",)
_PACE = 5.0
"""Seconds between two looks at all processes, while none is known."""


@dataclass(frozen=True, slots=True)
class Running:
    """One process of OpenCode."""

    process: Process
    folder: str
    """Where it works; empty where that cannot be seen."""
    ports: tuple[int, ...] = ()
    """The ports it listens on, on this machine's own address."""
    words: tuple[str, ...] = ()
    """Its command line."""
    parent: int = 0


def running(*, ports: bool = False) -> list[Running]:
    """All of this user's, the oldest first.

    What one of them has begun to start looks like a second of it for a moment, until it is another program.
    """
    found = [one for process in psutil.process_iter(["name"]) if (one := _look(process, ports=ports)) is not None]
    words = {one.process.pid: one.words for one in found}
    found = [one for one in found if words.get(one.parent) != one.words]
    return sorted(found, key=lambda one: one.process.started or 0.0)


def ports_in(words: Sequence[str]) -> Iterator[int]:
    """The ports that a command line names."""
    for number, word in enumerate(words):
        name, _, value = word.partition("=")
        if name == "--port":
            value = value or (words[number + 1] if number + 1 < len(words) else "")
            if value.isdecimal() and 0 < int(value) < 1 << 16:
                yield int(value)


class Worker:
    """The process that may work on a session: the one of OpenCode in its folder, where there is just one.

    `last` tells when the session was last written to: a process that began after that has not touched it.
    """

    def __init__(self, folder: str, last: Callable[[], float | None]) -> None:
        self._folder = folder
        self._last = last
        self._known: Process | None = None
        self._elsewhere = False
        self._looked = 0.0

    def process(self) -> Process | None:
        """It, verified; looked for again now and then while there is none."""
        if self._known is not None and _same(self._known):
            return self._known
        if self._known is not None or time.monotonic() - self._looked > _PACE or not self._looked:
            self._looked = time.monotonic()
            last = self._last() or 0.0
            found = [one for one in running() if (one.process.started or 0.0) <= last]
            here = [one.process for one in found if one.folder == self._folder]
            self._known = here[0] if len(here) == 1 else None
            self._elsewhere = bool(found) and self._known is None
        return self._known

    def alive(self) -> bool | None:
        """Whether one is there; none where others of OpenCode run that may work on the session as well."""
        if self.process() is not None:
            return True
        return None if self._elsewhere else False


def _same(process: Process) -> bool:
    try:
        return bool(psutil.Process(process.pid).create_time() == process.started)
    except psutil.Error:
        return False


def _look(process: psutil.Process, *, ports: bool) -> Running | None:
    """It, where it is OpenCode and this user's: another's is never asked, nor given a password."""
    try:
        if process.uids().effective != os.geteuid():
            return None
        name = str(process.info["name"])
        words = process.cmdline() if name.startswith((*NAMES, "node", "bun")) else []
        if not any(Path(word).name.removesuffix(".exe") in NAMES for word in words[:2]):
            return None
        known = Process(process.pid, process.create_time())
        listens = _ports(process, words) if ports else ()
        return Running(known, _folder(process), listens, tuple(words), process.ppid())
    except psutil.Error:
        return None


def _folder(process: psutil.Process) -> str:
    try:
        return str(process.cwd())
    except (psutil.Error, OSError):
        return ""


def _ports(process: psutil.Process, words: Sequence[str]) -> tuple[int, ...]:
    """Those it listens on, and those it was told to listen on where the former cannot be seen."""
    try:
        found = [one.laddr.port for one in process.net_connections("tcp") if one.status == psutil.CONN_LISTEN]
    except (psutil.Error, OSError):
        found = []
    return tuple(dict.fromkeys((*found, *(() if found else ports_in(words)))))

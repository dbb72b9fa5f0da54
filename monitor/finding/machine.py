"""The processes of this user, by the programs they run: read once, asked often."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import PurePath

import psutil

from monitor.agents.listed import Program
from monitor.processes.census import CENSUS
from monitor.processes.table import HAS_PROC, PROC, Entry

_WORDS = 6
"""Words of a command line among which the program's name stands: an interpreter, its options, the script."""
_INTERPRETERS = ("python", "node", "bun", "deno", "uv", "uvx", "npx", "sh", "bash", "env")


_met: dict[int, tuple[tuple[float, bytes], frozenset[str]]] = {}
"""By its number what a process was when its words were read, and the names that stand in them."""


@dataclass(frozen=True, slots=True)
class Processes:
    """One look at them."""

    named: Mapping[str, Sequence[Entry]] = field(default_factory=dict)

    def programs(self, *names: str) -> Sequence[Program]:
        """Those that run a program of one of these names, the oldest first; an interpreter's script counts."""
        entries = {entry.pid: entry for name in names for entry in self.named.get(name, ())}
        found = [program for entry in entries.values() if (program := _program(entry)) is not None]
        return sorted(found, key=lambda one: one.begun)


def look() -> Processes:
    """Every process of this user by the names of its program."""
    named: dict[str, list[Entry]] = {}
    entries = CENSUS.within(0)
    for pid in [one for one in _met if one not in entries]:
        _met.pop(pid, None)
    for pid, entry in entries.items():
        if entry.ended or pid == os.getpid():
            continue
        for name in _names(entry):
            named.setdefault(name, []).append(entry)
    return Processes(named)


def called(words: Sequence[str]) -> set[str]:
    """The names of the program that a command line runs: its own, and its script's or module's."""
    names: set[str] = set()
    for number, word in enumerate(words[:_WORDS]):
        if word.startswith("-"):
            continue
        name = PurePath(word).name.removesuffix(".exe")
        names.add(name)
        names.update(part for part in PurePath(word).parts if part.endswith("-code"))
        if number == 0 and not name.startswith(_INTERPRETERS):
            break
        if number > 0 and words[number - 1] not in ("-m", "-E", "-P", "-I", "-u", "-s"):
            break
    return names


def _names(entry: Entry) -> frozenset[str]:
    """The names of its program; its words are read again only where it may run another program by now."""
    stands = entry.started, entry.image
    known = _met.get(entry.pid)
    if known is not None and known[0] == stands and entry.image:
        return known[1]
    names = frozenset(called(_words(entry.pid)))
    _met[entry.pid] = stands, names
    return names


def _words(pid: int) -> list[str]:
    try:
        if not HAS_PROC:
            process = psutil.Process(pid)
            return process.cmdline() if process.uids().effective == os.geteuid() else []
        with (PROC / str(pid) / "cmdline").open("rb") as file:
            if os.fstat(file.fileno()).st_uid != os.geteuid():
                return []
            return file.read(4096).decode("utf-8", "replace").rstrip("\0").split("\0")
    except (OSError, psutil.Error):
        return []


def _program(entry: Entry) -> Program | None:
    folder = ""
    try:
        process = psutil.Process(entry.pid)
        begun = process.create_time()
        with suppress(psutil.Error, OSError):
            folder = process.cwd()
    except (psutil.Error, OSError):
        return None
    return Program(entry.pid, begun, folder)

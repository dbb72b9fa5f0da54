"""Processes that may belong to a run though nothing proves it: told with the reason, and never signalled."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from monitor.processes.identity import identify, ours
from monitor.processes.table import PROC, Entry

_MOST = 50
"""Suspects that are told of."""
_TAKE_OVER = (
    "systemd",
    "init",
    "launchd",
    "tini",
    "dumb-init",
    "docker-init",
    "catatonit",
    "conmon",
    "containerd-shim",
)
"""Programs that take over what is orphaned below them, as the first process of all does."""
_NAMED = 15
"""Characters of a program's name that the kernel keeps."""
_SHORT = frozenset(name[:_NAMED].encode() for name in _TAKE_OVER)


@dataclass(frozen=True, slots=True)
class Suspect:
    """One process, and what speaks for its being the run's."""

    pid: int
    command: str
    """Clean, on one line."""
    why: str


@dataclass(frozen=True, slots=True)
class Traits:
    """What a process hands down to all it starts, unless they take care to be rid of it."""

    pid: int
    started: float
    group: int
    session: int
    terminal: int
    """The device of its controlling terminal; 0 for none."""
    folder: str
    """Where it works; empty where that is nobody's own: the root folder, the home folder."""
    control: str
    """Its control group, where it is another than monitor's own."""
    takers: frozenset[int]
    """Those it was started below that take over what is orphaned there."""


def traits(entry: Entry, entries: Mapping[int, Entry]) -> Traits:
    """Those of a process that lives."""
    above, one = {1}, entries.get(entry.parent)
    while one is not None and one.pid not in above:
        above.add(one.pid)
        one = entries.get(one.parent)
    takers = {pid for pid in above if pid == 1 or (pid in entries and entries[pid].name in _SHORT)}
    folder, control = _folder(entry.pid), _control(entry.pid)
    return Traits(
        pid=entry.pid,
        started=entry.started,
        group=entry.group,
        session=entry.session,
        terminal=entry.terminal,
        folder="" if folder in ("/", str(Path.home())) else folder,
        control="" if control == _control(os.getpid()) else control,
        takers=frozenset(takers),
    )


def suspects(root: Traits, entries: Mapping[int, Entry], known: Collection[int]) -> tuple[Suspect, ...]:
    """Orphans younger than the agent that share something with it; `known` are its own.

    What lives under a parent that is not the run's was started by that one: only what has lost its parent may have
    been the agent's.
    """
    barred = ours(entries)
    found: list[Suspect] = []
    for pid, entry in entries.items():
        if pid in known or pid in barred or entry.ended or entry.started < root.started:
            continue
        if entry.parent not in root.takers or not (why := _shared(root, entry)):
            continue
        identity = identify(pid)
        if identity is not None and identity.started == entry.started and identity.owner == os.geteuid():
            found.append(Suspect(pid, identity.command, f"{' and '.join(why)}, and began after it"))
    return tuple(sorted(found, key=lambda one: one.pid)[:_MOST])


def _shared(root: Traits, entry: Entry) -> list[str]:
    """What it shares with the agent, in words."""
    same_session = entry.session == root.session and root.session != os.getsid(0)
    terminal = entry.terminal != 0 and entry.terminal == root.terminal
    found = [
        ("is in its process group", entry.group == root.group),
        ("is in its session", same_session),
        ("has its terminal", terminal and not same_session),
        ("works in its folder", bool(root.folder) and _within(_folder(entry.pid), root.folder)),
        ("is in its control group", bool(root.control) and _control(entry.pid) == root.control),
    ]
    return [words for words, holds in found if holds]


def _within(folder: str, project: str) -> bool:
    return folder == project or folder.startswith(f"{project.rstrip('/')}/")


def _folder(pid: int) -> str:
    with suppress(OSError):
        return str((PROC / str(pid) / "cwd").readlink())
    return ""


def _control(pid: int) -> str:
    with suppress(OSError):
        return (PROC / str(pid) / "cgroup").read_text("ascii", "replace")
    return ""

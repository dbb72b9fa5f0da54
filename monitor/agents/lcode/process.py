"""Which process works on a session: lcode writes it nowhere, so it is concluded, or left unknown with the reason."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import psutil

from monitor.agents.fields import Object, parts, raw, read_object
from monitor.processes.identity import Identity, identify
from monitor.processes.table import PROC
from monitor.streams.files import read_head

_ID = re.compile(r"\d{8}-\d{6}-[0-9a-f]{6}")
_LARGEST = 16 << 20
WINDOW = 10.0
"""Seconds after its start within which an lcode has named its session; one that takes longer stays unknown."""
_EARLY = 1.0
"""A session's name tells whole seconds, so its time may lie before its process's start by as much."""
NONE = "no lcode that runs in its folder began when this session did"
SEVERAL = "several lcode began in its folder when this session did: which of them works on it, nothing tells"
SHARED = "another session began in its folder at the same time: which of them an lcode works on, nothing tells"
NOBODY_WRITES = "no lcode that runs writes its standard output into this file"
SEVERAL_WRITE = "several lcode write their standard output into this file"
UNREADABLE = "the session cannot be read"


@dataclass(frozen=True, slots=True)
class Program:
    """An lcode that runs."""

    pid: int
    began: float
    words: tuple[str, ...]
    """What follows its name on its command line."""
    folder: Path


class Worker:
    """The process that works on a run in a file, looked for each time it is asked for."""

    def __init__(self, path: Path, *, stream: bool) -> None:
        self._path = path
        self._stream = stream
        self.why = NONE
        """Why none was found, the last time."""

    def identity(self) -> Identity | None:
        """Who it is; none where that is not certain."""
        found, self.why = (writing if self._stream else working)(self._path)
        return found


def writing(stream: Path) -> tuple[Identity | None, str]:
    """The process whose standard output is this file, or none and why it cannot be told."""
    found = []
    for one in _programs():
        with suppress(OSError):
            found += [one] if (PROC / str(one.pid) / "fd" / "1").samefile(stream) else []
    identity = identify(found[0].pid, found[0].began) if len(found) == 1 else None
    return identity, "" if identity is not None else SEVERAL_WRITE if found else NOBODY_WRITES


def working(session: Path) -> tuple[Identity | None, str]:
    """The process that works on a session's file, or none and why it cannot be told.

    It is the one whose command line names the session; else the only one that began in the session's folder at the
    moment that the session is named after, when no other session began there then, and whose prompt, where its
    command line has one, stands in the session. An lcode that an editor holds is never taken for one.
    """
    running = tuple(_programs())
    if not running:
        return None, NONE
    told = _read(session)
    if told is None or not _ID.fullmatch(session.stem):
        return None, UNREADABLE
    named = [one for one in running if session.stem in _named(one.words)]
    found = named or [one for one in running if _fits(one, session, told)]
    if len(found) != 1:
        return None, SEVERAL if found else NONE
    if not named and _shared(session, found[0]):
        return None, SHARED
    identity = identify(found[0].pid, found[0].began)
    return identity, "" if identity is not None else NONE


def _programs() -> Iterator[Program]:
    """Those of this user that work on one session at a time."""
    for process in psutil.process_iter():
        try:
            words = _after_name(process.cmdline())
            if words is None or "acp" in words[:1] or process.uids().effective != os.geteuid():
                continue
            folder = Path(process.cwd()) / (_value(words, "-r", "--repo") or "")
            yield Program(process.pid, process.create_time(), tuple(words), folder.resolve())
        except (psutil.Error, OSError):
            continue


def _after_name(command: Sequence[str]) -> Sequence[str] | None:
    """What follows `lcode` or `python -m lcode`; none for another program."""
    names = [Path(word).name for word in command[:3]]
    if names[:1] == ["lcode"]:
        return command[1:]
    if not names or not names[0].startswith("python"):
        return None
    if names[1:2] == ["lcode"]:
        return command[2:]
    return command[3:] if names[1:3] == ["-m", "lcode"] else None


def _value(words: Sequence[str], *options: str) -> str:
    """What is given to an option, beside it or after `=`."""
    for index, word in enumerate(words):
        name, equals, given = word.partition("=")
        if name in options:
            return given if equals else "".join(words[index + 1 : index + 2])
    return ""


def _named(words: Sequence[str]) -> list[str]:
    """The sessions that its command line names."""
    return _ID.findall(_value(words, "--resume"))


def _fits(one: Program, session: Path, told: Object) -> bool:
    """Whether it began a session of its own, in this session's folder, at this session's moment, with its prompt."""
    resumes = any(word in ("-c", "--continue") or word.startswith("--resume") for word in one.words)
    if resumes or one.folder != Path(raw(told, "cwd")) or not _at_start(one, session.stem):
        return False
    asked = _value(one.words, "-p", "--prompt")
    first = next((raw(message, "content") for message in parts(told, "messages") if raw(message, "role") == "user"), "")
    return not asked or asked.strip() in first


def _at_start(one: Program, name: str) -> bool:
    try:
        born = datetime.strptime(name[:15], "%Y%m%d-%H%M%S").timestamp()  # noqa: DTZ007 - the agent's own local time
    except (ValueError, OverflowError):
        return False
    return one.began - _EARLY <= born <= one.began + WINDOW


def _shared(session: Path, one: Program) -> bool:
    """Whether another session was named in its folder while this program was naming its own."""
    for path in session.parent.glob("*.json"):
        if path == session or not _ID.fullmatch(path.stem) or not _at_start(one, path.stem):
            continue
        told = _read(path)
        if told is None or Path(raw(told, "cwd")) == one.folder:
            return True
    return False


def _read(session: Path) -> Object | None:
    try:
        told = read_object(read_head(session, _LARGEST))
    except OSError:
        return None
    return told if isinstance(told, dict) else None

"""Lists lcode's saved sessions; no file of lcode's names the process that works on one, its processes may."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from monitor.agents.lcode.find import BEGINS_SESSION, folders, sessions
from monitor.agents.lcode.process import working
from monitor.agents.listed import Ends, Listed, ListedState, Machine, Program
from monitor.text import clean, first_line, shorten

_LONGEST = 200
_TEXT = rb'"\s*:\s*"((?:[^"\\]|\\.)*)"'
_CWD, _TITLE = re.compile(rb'"cwd' + _TEXT), re.compile(rb'"title' + _TEXT)


class LcodeLister:
    """Knows where lcode of this user keeps its sessions."""

    def places(self) -> Sequence[Path]:
        """The folders of sessions."""
        return folders()

    def listed(self, machine: Machine, ends: Ends) -> Iterable[Listed]:
        """Every saved session."""
        running = machine.programs("lcode")
        for folder in folders():
            for path, told, last in ends.of_all(sessions(folder), _about):
                if told.known:
                    yield _session(path, told, last, running)


LISTER = LcodeLister()


@dataclass(frozen=True, slots=True)
class _About:
    known: bool
    folder: str
    title: str


def _about(head: bytes, _tail: bytes) -> _About:
    """What the head says: lcode writes folder and title before the messages."""
    titled = _TITLE.search(head)
    placed = _CWD.search(head)
    return _About(
        BEGINS_SESSION.match(head) is not None,
        clean(_text(placed[1])) if placed else "",
        shorten(first_line(_text(titled[1])), _LONGEST) if titled else "",
    )


def _text(found: bytes) -> str:
    try:
        return str(json.loads(b'"' + found + b'"'))
    except (ValueError, UnicodeDecodeError):
        return found.decode("utf-8", "replace")


def _session(path: Path, about: _About, last: float, running: Sequence[Program]) -> Listed:
    there = [one for one in running if one.may_write(about.folder, last)]
    state, how, pid = _standing(path, there)
    return Listed("lcode", path.stem, path, state, how, about.folder, about.title, _began(path.stem), last, pid)


def _standing(path: Path, there: Sequence[Program]) -> tuple[ListedState, str, int | None]:
    """The state, how it is known, and the process."""
    if not there:
        return "ended", "no process of lcode works in its folder", None
    worker, _ = working(path)
    if worker is not None:
        return "live", f"process {worker.pid} of lcode began there when the session did, or names it", worker.pid
    pid = there[-1].pid
    return "unknown", f"process {pid} of lcode works in its folder, and does not say on which session", pid


def _began(session: str) -> float | None:
    """The moment that a session's id begins with, by this machine's clock."""
    try:
        return datetime.strptime(session[:15], "%Y%m%d-%H%M%S").timestamp()  # noqa: DTZ007 - lcode names it in local time
    except (ValueError, OverflowError):
        return None

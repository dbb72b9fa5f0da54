"""Lists pi's sessions; no file of pi's names the process that works on one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from monitor.agents.fields import moment, part, raw, read_object, text
from monitor.agents.listed import Ends, Listed, ListedState, Machine, Program
from monitor.agents.pi.find import BEGINS, home, sessions
from monitor.agents.pi.results import content
from monitor.text import clean, first_line, shorten

_LONGEST = 200


class PiLister:
    """Knows where pi of this user keeps its sessions."""

    def places(self) -> Sequence[Path]:
        """The folder of sessions."""
        return (home(),)

    def listed(self, machine: Machine, ends: Ends) -> Iterable[Listed]:
        """Every session."""
        running = machine.programs("pi")
        for path, told, last in ends.of_all(sessions(home()), _about):
            if told.known:
                yield _session(path, told, last, running)


LISTER = PiLister()


@dataclass(frozen=True, slots=True)
class _About:
    known: bool
    session: str = ""
    folder: str = ""
    title: str = ""
    began: float | None = None


def _about(head: bytes, _tail: bytes) -> _About:
    """What the head says: the session's header stands first, and its first prompt soon after."""
    if not BEGINS.match(head):
        return _About(known=False)
    lines = head.splitlines()
    found = read_object(lines[0])
    if isinstance(found, str):
        return _About(known=True)
    told = moment(found.get("timestamp"))
    return _About(
        known=True, session=text(found, "id"), folder=text(found, "cwd"), title=_prompt(lines[1:]), began=told
    )


def _prompt(lines: Sequence[bytes]) -> str:
    """The first thing the user said."""
    for line in lines:
        found = read_object(line) if b'"user"' in line else ""
        message = part(found, "message") if isinstance(found, dict) else {}
        if raw(message, "role") == "user" and (words := clean(content(message))).strip():
            return shorten(first_line(words), _LONGEST)
    return ""


def _session(path: Path, about: _About, last: float, running: Sequence[Program]) -> Listed:
    state, how, pid = _standing(about, last, running)
    session = path.stem.rpartition("_")[2] if "_" in path.stem else about.session or path.stem
    return Listed("pi", session, path, state, how, about.folder, about.title, about.began, last, pid)


def _standing(about: _About, last: float, running: Sequence[Program]) -> tuple[ListedState, str, int | None]:
    """The state, how it is known, and the process that may work on it."""
    there = [one for one in running if one.may_write(about.folder, last)]
    if not there:
        return "ended", "no process of pi works in its folder", None
    pid = there[-1].pid
    return "unknown", f"process {pid} of pi works in its folder, and does not say on which session", pid

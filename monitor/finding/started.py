"""Lists the runs that `monitor run` started."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from monitor.agents.fields import read_object, text
from monitor.agents.listed import Ends, Listed, ListedState, Machine
from monitor.agents.protocol import Finder
from monitor.config import state_path
from monitor.launch.launched import ERRORS, OUTPUT, Launched, LaunchedFinder
from monitor.text import clean, line, shorten

_SESSION = re.compile(rb'"(?:session_?[iI]d|slug)"\s*:\s*"([^"\\]{4,80})"')
_SLUG = re.compile(rb"^transcript: /\S{1,4000}/([A-Za-z0-9][A-Za-z0-9._-]{0,199})/transcript\.jsonl\r?$", re.MULTILINE)
"""The line in which dirtywork says on its standard error, before all else it does, which run it has made."""
_LONGEST = 200
_OURS = ("native", "other")
"""What a run is started as that may tell its story in our own format."""


class StartedLister:
    """Knows the folders that `monitor run` makes."""

    def __init__(self, finders: Sequence[Finder]) -> None:
        self._finder = LaunchedFinder(finders)

    def places(self) -> Sequence[Path]:
        """The folder of started runs, which need not be there."""
        return (state_path("runs"),)

    def listed(self, machine: Machine, ends: Ends) -> Iterable[Listed]:
        """Every run that was started, under the session its agent gave it where it has said so."""
        del machine
        for folder in (one for place in self.places() if place.is_dir() for one in sorted(place.iterdir())):
            found = self._finder.open(folder)
            if isinstance(found, Launched):
                yield _run(found, ends)


def _run(found: Launched, ends: Ends) -> Listed:
    told = ends.of(found.folder / OUTPUT, _told)
    said = told[0] if told is not None else _Told()
    made = ends.of(found.folder / ERRORS, _slug) if found.agent == "dirtywork" else None
    named = (made[0] if made is not None else "") or said.session
    state, how, pid = _standing(found)
    if state == "live" and found.agent in _OURS and said.waits:
        state, how = "waiting", f"{how}; its last word is that it waits"
    return Listed(
        agent=found.agent,
        session=named or _named(found),
        path=found.folder,
        state=state,
        how=how,
        folder=str(found.cwd),
        title=shorten(line(shlex.join(found.command)), _LONGEST),
        began=found.began,
        last=told[1] if told is not None else found.began,
        pid=pid,
        ours=True,
        alias=found.folder.name,
        name=said.agent,
    )


def _named(found: Launched) -> str:
    """The session that was made for it; else its own name."""
    return (found.serving.session if found.serving is not None else "") or found.folder.name


@dataclass(frozen=True, slots=True)
class _Told:
    """What the beginning and the end of an agent's output tell."""

    session: str = ""
    """The one that it names first."""
    agent: str = ""
    """What it calls itself, in our own format."""
    waits: bool = False
    """Its last line, in our own format, says that it waits for a person."""


def _told(head: bytes, tail: bytes) -> _Told:
    named = _SESSION.search(head) or _SESSION.search(tail)
    lines = (read_object(one) for one in head.splitlines())
    begun = (one for one in lines if isinstance(one, dict) and one.get("event") == "RunStarted")
    last = read_object(next(reversed(tail.rstrip().splitlines()), b""))
    return _Told(
        clean(named[1].decode("utf-8", "replace")) if named else "",
        next((line(text(one, "agent")) for one in begun), ""),
        isinstance(last, dict) and last.get("event") == "Waiting" and last.get("over") is not True,
    )


def _slug(head: bytes, tail: bytes) -> str:
    """The run that dirtywork has made."""
    del tail
    named = _SLUG.search(head)
    return named[1].decode() if named else ""


def _standing(found: Launched) -> tuple[ListedState, str, int | None]:
    ended = found.ended()
    if ended is not None:
        problem = ended.get("problem")
        return "ended", f"it could not begin: {line(str(problem))}" if problem else _code(ended.get("code")), None
    identity = found.identity()
    if identity is None:
        return "ended", "its process is gone", None
    return "live", f"process {identity.pid} carries the mark that monitor gave it", identity.pid


def _code(code: object) -> str:
    if not isinstance(code, int):
        return "it has ended"
    return f"it ended by signal {-code}" if code < 0 else f"it ended with {code}"

"""Which paths lie in the project, which are temporary, and what a harness says when it takes an actor back."""

from __future__ import annotations

import re

from monitor.detectors.names import Names
from monitor.detectors.paths import canonical, inside
from monitor.events import RunStarted

_HOME = re.compile(
    r"(?:[A-Z]:)?/?|/root|/(?:home|Users)(?:/[^/]+)?|[A-Z]:/Users(?:/[^/]+)?|/data/data/[^/]+/files/home"
)
_TEMPORARY = re.compile(
    r"(?:/private)?(?:/var)?/tmp/|/(?:private/)?var/folders/|/dev/|/run/user/|/proc/|[A-Z]:/(?:.*/)?Temp/",
    re.IGNORECASE,
)
_PUT_BACK = re.compile(
    r"^\[(?P<to>.{1,1000}) is outside the project, so the working directory stays "
    r"|^\[That directory is outside the project; the working directory stays the same\]"
    r"|^Shell cwd was reset to ",
    re.MULTILINE,
)
_TAIL = 2_000
_ACTORS = 500


class Places:
    """Where each actor belongs and where it works."""

    def __init__(self) -> None:
        self.names = Names()
        self._started: dict[str, str] = {}
        """The folder each actor started in."""

    def started(self, event: RunStarted) -> None:
        """Take in where a run, or a sub-agent of it, works."""
        self.names.started(event)
        if event.cwd and event.actor not in self._started:
            self._started[event.actor] = canonical(event.cwd, self.names.project)
            if len(self._started) > _ACTORS:
                del self._started[next(iter(self._started))]

    @property
    def project(self) -> str:
        """The project's folder; empty where none is known, or where the session began in a home folder."""
        folder = canonical(self.names.project, "").rstrip("/") if self.names.project else ""
        return "" if _HOME.fullmatch(folder) else folder

    def belongs(self, key: str, actor: str) -> bool:
        """Whether a path lies where the actor is meant to work."""
        roots = (self.project, self._started.get("", ""), self._started.get(actor, ""))
        return any(root and (inside(key, root) or key.rstrip("/") == root.rstrip("/")) for root in roots)

    def copy(self) -> Places:
        """Another that goes on from here."""
        other = Places()
        other.names, other._started = self.names.copy(), dict(self._started)
        return other


def temporary(key: str) -> bool:
    """Whether a path is that of a temporary file, or of no file at all."""
    return _TEMPORARY.match(key) is not None


def put_back(output: str) -> str | None:
    """Where an actor went before the harness took it back; empty where that is not said, none where it was not."""
    found = _PUT_BACK.search(output[-_TAIL:])
    return None if found is None else (found["to"] or "")

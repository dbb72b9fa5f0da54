"""Finds pi's sessions: their files, and its stream of events."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from monitor.agents.fields import Object, raw, read_object
from monitor.agents.pi.decode import PiDecoder, is_aside, unwrapped
from monitor.agents.protocol import Found
from monitor.agents.single import Single, head_of

_AGENT = "pi"
_ID = re.compile(r"[0-9a-f]{8}[0-9a-f-]{0,28}")
BEGINS = re.compile(
    rb'\s*\{\s*"type"\s*:\s*"session"\s*,\s*(?:"version"\s*:\s*\d+\s*,\s*)?"id"\s*:\s*"[^"]*"\s*,\s*"timestamp"\s*:'
)
_HEADER = ("id", "timestamp", "cwd")
_FIRST = frozenset(("agent_start", "session_start"))
"""How a stream begins that has no header."""
_COMMANDS = frozenset(("prompt", "get_state", "get_commands", "set_model", "new_session", "get_messages"))
"""How a client begins, where its messages are kept as well."""
_LOOKED = 12
"""Lines looked at where the first does not tell."""
_MOST = 200
"""Sessions of a folder that are looked into."""


class PiRun(Single):
    """One session, in a file or from a pipe."""

    def __init__(self, path: Path | None, name: str = "") -> None:
        super().__init__(_AGENT, path, PiDecoder, role="session", shape="lines", name=name)
        self.title = path.stem.rpartition("_")[2] if path is not None and "_" in path.stem else self.title


class PiFinder:
    """Recognises what pi writes, whatever it is called."""

    def open(self, path: Path) -> Found | None:
        """The session in a file; in a folder of sessions, or in pi's own, the newest."""
        if path.is_dir():
            inner = path / "agent" / "sessions"
            return self._newest(inner if inner.is_dir() else path)
        return PiRun(path) if self.sniff(head_of(path)) else None

    def sniff(self, head: bytes) -> bool:
        """Whether a session's header stands first, or events of pi's stream."""
        lines = [line for line in head.splitlines() if line.strip()][:_LOOKED]
        if lines and (BEGINS.match(lines[0]) or _is_header(read_object(lines[0]))):
            return True
        kinds = [self._kind(line) for line in lines]
        if not kinds or kinds[0] is None:
            return False
        return kinds[0] in _FIRST or (kinds[0] in _COMMANDS and "agent_start" in kinds)

    def pipe(self, name: str) -> Found:
        """A stream that is piped in."""
        return PiRun(None, name)

    def named(self, session: str) -> Iterable[Found]:
        """The session with this id, or those whose ids begin so, in the usual folder; only names are read first."""
        if not _ID.fullmatch(session):
            return []
        paths = [path for path in sessions(home()) if path.stem.rpartition("_")[2].startswith(session)]
        exact = [path for path in paths if path.stem.endswith(f"_{session}")]
        return [found for path in sorted(exact or paths)[:_MOST] if (found := self.open(path)) is not None]

    def _kind(self, line: bytes) -> str | None:
        """What an event is; none for what is no event of pi's."""
        found = read_object(line)
        if isinstance(found, str):
            return None
        inner: Object = unwrapped(found)
        return raw(inner, "type") or ("" if is_aside(found) else None)

    def _newest(self, folder: Path) -> Found | None:
        dated: list[tuple[float, Path]] = []
        for path in sessions(folder):
            try:
                dated.append((path.stat().st_mtime, path))
            except OSError:
                continue
        paths = [path for _, path in sorted(dated, reverse=True)[:_MOST]]
        return next((found for path in paths if (found := self.open(path)) is not None), None)


FINDER = PiFinder()


def _is_header(found: Object | str) -> bool:
    """Whether an object is a session's header, in whatever order its fields stand."""
    return isinstance(found, dict) and raw(found, "type") == "session" and all(raw(found, key) for key in _HEADER)


def home() -> Path:
    """Where pi of this user keeps its sessions."""
    return Path(os.environ.get("PI_CODING_AGENT_DIR") or Path.home() / ".pi" / "agent").expanduser() / "sessions"


def sessions(folder: Path) -> Iterator[Path]:
    """The session files of a folder, and of the folders in it, one for each project."""
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return
    for entry in entries:
        if entry.suffix == ".jsonl":
            yield entry
        elif entry.name.startswith("--") and entry.is_dir():
            try:
                yield from sorted(entry.glob("*.jsonl"))
            except OSError:
                continue

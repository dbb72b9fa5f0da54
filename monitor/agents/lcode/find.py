"""Finds lcode's runs: a stream of events, a saved session, the result of a run, or a session by its id."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from monitor.agents.fields import Object, raw, read_object
from monitor.agents.lcode.decode import RESULT, SESSION, STREAM, LcodeDecoder
from monitor.agents.lcode.started import About, is_session
from monitor.agents.protocol import Found
from monitor.streams.files import read_head, read_lines
from monitor.streams.record import Input, Shape

_HEAD = 1 << 16
_LARGEST = 4 << 20
"""Bytes of a document that is looked at whole; of a larger one only how it begins."""
BEGINS_SESSION = re.compile(
    rb'\s*\{\s*"cwd"\s*:\s*"(?:[^"\\]|\\.)*"\s*,\s*"model"\s*:\s*"(?:[^"\\]|\\.)*"\s*,\s*"mode"\s*:\s*"(?:code|image|video)"'
    rb'\s*,\s*"image_model"\s*:'
)
_BEGINS_RESULT = re.compile(rb'\s*\{\s*"type"\s*:\s*"result"\s*,\s*"schema"\s*:\s*\d+\s*,\s*"lcode"\s*:')
_FIELDS = {
    "start": ("schema", "lcode", "session_id", "cwd"),
    "assistant": ("text", "tool_calls"),
    "tool_result": ("id", "name", "error", "output"),
    "result": ("schema", "lcode", "status", "tool_calls"),
}
"""What each event of a stream holds, so that another program's is not taken for lcode's."""
_LINE = re.compile(
    rb'\s*\{\s*"type"\s*:\s*"(?:start"\s*,\s*"schema"|assistant"\s*,\s*"text"|tool_result"\s*,\s*"id"|result"\s*,\s*"schema")'
)
"""How a line begins that is longer than the head."""
_ID = re.compile(r"\d{8}-\d{6}-[0-9a-f]{6}")
_PREFIX = re.compile(r"[0-9a-f-]{4,22}")
"""What may be the beginning of a session's id; shorter ones would match what nobody meant."""
_MOST = 100
"""Sessions of a folder that are looked into."""


class LcodeRun:
    """One run, in one file or from a pipe."""

    agent = "lcode"

    def __init__(self, path: Path | None, role: str, name: str) -> None:
        session = path.stem if path is not None and role == SESSION and _ID.fullmatch(path.stem) else ""
        self.title = session or name
        self._about = About(session)
        shape: Shape = "lines" if role == STREAM else "document"
        self._input = Input(0, name, role, path, shape)

    def inputs(self) -> Sequence[Input]:
        """The one."""
        return (self._input,)

    def decoder(self) -> LcodeDecoder:
        """A fresh one."""
        return LcodeDecoder(self._about)

    def project(self) -> Path | None:
        """Nothing tells: no file of lcode's names its process."""
        return None

    def alive(self) -> bool | None:
        """Nothing tells."""
        return None


class LcodeFinder:
    """Recognises what lcode writes, whatever it is called."""

    def open(self, path: Path) -> Found | None:
        """The run in a file; in a folder of sessions, or in lcode's own folder, the newest session."""
        try:
            return _folder(path) if path.is_dir() else _file(path)
        except OSError:
            return None

    def sniff(self, head: bytes) -> bool:
        """Whether this is the beginning of a stream, or of a later part of one."""
        line = next((line for line in head.splitlines() if line.strip()), b"")
        found = read_object(line)
        return _is_event(found) if isinstance(found, dict) else _LINE.match(line) is not None and len(line) >= _HEAD

    def pipe(self, name: str) -> Found:
        """A stream that is piped in."""
        return LcodeRun(None, STREAM, name)

    def named(self, session: str) -> Iterable[Found]:
        """The session with this id, or those whose ids begin so, in the usual folders; only names are read first."""
        if not _PREFIX.fullmatch(session):
            return []
        paths = sorted(path for folder in folders() for path in sessions(folder) if path.stem.startswith(session))
        exact = [path for path in paths if path.stem == session]
        return [found for path in exact or paths if (found := self.open(path)) is not None]


FINDER = LcodeFinder()


def _file(path: Path) -> Found | None:
    if not path.is_file():
        return None
    head = read_lines(path, _HEAD)
    if FINDER.sniff(head):
        return LcodeRun(path, STREAM, path.name)
    if not head.lstrip().startswith(b"{"):
        return None
    if BEGINS_SESSION.match(head):
        return LcodeRun(path, SESSION, path.name)
    if _BEGINS_RESULT.match(head):
        return LcodeRun(path, RESULT, path.name)
    data = read_head(path, _LARGEST + 1)
    found = read_object(data) if len(data) <= _LARGEST else ""
    return LcodeRun(path, SESSION, path.name) if isinstance(found, dict) and is_session(found) else None


def _is_event(found: Object) -> bool:
    """Whether an object is an event of lcode's; a start that failed gives a result of three fields."""
    if found.keys() == {"type", "status", "error"}:
        return raw(found, "type") == "result" and raw(found, "status") == "error"
    fields = _FIELDS.get(raw(found, "type"))
    return fields is not None and all(field in found for field in fields)


def _folder(folder: Path) -> Found | None:
    inner = folder / "sessions"
    dated = sorted(
        ((path.stat().st_mtime, path) for path in sessions(inner if inner.is_dir() else folder)), reverse=True
    )
    return next((found for _, path in dated[:_MOST] if (found := _file(path)) is not None), None)


def sessions(folder: Path) -> Iterator[Path]:
    """The session files of a folder, by their names."""
    try:
        names = [entry.name for entry in os.scandir(folder)]
    except OSError:
        return
    for name in names:
        if name.endswith(".json") and _ID.fullmatch(name.removesuffix(".json")):
            yield folder / name


def folders() -> list[Path]:
    """Where lcode of this user keeps its sessions: the agent may have been started in another environment."""
    usual = Path.home() / ".local/state"
    states = [Path(home) for home in (os.environ.get("LCODE_HOME"),) if home]
    states += [Path(state) / "lcode" for state in (os.environ.get("XDG_STATE_HOME"), str(usual)) if state]
    return list(dict.fromkeys(state.expanduser() / "sessions" for state in states))

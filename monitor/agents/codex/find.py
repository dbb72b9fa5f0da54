"""Finds Codex's runs: a rollout file, a stream of `codex exec --json`, the wire of an app-server, or a thread by its id."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import psutil

from monitor.agents.codex.decode import ATTACHED, ROLLOUT, STREAM, WIRE, CodexDecoder
from monitor.agents.codex.frame import read as read_frame
from monitor.agents.codex.kin import THREAD, Kin, rollouts, root_of, thread_of
from monitor.agents.codex.process import can_tell, home, still, writer
from monitor.agents.codex.started import is_start
from monitor.agents.fields import raw, read_object
from monitor.agents.protocol import Process
from monitor.agents.single import head_of
from monitor.streams.record import Input

_PREFIX = re.compile(r"[0-9a-f-]{4,36}")
"""What may be the beginning of a thread's id; shorter ones would match what nobody meant."""
_BEGINS = re.compile(rb'\s*\{"timestamp":"[^"]*",(?:"ordinal":\d+,)?"type":"session_meta","payload":\{')
"""How a first line begins that is longer than the head."""
_SERVED = frozenset({"thread/started", "turn/started", "item/started", "thread/start", "thread/resume", "turn/start"})
"""Messages by one of which the wire of an app-server is known."""
_LINES = 50
"""Lines of a head that are looked at for them."""
_STREAMED = re.compile(rf'\s*\{{\s*"type"\s*:\s*"thread\.started"\s*,\s*"thread_id"\s*:\s*"{THREAD}"'.encode())


class Thread:
    """One thread with its sub-agents, in their rollouts, or from a pipe."""

    agent = "codex"

    def __init__(self, path: Path | None, role: str, name: str) -> None:
        self.session = thread_of(path) if path is not None else ""
        """The thread's id; empty where nothing tells it."""
        self.title = self.session or name
        self._path = path
        self._input = Input(0, name, role, path)
        self._inputs = [self._input]
        self._kin = Kin(path, self.session) if path is not None and role == ROLLOUT else None
        self._process: Process | None = None

    def inputs(self) -> Sequence[Input]:
        """Its own, those of its sub-agents, and what its server says to a client that has attached."""
        if self._kin is not None:
            self._kin.join(self._inputs)
        return tuple(self._inputs)

    def attach(self, log: Path) -> None:
        """What its server says is written down there; the log of one client at a time."""
        if all(one.role != ATTACHED for one in self._inputs):
            self._inputs.append(Input(len(self._inputs), "app-server", ATTACHED, log))

    def decoder(self) -> CodexDecoder:
        """A fresh one."""
        return CodexDecoder()

    def process(self) -> Process | None:
        """The process that writes the rollout."""
        if self._path is None or self._input.role != ROLLOUT:
            return None
        if self._process is None or not still(self._process, self._path):
            self._process = writer(self._path)
        return self._process

    def project(self) -> Path | None:
        """The folder that this process works in; the daemon of several threads works in none."""
        process = self.process()
        try:
            told = psutil.Process(process.pid) if process is not None else None
            return Path(told.cwd()) if told is not None and "app-server" not in told.cmdline() else None
        except (psutil.Error, OSError):
            return None

    def alive(self) -> bool | None:
        """Whether a process holds the rollout open; none for a stream, and where this machine does not tell."""
        if self._path is None or self._input.role != ROLLOUT or not can_tell():
            return None
        return self.process() is not None


class CodexFinder:
    """Recognises what Codex writes, whatever it is called."""

    def open(self, path: Path) -> Thread | None:
        """The run in a file; in a folder of sessions, or in Codex's own folder, the newest thread."""
        try:
            return _folder(path) if path.is_dir() else _file(path)
        except OSError:
            return None

    def sniff(self, head: bytes) -> bool:
        """Whether this is the beginning of a rollout or of a stream."""
        return _role(head) in (ROLLOUT, STREAM)

    def pipe(self, name: str) -> Thread:
        """A stream that is piped in."""
        return Thread(None, STREAM, name)

    def named(self, session: str) -> Iterable[Thread]:
        """The threads whose id begins like this; only names of files are read."""
        wanted = session.lower()
        if not _PREFIX.fullmatch(wanted):
            return []
        paths = (path for path in rollouts(home() / "sessions") if thread_of(path).startswith(wanted))
        return [found for path in paths if (found := _file(path)) is not None]


FINDER = CodexFinder()


def _folder(folder: Path) -> Thread | None:
    inner = folder / "sessions"
    within = inner if inner.is_dir() else folder
    return next((found for path in rollouts(within) if (found := _file(root_of(path, within)))), None)


def _file(path: Path) -> Thread | None:
    head = head_of(path)
    role = _role(head)
    return Thread(path, role, path.name) if role is not None else None


def _role(head: bytes) -> str | None:
    line = next((line for line in head.splitlines() if line.strip()), b"")
    if _STREAMED.match(line):
        return STREAM
    if _BEGINS.match(line):
        found = read_object(line)
        return ROLLOUT if isinstance(found, str) or is_start(found) else None
    found = read_object(line)
    if isinstance(found, dict) and raw(found, "type") == "session_meta" and is_start(found):
        return ROLLOUT
    return WIRE if isinstance(found, dict) and read_frame(found) is not None and _is_served(head) else None


def _is_served(head: bytes) -> bool:
    """Whether one of the first messages is an app-server's."""
    for line in [line for line in head.splitlines() if line.strip()][:_LINES]:
        found = read_object(line)
        frame = read_frame(found) if isinstance(found, dict) else None
        if frame is not None and frame.method in _SERVED:
            return True
    return False

"""Finds Codex's runs: a rollout file, a stream of `codex exec --json`, the wire of an app-server, or a thread by its id."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import psutil

from monitor.agents.codex.decode import ATTACHED, ROLLOUT, STREAM, WIRE, CodexDecoder
from monitor.agents.codex.frame import read as read_frame
from monitor.agents.codex.process import can_tell, home, still, writer
from monitor.agents.codex.started import is_start
from monitor.agents.fields import raw, read_object
from monitor.agents.protocol import Process
from monitor.agents.single import head_of
from monitor.streams.record import Input

THREAD = r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
ROLLOUT_NAME = re.compile(rf"rollout-(\d{{4}}-\d\d-\d\dT\d\d-\d\d-\d\d)-({THREAD})\.jsonl")
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
    """One thread, in its rollout or from a pipe."""

    agent = "codex"

    def __init__(self, path: Path | None, role: str, name: str) -> None:
        found = ROLLOUT_NAME.fullmatch(path.name) if path is not None else None
        self.session = found[2] if found else ""
        """The thread's id; empty where nothing tells it."""
        self.title = self.session or name
        self._path = path
        self._input = Input(0, name, role, path)
        self._process: Process | None = None
        self._attached: tuple[Input, ...] = ()

    def inputs(self) -> Sequence[Input]:
        """The one, and what its server says to a client that has attached."""
        return (self._input, *self._attached)

    def attach(self, log: Path) -> None:
        """What its server says is written down there; the log of one client at a time."""
        if not self._attached:
            self._attached = (Input(1, "app-server", ATTACHED, log),)

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


def rollouts(folder: Path) -> Iterator[Path]:
    """The rollouts in a folder of years, months and days, by their names, the newest day first."""
    for path in _below(folder, 3):
        try:
            found = sorted(path.iterdir(), reverse=True)
        except OSError:
            continue
        yield from (one for one in found if ROLLOUT_NAME.fullmatch(one.name))


def thread_of(path: Path) -> str:
    """The id of a rollout's thread, as its name tells it."""
    found = ROLLOUT_NAME.fullmatch(path.name)
    return found[2] if found else ""


def _below(folder: Path, depth: int) -> Iterator[Path]:
    """This folder and those of digits below it."""
    yield folder
    if not depth:
        return
    try:
        found = sorted((one for one in folder.iterdir() if one.name.isdecimal()), reverse=True)
    except OSError:
        return
    for one in found:
        yield from _below(one, depth - 1)


def _folder(folder: Path) -> Thread | None:
    inner = folder / "sessions"
    return next((found for path in rollouts(inner if inner.is_dir() else folder) if (found := _file(path))), None)


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

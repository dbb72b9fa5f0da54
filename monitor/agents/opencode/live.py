"""A session that a server of OpenCode works on, followed by the server's own events."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from monitor.agents.fields import raw
from monitor.agents.opencode.bridge import bridge
from monitor.agents.opencode.decode import OpenCodeDecoder
from monitor.agents.opencode.process import Running, running
from monitor.agents.opencode.server import REFUSED, Server, ServerError, server_at
from monitor.agents.protocol import Process
from monitor.config import state_folder
from monitor.errors import USAGE, MonitorError
from monitor.processes.identity import Identity, identify
from monitor.streams.reader import Reader
from monitor.streams.record import Input
from monitor.streams.sse import SseReader
from monitor.text import clean, line, shorten


class Live:
    """One session of a server."""

    agent = "opencode"

    def __init__(
        self, server: Server, session: str, folder: str, process: Process | None = None, *, ends: bool = False
    ) -> None:
        self._ends = ends
        self.server = server
        self.session = session
        self.title = clean(session)
        self.folder = folder
        self._process = process
        self._input = Input(0, server.shown, "server", opens=self._opened)
        self._ahead: SseReader | None = None
        """What hears it before it is read."""

    def inputs(self) -> Sequence[Input]:
        """The server's events."""
        return (self._input,)

    def hears(self, patience: float) -> bool:
        """Hear its events from now on, though nobody reads them yet; whether they are heard within so many seconds.

        What was heard belongs to the one who opens its input first.
        """
        if self._ahead is None:
            self._ahead = self._reader(self._input)
        return self._ahead.hears(patience)

    @property
    def deaf(self) -> str:
        """Why its events are not heard; empty where nothing tells."""
        return self._ahead.lost if self._ahead is not None else ""

    def hush(self) -> None:
        """Hear no more of what nobody reads."""
        ahead, self._ahead = self._ahead, None
        if ahead is not None:
            ahead.close()

    def decoder(self) -> OpenCodeDecoder:
        """A fresh one."""
        return OpenCodeDecoder(self.session, ends=self._ends)

    def identity(self) -> Identity | None:
        """The process that listens, verified."""
        return identify(self._process.pid, self._process.started) if self._process is not None else None

    def project(self) -> Path | None:
        """The session's folder, while the process that listens is known."""
        return Path(self.folder) if self.folder and self.identity() is not None else None

    def alive(self) -> bool | None:
        """Whether that process exists; none where it is not this user's to see."""
        return self.identity() is not None if self._process is not None else None

    def _opened(self, source: Input, wake: Callable[[], None]) -> Reader:
        ahead, self._ahead = self._ahead, None
        if ahead is None:
            return self._reader(source, wake)
        ahead.wake = wake
        return ahead

    def _reader(self, source: Input, wake: Callable[[], None] = lambda: None) -> SseReader:
        server, bridge = self.server, self.server.bridge
        return SseReader(
            source,
            state_folder("spool"),
            server.events(self.folder),
            headers=server.headers,
            through=bridge.reached if bridge is not None else None,
            missed=lambda: server.told(self.session, self.folder),
            refused=REFUSED,
            wake=wake,
        )


def at(target: str) -> Live | None:
    """The session that an address names, else the one its server works on, else its latest; none for no address.

    Raises `MonitorError` where it cannot be had.
    """
    found = server_at(target)
    if found is None:
        return None
    shown = shorten(line(target), 120)
    if isinstance(found, str):
        raise MonitorError(f"{shown}: {found}", "Give the address of its server, such as http://127.0.0.1:4096", USAGE)
    server, session = found
    try:
        server.healthy()
        entry = server.session(session) if session else _chosen(server)
    except ServerError as error:
        raise MonitorError(f"{shown}: {error.strerror}", "See that OpenCode runs there, with `--port`") from None
    if not raw(entry, "id"):
        raise MonitorError(f"{shown}: no session yet", "Give OpenCode something to do first")
    mine = next((one.process for one in running(ports=True) if server.port in one.ports), None)
    return Live(server, raw(entry, "id"), raw(entry, "directory"), mine)


def working_on(session: str, folder: str) -> Live | None:
    """A server of this machine that works on a session, or is the only process of OpenCode in its folder."""
    found = running(ports=True)
    alone = [one for one in found if one.folder == folder]
    for one in found:
        for server in _servers(one, folder):
            if _works(server, session, folder) or (alone == [one] and _knows(server, session)):
                return Live(server, session, folder, one.process)
    return None


def rivals(live: Live) -> Sequence[Running]:
    """Other processes of OpenCode that work in the session's folder, and may have it open."""
    mine = live.identity()
    return [one for one in running() if one.folder == live.folder and (mine is None or one.process.pid != mine.pid)]


def _servers(one: Running, folder: str) -> Iterator[Server]:
    """The ways into a process. By its plug-in none is asked of a folder it does not work in: it would make that ready."""
    yield from (Server(port) for port in one.ports)
    if one.folder == folder and (found := bridge(one.process)) is not None:
        yield Server(0, bridge=found)


def _chosen(server: Server) -> dict[str, object]:
    entries, works = server.sessions(), server.working("")
    return next((one for one in entries if raw(one, "id") in works), next(iter(entries), {}))


def _works(server: Server, session: str, folder: str) -> bool:
    try:
        return session in server.working(folder)
    except ServerError:
        return False


def _knows(server: Server, session: str) -> bool:
    try:
        return bool(server.session(session))
    except ServerError:
        return False

"""The wire to the keeper of an agent that monitor started, and how its socket is reached."""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from monitor.channels.hold import RESTS, Hold
from monitor.channels.wire import CHUNK, CLOSED, Outgoing
from monitor.keeping.connection import BUSY

_PATIENCE = 2.0
"""Seconds whoever listens has to take a connection that the system does not take for it."""
_AGAIN = 2.0
"""Seconds between two attempts to take over from a monitor that is connected already."""


class KeptWire:
    """Speaks to the keeper of an agent that monitor started.

    Where another monitor is connected, `again` opens another connection from time to time, until that one is gone.
    Without a connection it rests; whether it has one follows `hold`, since the keeper serves but one monitor.
    """

    def __init__(
        self,
        opened: socket.socket | None,
        again: Callable[[], socket.socket | None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
        hold: Hold | None = None,
    ) -> None:
        self.problem = "" if opened is not None else RESTS
        self.ended = False
        """The keeper said that the agent has ended."""
        self._again, self._clock, self._hold = again, clock, hold or Hold()
        self._next = 0.0
        self._busy = opened is None
        """There is no connection now, and there may be one later."""
        self._knocking = self._stops = False
        self._socket: socket.socket | None = None
        self._out: Outgoing | None = None
        if opened is not None:
            self._attach(opened)
        self._number = 0
        self._open: set[int] = set()
        self._news: list[tuple[int, str]] = []

    @property
    def waits(self) -> bool:
        """Whether lines are not yet in the agent's pipe, or the keeper has not yet answered."""
        return bool(self._open) or self._knocking

    def say(self, line: str) -> int:
        """Send a line."""
        self._number += 1
        self._open.add(self._number)
        self._order({"say": line, "n": self._number})
        return self._number

    def poll(self) -> list[tuple[int, str]]:
        """What the keeper says of lines."""
        if not self._hold.wanted:
            self._rest()
        elif self._busy and not self._knocking and self._clock() >= self._next:
            self._knock()
        try:
            if not self.problem or self._knocking:
                self._read()
            if not self.problem and self._out is not None:
                self._out.flush()
        except OSError as error:
            self.problem = f"the agent's keeper cannot be reached: {error.strerror}"
        if self.problem:
            if self._out is not None:
                self._out.drop()
            self._news += [(number, self.problem) for number in sorted(self._open)]
            self._open.clear()
        taken, self._news = self._news, []
        return taken

    def finish(self) -> None:
        """Close the agent's standard input after what was said."""
        self._order({"close": True})

    def stop_with_us(self, *, stop: bool) -> None:
        """Whether the agent is to be ended when this monitor dies."""
        self._stops = stop
        self._order({"on_exit": "stop" if stop else "go-on"})

    def close(self) -> None:
        """Let go; the agent goes on."""
        self.problem = self.problem or CLOSED
        self._busy = self._knocking = False
        self._hang_up()

    def _hang_up(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = self._out = None

    def _rest(self) -> None:
        """Leave the keeper to another monitor, once nothing is under way; the next wish is followed at once."""
        if not self._open and not self._out and (self._busy or not self.problem):
            self._hang_up()
            self.problem, self._busy, self._knocking, self._next = RESTS, True, False, 0.0

    def _attach(self, opened: socket.socket) -> None:
        opened.setblocking(False)
        self._socket = opened
        self._out = Outgoing(opened.fileno())
        self._buffer = bytearray()

    def _knock(self) -> None:
        self._next = self._clock() + _AGAIN
        if (opened := self._again()) is not None:
            self._hang_up()
            self._attach(opened)
            self._knocking = True
        elif self.problem == RESTS:
            self.problem = CLOSED

    def _order(self, what: dict[str, object]) -> None:
        if not self.problem and self._out is not None and not self._out.put(0, json.dumps(what).encode() + b"\n"):
            self.problem = "the agent's keeper does not answer"

    def _read(self) -> None:
        with suppress(BlockingIOError):
            while data := self._received():
                self._buffer += data
            self.problem = "the agent has ended" if self.ended else "the agent's keeper is gone"
            self._busy = self._knocking = False
        *lines, rest = bytes(self._buffer).split(b"\n")
        self._buffer = bytearray(rest)
        for line in lines:
            self._take(json.loads(line))

    def _received(self) -> bytes:
        """Nothing once it is cut off, whatever was not read by then: what came before stands in the buffer."""
        try:
            return self._socket.recv(CHUNK) if self._socket is not None else b""
        except ConnectionError:
            return b""

    def _take(self, said: dict[str, object]) -> None:
        number = said.get("n")
        if said.get("welcome") is False:
            self.problem = str(said.get("problem") or CLOSED)
            self._busy, self._knocking = self.problem == BUSY, False
        elif said.get("welcome") is True and self._knocking:
            self.problem, self._busy, self._knocking = "", False, False
            if self._stops:
                self.stop_with_us(stop=True)
        elif "ended" in said:
            self.ended = True
        elif isinstance(number, int) and number in self._open:
            self._open.discard(number)
            self._news.append((number, str(said.get("problem") or "")))


def connected(path: Path) -> socket.socket | None:
    """A connection to the socket at a path of any length; none where nobody listens, another user does, or none is taken.

    Where as many wait already as it lets wait, such as at a program that is stopped, the system would wait without end.
    """
    opened = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    opened.settimeout(_PATIENCE)
    try:
        if path.lstat().st_uid != os.geteuid():
            raise PermissionError
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            near = Path(f"/proc/self/fd/{folder}")
            opened.connect(str((near if near.exists() else path.parent) / path.name))
        finally:
            os.close(folder)
    except OSError:
        opened.close()
        return None
    opened.settimeout(None)
    return opened

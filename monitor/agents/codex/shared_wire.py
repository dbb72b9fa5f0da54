"""The wire to an app-server that several clients share, by its socket; what goes both ways is written down."""

from __future__ import annotations

import os
import socket
import struct
from pathlib import Path

from monitor.agents.codex.process import home
from monitor.channels.kept import connected
from monitor.channels.websocket import WebSocket
from monitor.keeping.store import Store, WireLog

_SOCKET = ("app-server-control", "app-server-control.sock")
_PATH = "/rpc"
_MOST = 256 << 20
"""Bytes that are written down."""


class SharedWire:
    """As a wire, for one client of the server."""

    def __init__(self, opened: socket.socket, log: Path) -> None:
        self._socket = WebSocket(opened, _PATH)
        self._log = WireLog(Store(log, most=_MOST))

    @property
    def problem(self) -> str:
        """Why nothing can be said any more."""
        return self._socket.problem

    @property
    def waits(self) -> bool:
        """Whether lines are under way."""
        return self._socket.waits

    def say(self, line: str) -> int:
        """Send a line."""
        self._log.sent(line.encode("utf-8", "replace"))
        return self._socket.say(line)

    def poll(self) -> list[tuple[int, str]]:
        """Lines that were sent or refused; what came is written down."""
        told = self._socket.poll()
        for text in self._socket.heard():
            self._log.came(text.replace(b"\n", b" ") + b"\n")
        return told

    def finish(self) -> None:
        """Hang up."""
        self._socket.finish()

    def close(self) -> None:
        """Let go of it; the server and its threads go on."""
        self._socket.close()


def reached(pid: int) -> socket.socket | None:
    """A connection to the app-server that this very process is; none where another listens, or it is not told who."""
    if not hasattr(socket, "SO_PEERCRED"):
        return None
    opened = connected(home().joinpath(*_SOCKET))
    if opened is None:
        return None
    told: tuple[int, int, int] = struct.unpack(
        "3i", opened.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    )
    if told[0] != pid or told[1] != os.geteuid():
        opened.close()
        return None
    return opened

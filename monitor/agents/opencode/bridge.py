"""The socket by which our plug-in reaches an OpenCode that listens on no port."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from monitor.agents.protocol import Process
from monitor.channels.kept import connected
from monitor.channels.named import CREDENTIALS, peer
from monitor.config import state_folder
from monitor.errors import MonitorError
from monitor.processes.identity import identify
from monitor.processes.table import read

_KNOCK = b"GET /global/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
_SOCKET = re.compile(r"[1-9]\d{0,9}\.sock")


def folder() -> Path:
    """Where the plug-in makes its sockets, each named by its process. Raises `MonitorError`."""
    return state_folder("opencode")


@dataclass(frozen=True, slots=True)
class Bridge:
    """The way into one process."""

    process: Process

    def reached(self) -> Path | None:
        """Its socket, as long as the very same process listens there; looked at anew before each use."""
        try:
            path = folder() / f"{self.process.pid}.sock"
        except MonitorError:
            return None
        opened = connected(path)
        if opened is None:
            return None
        with opened:
            listener = peer(opened)
        if CREDENTIALS and (listener is None or listener.pid != self.process.pid):
            return None
        return path if identify(self.process.pid, self.process.started) is not None else None


def bridge(process: Process) -> Bridge | None:
    """The way into a process that has loaded the plug-in; none into others."""
    found = Bridge(process)
    return found if found.reached() is not None else None


def release() -> None:
    """Knock at every socket, so that a plug-in whose file was removed lets go; those of processes that are gone are removed."""
    with suppress(MonitorError, OSError):
        for path in folder().iterdir():
            if not _SOCKET.fullmatch(path.name):
                continue
            if read(int(path.stem)) is None:
                path.unlink(missing_ok=True)
            elif (opened := connected(path)) is not None:
                with opened:
                    opened.sendall(_KNOCK)

"""A wire to an agent that listens by itself: on a socket named after its session, in the state folder."""

from __future__ import annotations

import re
import socket
import struct
from pathlib import Path

from monitor.channels.hold import RESTS, Hold
from monitor.channels.kept import connected
from monitor.channels.wire import NoWire, PlainWire, Wire
from monitor.processes.identity import Identity, identify

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
CREDENTIALS = hasattr(socket, "SO_PEERCRED")
"""Whether the kernel tells who listens."""
UNHEARD = "this agent listens on no socket"


class NamedWire:
    """Connects once the session is known; who listens is told by the kernel, where it tells.

    The connection is kept while `hold` wishes for it: an agent may well serve one monitor alone.
    """

    def __init__(self, folder: Path, hold: Hold | None = None) -> None:
        self._folder = folder
        self._hold = hold or Hold()
        self._session = ""
        self._wire: Wire = NoWire(UNHEARD)
        self._peer: Identity | None = None

    def know(self, session: str) -> None:
        """The session's name, as the agent tells it; one that could lead elsewhere is nobody's."""
        if self._peer is None and _NAME.fullmatch(session):
            self._session = session
            self._connect()

    def _connect(self) -> None:
        """Connect, unless the run is only watched: to look who listens would be to connect as well."""
        path = self._folder / f"{self._session}.sock"
        opened = connected(path) if self._hold.wanted else None
        if opened is not None:
            self._peer = peer(opened)
            self._wire = PlainWire(opened.detach())
        else:
            self._wire = NoWire(UNHEARD if self._hold.wanted or not path.is_socket() else RESTS)

    def identity(self) -> Identity | None:
        """The process that listens."""
        return identify(self._peer.pid, self._peer.begun) if self._peer is not None else None

    @property
    def problem(self) -> str:
        """Why nothing can be said."""
        return self._wire.problem

    @property
    def waits(self) -> bool:
        """Whether lines are under way."""
        return self._wire.waits

    def say(self, line: str) -> int:
        """Send a line."""
        return self._wire.say(line)

    def poll(self) -> list[tuple[int, str]]:
        """What became of lines."""
        rests = self._wire.problem == RESTS
        if self._hold.wanted and rests:
            self._connect()
        elif not self._hold.wanted and not rests and not self._wire.waits and not self._wire.problem:
            told = self._wire.poll()
            self._wire.close()
            self._wire = NoWire(RESTS)
            return told
        return self._wire.poll()

    def finish(self) -> None:
        """Hang up once all is said."""
        self._wire.finish()

    def close(self) -> None:
        """Hang up."""
        self._wire.close()


def peer(opened: socket.socket) -> Identity | None:
    """The process that listens at the other end; none where that is gone, or the kernel does not tell it."""
    if not CREDENTIALS:
        return None
    credentials = opened.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return identify(struct.unpack("3i", credentials)[0])

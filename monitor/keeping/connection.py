"""The two ends the keeper stands between: the monitor's socket, and the agent's standard input."""

from __future__ import annotations

import json
import os
import socket
import struct
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

_CHUNK = 1 << 16
_LONGEST = 8 << 20
"""Bytes of one line; a monitor that sends a longer one is cut off."""
_BACKLOG = 32 << 20
"""Bytes that wait for an agent which does not read; more is refused."""
BUSY = "another monitor already controls this run"


class Connection:
    """One monitor."""

    def __init__(self, opened: socket.socket) -> None:
        self.socket = opened
        self.closed = False
        self._buffer = bytearray()

    def read(self) -> list[dict[str, Any]]:
        """What it has said since."""
        try:
            data = self.socket.recv(_CHUNK)
        except BlockingIOError:
            return []
        except OSError:
            data = b""
        self._buffer += data
        *lines, rest = bytes(self._buffer).split(b"\n")
        self._buffer = bytearray(rest)
        self.closed = not data or len(rest) > _LONGEST
        said = []
        for line in lines:
            with suppress(ValueError, RecursionError):
                found = json.loads(line)
                said += [found] if isinstance(found, dict) else []
        return said

    def send(self, what: dict[str, Any]) -> None:
        """Answer it; one that does not read its answers misses them."""
        with suppress(OSError):
            self.socket.send(json.dumps(what).encode() + b"\n")


class Pipe:
    """The agent's standard input, filled as fast as the agent reads and no faster."""

    def __init__(self, stream: IO[bytes] | None) -> None:
        self._stream = stream
        self._closing = stream is None
        self._queue: deque[tuple[object, bytearray]] = deque()
        self._waiting = 0
        self._answers: list[tuple[object, str]] = []
        if stream is not None:
            os.set_blocking(stream.fileno(), False)

    @property
    def waits(self) -> bool:
        """Whether something is still to be written, or an answer to be given."""
        return bool(self._queue or self._answers)

    def say(self, line: bytes, number: object) -> None:
        """Write a line when its turn comes."""
        if self._closing:
            self._answers.append((number, "its standard input is closed"))
        elif self._waiting + len(line) > _BACKLOG:
            self._answers.append((number, "it does not read its standard input"))
        else:
            self._waiting += len(line)
            self._queue.append((number, bytearray(line)))

    def finish(self) -> None:
        """Close it once all is written."""
        self._closing = True

    def flush(self) -> None:
        """Write what the pipe takes now."""
        try:
            while self._queue and self._stream is not None:
                number, line = self._queue[0]
                wrote = os.write(self._stream.fileno(), line[:_CHUNK])
                self._waiting -= wrote
                del line[:wrote]
                if not line:
                    self._queue.popleft()
                    self._answers.append((number, ""))
        except BlockingIOError:
            return
        except OSError as error:
            self.break_off(f"its standard input is broken: {error.strerror}")
        if self._closing and not self._queue and self._stream is not None:
            self._close()

    def break_off(self, why: str) -> None:
        """Nothing more can be written; what waited is answered so."""
        self._closing = True
        self._answers += [(number, why) for number, _ in self._queue]
        self._queue.clear()
        self._close()

    def answers(self) -> list[tuple[object, str]]:
        """What became of lines since asked last: by number, empty or the problem."""
        taken, self._answers = self._answers, []
        return taken

    def _close(self) -> None:
        if self._stream is not None:
            with suppress(OSError):
                self._stream.close()
            self._stream = None


def listening(folder: Path) -> socket.socket:
    """A socket in the folder, which is the working folder: the path of a socket may not be long."""
    with suppress(FileNotFoundError):
        (folder / "control.sock").unlink()
    opened = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    opened.bind("control.sock")
    opened.listen(8)
    opened.setblocking(False)
    return opened


def accepted(listener: socket.socket, *, busy: bool) -> Connection | None:
    """The monitor that knocks, if it is this user's and no other is connected."""
    try:
        opened, _ = listener.accept()
    except OSError:
        return None
    opened.setblocking(False)
    connection = Connection(opened)
    refused = "not this user's" if not _same_user(opened) else BUSY if busy else ""
    connection.send({"welcome": not refused, "problem": refused})
    if refused:
        opened.close()
        return None
    return connection


def _same_user(opened: socket.socket) -> bool:
    if not hasattr(socket, "SO_PEERCRED"):
        return True
    credentials = opened.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return bool(struct.unpack("3i", credentials)[1] == os.geteuid())

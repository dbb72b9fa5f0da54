"""A real terminal, as seen from its other side."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pyte

HERE = Path(__file__).resolve().parent
CHILD = HERE / "ui_child.py"


class Terminal:
    """Starts the screen over a scene, or another command, in a pty and keeps every byte it writes."""

    def __init__(
        self, scene: str, columns: int = 120, rows: int = 36, command: tuple[str, ...] = (), **environment: str
    ) -> None:
        self.written = bytearray()
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            self._become(command or (str(CHILD), scene), columns, rows, environment)
        self.status: int | None = None

    def _become(self, command: tuple[str, ...], columns: int, rows: int, environment: dict[str, str]) -> None:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        path = os.pathsep.join([str(HERE), str(HERE.parents[1])])
        new = {**kept, "TERM": "xterm-256color", "COLORTERM": "truecolor", "PYTHONPATH": path, **environment}
        os.execve(sys.executable, [sys.executable, *command], {k: v for k, v in new.items() if v})

    def until(self, done: Callable[[], bool], seconds: float = 30) -> None:
        """Read until a condition holds; fail when it does not in time."""
        end = time.monotonic() + seconds
        while not done():
            left = end - time.monotonic()
            assert left > 0, "\n".join(self.lines)
            if not self._read(min(left, 0.2)) and self._gone():
                self.wait()
                assert done(), "\n".join(["the screen went away:", *self.lines])

    @property
    def settings(self) -> list[object]:
        """How the terminal is set: echo, whole lines, signals by keys."""
        return termios.tcgetattr(self.fd)[:4]

    @property
    def lines(self) -> list[str]:
        """The screen as text; pyte's own `display` stumbles over emoji that are joined."""
        buffer, columns = self.screen.buffer, self.screen.columns
        return ["".join(buffer[y][x].data for x in range(columns)) for y in range(self.screen.lines)]

    def shows(self, words: str) -> bool:
        """Whether the words stand on the screen."""
        return any(words in line for line in self.lines)

    def press(self, keys: str) -> None:
        """Type."""
        os.write(self.fd, keys.encode())

    def wait(self, seconds: float = 60) -> int:
        """The exit code, all output read; fail with what the screen shows when it does not end in time."""
        end = time.monotonic() + seconds
        while self.status is None:
            assert time.monotonic() < end, "\n".join(["it goes on:", *self.lines])
            self._read(0.2)
            self._gone()
        while self._read(0):
            pass
        return self.status

    def _gone(self) -> bool:
        """Whether it has ended; its exit code is kept."""
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self.status = os.waitstatus_to_exitcode(status) if pid else None
        return self.status is not None

    def _read(self, seconds: float) -> bool:
        """Whether there was output within that time."""
        data = b""
        if select.select([self.fd], [], [], seconds)[0]:
            with suppress(OSError):  # Linux says so where the other side is closed.
                data = os.read(self.fd, 65536)
        self.written += data
        self.stream.feed(data)
        return bool(data)

    def close(self) -> None:
        """End what still runs."""
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.fd)

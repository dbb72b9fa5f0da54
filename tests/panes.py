"""A tmux server of a test's own, and a small program that writes down each byte its terminal gives it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
from waiting import until

from monitor.channels.pane import Pane, pane_of
from monitor.channels.tmux import Server
from monitor.processes.identity import Identity, identify

PATIENCE = 20.0
RECORDER = r"""
import os, re, subprocess, sys, tty
kind, heard, ready = sys.argv[1:4]
if kind == "behind":
    if pid := os.fork():
        os.waitpid(pid, 0)
        sys.exit()
    os.setpgid(0, 0)
if kind != "lines":
    tty.setraw(0, 0) if kind != "behind" else None
child = subprocess.Popen(["sleep", "300"]) if kind == "editor" else None
sys.stdout.write("\x1b[?2004h" if kind != "plain" else "ready")
sys.stdout.flush()
open(ready + ".new", "w").write(str(os.getpid()))
os.rename(ready + ".new", ready)
if kind == "behind":
    __import__("time").sleep(300)
with open(heard, "ab", 0) as file:
    while data := os.read(0, 65536):
        file.write(data)
        if kind == "asks":
            os.write(1, b"\r\nDo you want to continue?\r\n> 1. Yes, continue\r\n")
        elif kind != "mute":
            os.write(1, re.sub(rb"\x1b\[\d+~|[\x00-\x09\x0b-\x1f]", b"", data).replace(b"\n", b"\r\n"))
"""


class Seat:
    """One pane with the recorder in it."""

    def __init__(self, tmux: Tmux, folder: Path, name: str) -> None:
        self.tmux = tmux
        self.heard = folder / f"{name}.heard"
        self.ready = folder / f"{name}.ready"
        self.heard.touch()

    @property
    def identity(self) -> Identity:
        """The recorder's process."""
        pid = int(str(until(lambda: self.ready.exists() and self.ready.read_text(), "the recorder")))
        found = identify(pid)
        assert found is not None
        return found

    def pane(self) -> Pane:
        """The pane as it is found by the process."""
        found = pane_of(self.identity)
        assert isinstance(found, Pane), found
        return found

    def end(self) -> None:
        """End the recorder, which may have outlived its pane."""
        with suppress(psutil.Error, ProcessLookupError):
            pid = int(self.ready.read_text()) if self.ready.exists() else 0
            if pid and str(self.heard) in psutil.Process(pid).cmdline():
                os.kill(pid, signal.SIGKILL)

    def hears(self, end: bytes) -> bytes:
        """Wait until it has read something that ends like this; all it has read."""
        until(lambda: self.heard.read_bytes().endswith(end), f"{end!r} after {self.heard.read_bytes()!r}")
        return self.heard.read_bytes()


class Tmux:
    """A server on a socket of its own, without anybody's configuration."""

    def __init__(self, folder: Path) -> None:
        self._home = Path(tempfile.mkdtemp(prefix="mt"))
        self._folder = folder
        self._seats: list[Seat] = []
        self.path = self._home / "s"

    def run(self, *words: str) -> str:
        """A command of tmux."""
        keep = {"PATH": os.environ["PATH"], "HOME": str(self._home), "TERM": "xterm-256color", "LANG": "C.UTF-8"}
        command = ["tmux", "-f", "/dev/null", "-S", str(self.path), *words]
        done = subprocess.run(command, env=keep, capture_output=True, text=True, check=True, timeout=PATIENCE)
        return done.stdout.strip()

    def seat(self, kind: str = "raw") -> Seat:
        """A pane with the recorder."""
        seat = Seat(self, self._folder, f"{kind}{len(self._seats)}")
        self._seats.append(seat)
        words = [sys.executable, "-c", RECORDER, kind, str(seat.heard), str(seat.ready)]
        self.open(*words)
        until(seat.ready.exists, "the recorder")
        return seat

    def open(self, *words: str) -> None:
        """Run a command in a pane."""
        new = (
            ["new-window", "-d"] if self.path.exists() else ["new-session", "-d", "-s", "work", "-x", "100", "-y", "30"]
        )
        self.run(*new, *words)

    def reads_keys(self, pane: str) -> bool:
        """Whether the program in a pane is given each key; before that the terminal itself shows what is typed."""
        terminal = os.open(self.run("display-message", "-p", "-t", pane, "#{pane_tty}"), os.O_RDONLY | os.O_NOCTTY)
        try:
            return not termios.tcgetattr(terminal)[3] & termios.ICANON
        finally:
            os.close(terminal)

    def server(self) -> Server:
        """As monitor speaks to it."""
        return Server(self.path)

    def end(self) -> None:
        """End it, and all that runs in it."""
        subprocess.run(
            ["tmux", "-S", str(self.path), "kill-server"], capture_output=True, check=False, timeout=PATIENCE
        )
        for seat in self._seats:
            seat.end()
        shutil.rmtree(self._home, ignore_errors=True)


@contextmanager
def tmux_server(folder: Path) -> Iterator[Tmux]:
    """A server for one test."""
    server = Tmux(folder)
    try:
        yield server
    finally:
        server.end()

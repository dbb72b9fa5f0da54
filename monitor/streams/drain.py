"""Empties a pipe into a spool as fast as it fills, so that a slow monitor never slows the agent."""

from __future__ import annotations

import fcntl
import os
import select
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from monitor.streams.lines import CHUNK
from monitor.streams.spool import Spool

_PARTING = 5.0
"""Seconds a thread that is stuck in a write to a failing disk is waited for."""


@dataclass(slots=True)
class Hole:
    """Bytes that could not be kept, between two that were."""

    offset: int
    """Where in the spool they are missing."""
    why: str
    lost: int = 0
    over: bool = False
    """Whether what came after it is kept again."""


class Drain:
    """A thread that reads a pipe to its end. It takes the descriptor over."""

    def __init__(self, descriptor: int, spool: Spool, wake: Callable[[], None]) -> None:
        self._descriptor = descriptor
        self._spool = spool
        self._wake = wake
        self.holes: deque[Hole] = deque()
        """The reader takes away those that are over and that it has crossed."""
        self.lost = 0
        """Bytes that could not be kept."""
        self.ended = False
        """Whether the writer has closed its end, or the pipe broke: nothing is added any more."""
        self._stopped, self._stop = os.pipe()
        _widen(descriptor)
        self._thread = threading.Thread(target=self._run, name="pipe", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop reading; a writer that goes on finds its pipe broken. Doing it twice is doing it once."""
        if self._stop < 0:
            return
        os.close(self._stop)
        self._stop = -1
        self._thread.join(_PARTING)
        if not self._thread.is_alive():
            os.close(self._stopped)
            os.close(self._descriptor)

    def _run(self) -> None:
        poller = select.poll()
        poller.register(self._descriptor, select.POLLIN)
        poller.register(self._stopped, select.POLLIN)
        hole: Hole | None = None
        while data := self._next(poller):
            hole = self._keep(data, hole)
            self._wake()
        self.ended = True
        self._wake()

    def _next(self, poller: select.poll) -> bytes:
        while True:
            ready = [descriptor for descriptor, _ in poller.poll()]
            if self._stopped in ready:
                return b""
            try:
                return os.read(self._descriptor, CHUNK)
            except BlockingIOError:
                continue
            except OSError:
                return b""

    def _keep(self, data: bytes, hole: Hole | None) -> Hole | None:
        """Put it into the spool; the hole that is open afterwards. Within one, the rest of a line goes too."""
        if hole:
            rest = data.find(b"\n") + 1 or len(data)
            hole.lost += rest
            self.lost += rest
            data = data[rest:]
        kept = self._spool.append(data) if data else 0
        if hole and kept:
            hole.over = True
            hole = None
        missed = len(data) - kept
        if hole:
            hole.lost += missed
        elif missed:
            hole = Hole(self._spool.size, self._spool.problem, missed)
            self.holes.append(hole)
        self.lost += missed  # counted last: who sees that bytes are lost sees where
        return hole


def _widen(descriptor: int) -> None:
    """Let the pipe hold a megabyte, so that the writer seldom waits; it stays as it is where that is refused."""
    with suppress(OSError, AttributeError):
        fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, CHUNK)

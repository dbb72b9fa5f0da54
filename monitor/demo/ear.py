"""What the scripted agent hears: control lines on its standard input, as the README lays them down."""

from __future__ import annotations

import json
import os
import select
import stat
from collections import deque
from contextlib import suppress

_CHUNK = 1 << 16
_LONGEST = 1 << 20
"""Bytes of a line; a longer one is left out."""


class Ear:
    """Reads without waiting; a terminal, a file or nothing at all is not listened to."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._buffer = b""
        self._messages: deque[str] = deque()
        self.aborted = False
        """Whether it was told to stop."""
        self.open = False
        """Whether anything may still be said."""
        with suppress(OSError):
            mode = os.fstat(descriptor).st_mode
            self.open = stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)

    def wait(self, seconds: float, waker: int) -> bool:
        """Wait so long for a word, or for the waker; whether the waker woke it."""
        watched = [waker, self._descriptor] if self.open else [waker]
        ready = select.select(watched, [], [], max(seconds, 0))[0]
        if self._descriptor in ready:
            self._read()
        return waker in ready

    def messages(self) -> list[str]:
        """The messages said since asked last, in order."""
        taken = list(self._messages)
        self._messages.clear()
        return taken

    def _read(self) -> None:
        data = b""
        with suppress(OSError):
            data = os.read(self._descriptor, _CHUNK)
        self.open = bool(data)
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        if len(self._buffer) > _LONGEST:
            self._buffer = b""
        for line in lines:
            self._hear(line)

    def _hear(self, line: bytes) -> None:
        """One control line; what is none is not understood, and left out."""
        with suppress(ValueError, RecursionError):
            told = json.loads(line)
            if not isinstance(told, dict):
                return
            if told.get("control") == "abort":
                self.aborted = True
            elif told.get("control") == "message" and isinstance(told.get("text"), str):
                self._messages.append(told["text"])

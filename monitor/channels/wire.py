"""The wire to an agent's standard input: lines go out as fast as they are taken, and nothing ever waits."""

from __future__ import annotations

import os
from collections import deque
from contextlib import suppress
from typing import Protocol

CHUNK = 1 << 16
_MOST = 16 << 20
"""Bytes that wait to be written; more is refused."""
CLOSED = "the connection is closed"


class Wire(Protocol):
    """Carries lines; each has a number, and what became of it is told once."""

    @property
    def problem(self) -> str:
        """Why nothing can be said any more; empty while it can."""

    @property
    def waits(self) -> bool:
        """Whether lines are under way."""

    def say(self, line: str) -> int:
        """Send a line without its end; its number."""

    def poll(self) -> list[tuple[int, str]]:
        """Lines that were taken, or refused with the reason, since asked last."""

    def finish(self) -> None:
        """Close the agent's standard input after what was said."""

    def close(self) -> None:
        """Let go of it."""


class Outgoing:
    """Bytes on their way into a descriptor that must not be waited for."""

    def __init__(self, descriptor: int) -> None:
        os.set_blocking(descriptor, False)
        self._descriptor = descriptor
        self._queue: deque[tuple[int, bytearray]] = deque()
        self._waiting = 0

    def put(self, number: int, data: bytes) -> bool:
        """Queue it; whether there was room."""
        if self._waiting + len(data) > _MOST:
            return False
        self._queue.append((number, bytearray(data)))
        self._waiting += len(data)
        return True

    def flush(self) -> list[int]:
        """Write what is taken now; the numbers of what was written whole. Raises OSError when it is broken."""
        done = []
        with suppress(BlockingIOError):
            while self._queue:
                number, data = self._queue[0]
                wrote = os.write(self._descriptor, data[:CHUNK])
                self._waiting -= wrote
                del data[:wrote]
                if not data:
                    self._queue.popleft()
                    done.append(number)
        return done

    def drop(self) -> list[int]:
        """Forget what waits; its numbers."""
        numbers = [number for number, _ in self._queue]
        self._queue.clear()
        self._waiting = 0
        return numbers

    def __bool__(self) -> bool:
        return bool(self._queue)


class NoWire:
    """Carries nothing, and says why."""

    waits = False

    def __init__(self, problem: str) -> None:
        self.problem = problem
        self._number = 0
        self._news: list[tuple[int, str]] = []

    def say(self, line: str) -> int:
        """Refuse it."""
        del line
        self._number += 1
        self._news.append((self._number, self.problem))
        return self._number

    def poll(self) -> list[tuple[int, str]]:
        """What was refused."""
        taken, self._news = self._news, []
        return taken

    def finish(self) -> None:
        """Nothing is open."""

    def close(self) -> None:
        """Nothing is held."""


class PlainWire:
    """Writes straight into a pipe or socket that the agent reads; it takes the descriptor over."""

    def __init__(self, descriptor: int) -> None:
        self.problem = ""
        self._descriptor = descriptor
        self._out = Outgoing(descriptor)
        self._number = 0
        self._finished = False
        self._news: list[tuple[int, str]] = []

    @property
    def waits(self) -> bool:
        """Whether lines are still to be written."""
        return bool(self._out)

    def say(self, line: str) -> int:
        """Send a line."""
        self._number += 1
        if self.problem or self._finished:
            self._news.append((self._number, self.problem or CLOSED))
        elif not self._out.put(self._number, line.encode("utf-8", "replace") + b"\n"):
            self._news.append((self._number, "the agent does not read its standard input"))
        return self._number

    def poll(self) -> list[tuple[int, str]]:
        """Lines that were written or refused."""
        try:
            if not self.problem:
                self._news += [(number, "") for number in self._out.flush()]
        except OSError as error:
            self.problem = f"the agent's standard input is broken: {error.strerror}"
        if self.problem:
            self._news += [(number, self.problem) for number in self._out.drop()]
        if self._finished and not self._out:
            self.close()
        taken, self._news = self._news, []
        return taken

    def finish(self) -> None:
        """Close it once all is written."""
        self._finished = True

    def close(self) -> None:
        """Close it now."""
        self.problem = self.problem or CLOSED
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

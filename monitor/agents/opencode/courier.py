"""Carries requests to a server without anybody waiting for the answers."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue

_MOST = 200
"""Requests that wait; more are refused."""


class Courier:
    """One thread, that runs while there is something to carry; requests go one after another."""

    def __init__(self) -> None:
        self._out: SimpleQueue[tuple[str, Callable[[], object]] | None] = SimpleQueue()
        self._back: SimpleQueue[tuple[str, str]] = SimpleQueue()
        self._under_way = 0
        self._thread: threading.Thread | None = None

    @property
    def waits(self) -> bool:
        """Whether an answer is still to come."""
        return self._under_way > 0

    def send(self, key: str, request: Callable[[], object]) -> None:
        """Carry it; what became of it comes under its key."""
        self._under_way += 1
        if self._under_way > _MOST:
            self._back.put((key, "too many requests wait for the server"))
            return
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="courier", daemon=True)
            self._thread.start()
        self._out.put((key, request))

    def poll(self) -> list[tuple[str, str]]:
        """Requests that were answered, each with why it failed, or nothing."""
        found = []
        while not self._back.empty():
            found.append(self._back.get())
        self._under_way -= len(found)
        return found

    def close(self) -> None:
        """Carry no more; what is under way is not waited for."""
        self._out.put(None)

    def _run(self) -> None:
        while (one := self._out.get()) is not None:
            key, request = one
            try:
                request()
            except OSError as error:
                self._back.put((key, error.strerror or str(error)))
            else:
                self._back.put((key, ""))

"""One instance of the kernel's inotify, for a thread that waits for its notices and others that end the wait."""

from __future__ import annotations

import math
import os
import select
from contextlib import suppress
from importlib import import_module
from pathlib import Path


class Instance:
    """Watches by number. Raises OSError where there is none to be had, and ImportError off Linux."""

    def __init__(self) -> None:
        self._inotify = import_module("inotify_simple").INotify(nonblocking=True)
        try:
            self._woken = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        except OSError:
            self._inotify.close()
            raise
        self._poll = select.poll()
        self._poll.register(self._inotify.fileno(), select.POLLIN)
        self._poll.register(self._woken, select.POLLIN)

    def watch(self, path: Path | str, mask: int) -> int:
        """Watch it; the same number for the same file or folder. Raises OSError."""
        return int(self._inotify.add_watch(path, mask))

    def let_go(self, watch: int) -> None:
        """Watch it no more; one that is gone already is no error."""
        with suppress(OSError):
            self._inotify.rm_watch(watch)

    def wait(self, timeout: float) -> tuple[bool, bool]:
        """Whether it was woken, and whether there are notices; neither after so many seconds."""
        ready = {descriptor for descriptor, _ in self._poll.poll(math.ceil(max(timeout, 0.0) * 1000))}
        woken = False
        if self._woken in ready:
            with suppress(BlockingIOError):
                woken = os.eventfd_read(self._woken) > 0
        return woken, self._inotify.fileno() in ready

    def read(self) -> list[tuple[int, int, str]]:
        """The notices there are now: the watch, what happened as bits, and to which name."""
        return [(watch, mask, name) for watch, mask, _, name in self._inotify.read(timeout=0)]

    def wake(self) -> None:
        """End the wait, or the next one; safe from any thread."""
        with suppress(BlockingIOError):
            os.eventfd_write(self._woken, 1)

    def close(self) -> None:
        """Watch nothing any more."""
        self._inotify.close()
        os.close(self._woken)

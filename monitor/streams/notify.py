"""Wakes a waiting thread when something it watches changes."""

from __future__ import annotations

import os
import stat
import threading
import time
from collections.abc import Callable
from pathlib import Path

from monitor.streams.inotify import EVERYTHING, Kernel
from monitor.streams.limits import explain

_INTERVAL = 0.25
"""Seconds between two looks at what the kernel gives no notice of."""
_SHARE = 20
"""A look that takes long is taken less often: at most this part of the time goes into looking."""
_LATE = "changes are looked for every 250 ms instead"

_Signature = tuple[object, ...]


class Notifier:
    """Waits for changes of files and folders, which need not exist yet.

    A file is watched through its folder, so that it may be replaced; a folder with all that lies directly in
    it. What the kernel gives no notice of (no inotify, or its limits are reached) is looked at every 250 ms,
    and `problem` says why. Only `wake` may be called from another thread. Changes on remote file systems, and
    renames of folders further up, go unnoticed: whoever waits should look by itself now and then.
    """

    def __init__(self) -> None:
        self.problem = ""
        """Why changes are noticed late, and what to do about it; empty when they are not."""
        self._paths: dict[Path, None] = {}
        self._polled: dict[Path, _Signature] = {}
        self._due = 0.0
        self._woken = threading.Event()
        self._closing = threading.Lock()
        self._kernel: Kernel | None = None
        try:
            self._kernel = Kernel()
        except OSError as error:
            self.problem = explain(error, "instances", _LATE)
        except ImportError:
            self.problem = "this system gives no notice of changes: they are looked for every 250 ms"

    def watch(self, path: Path) -> None:
        """Wake for changes of this file or folder too, from now on."""
        path = path.absolute()
        if path not in self._paths:
            self._paths[path] = None
            self._arm(path)

    def wait(self, timeout: float) -> bool:
        """Whether something watched has changed, or `wake` was called; false after `timeout` seconds."""
        deadline = time.monotonic() + timeout
        while True:
            if self._polled_changed():
                return True
            now = time.monotonic()
            step = max(min(deadline, self._due if self._polled else deadline) - now, 0.0)
            if self._rest(step):
                return True
            if now >= deadline:
                return False

    def wake(self) -> None:
        """End the wait, or the next one; safe from any thread, and after `close`."""
        self._woken.set()
        with self._closing:
            if self._kernel:
                self._kernel.wake()

    @property
    def slowed(self) -> int:
        """How many times as long whoever waits may leave between two looks of his own."""
        return 1

    def gathers(self, taken: int, *, keeps: bool) -> bool:
        """Whether what comes after so many events may wait a moment, where its times keep till then; here it never may."""
        del taken, keeps
        return False

    def turn(self, step: Callable[[], int]) -> int:
        """Make one round, and give what it gives; where several share a processor it may wait for theirs, here it never does."""
        return step()

    def hurry(self) -> None:
        """As `wake`, and whatever may wait does not."""
        self.wake()

    def close(self) -> None:
        """Watch nothing any more."""
        with self._closing:
            if self._kernel:
                self._kernel.close()
            self._kernel = None
        self._paths.clear()
        self._polled.clear()

    def _rest(self, step: float) -> bool:
        if not self._kernel:
            if not self._woken.wait(step):
                return False
            self._woken.clear()
            return True
        stirred = self._kernel.wait(step)
        if self._kernel.shaken:
            self._kernel.shaken = False
            for path in self._paths:
                self._arm(path)
        return stirred

    def _arm(self, path: Path) -> None:
        try:
            if self._kernel:
                for target in {path, Path(os.path.realpath(path))}:
                    self._kernel.add(*_perch(target))
                self._polled.pop(path, None)
                if not self._polled:
                    self.problem = ""
                return
        except OSError as error:
            self.problem = explain(error, "watches", _LATE)
        self._polled[path] = _signature(path)

    def _polled_changed(self) -> bool:
        started = time.monotonic()
        if not self._polled or started < self._due:
            return False
        changed = [path for path, before in self._polled.items() if _signature(path) != before]
        for path in changed:
            self._arm(path)
        self._due = started + max(_INTERVAL, (time.monotonic() - started) * _SHARE)
        return bool(changed)


def _perch(target: Path) -> tuple[Path, str]:
    """The folder to watch for a target, and the name in it; for one that is not there, as near as there is one."""
    if _is_folder(target):
        return target, EVERYTHING
    while target != target.parent and not _is_folder(target.parent):
        target = target.parent
    return target.parent, target.name


def _is_folder(path: Path) -> bool:
    try:
        return stat.S_ISDIR(path.stat().st_mode)
    except OSError:
        return False


def _signature(path: Path) -> _Signature:
    """What differs when a file, or anything directly in a folder, has changed."""
    try:
        there = path.stat()
        entries: frozenset[_Signature] = frozenset()
        if stat.S_ISDIR(there.st_mode):
            with os.scandir(path) as found:
                entries = frozenset((entry.name, *_marks(entry.stat(follow_symlinks=False))) for entry in found)
    except OSError as error:
        return (error.errno,)
    return (*_marks(there), entries)


def _marks(there: os.stat_result) -> _Signature:
    return there.st_dev, there.st_ino, there.st_size, there.st_mtime_ns, there.st_ctime_ns

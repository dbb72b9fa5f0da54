"""The kernel's own notices of what happens in folders (Linux)."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from monitor.streams.instance import Instance

_MODIFY, _ATTRIB, _CLOSE_WRITE = 0x2, 0x4, 0x8
_MOVED_FROM, _MOVED_TO, _CREATE, _DELETE = 0x40, 0x80, 0x100, 0x200
_DELETE_SELF, _MOVE_SELF = 0x400, 0x800
_UNMOUNT, _OVERFLOW, _IGNORED = 0x2000, 0x4000, 0x8000
_ONLY_FOLDERS, _NO_LINKS, _IS_FOLDER = 0x1000000, 0x2000000, 0x40000000
_BEGUN = _MODIFY | _CREATE
_ENDED = _ATTRIB | _CLOSE_WRITE | _MOVED_FROM | _MOVED_TO | _DELETE
_LEFT = _DELETE_SELF | _MOVE_SELF | _UNMOUNT | _IGNORED
_MASK = _BEGUN | _ENDED | _DELETE_SELF | _MOVE_SELF | _ONLY_FOLDERS | _NO_LINKS
"""Bits of inotify(7)."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something happened in a watched folder."""

    watch: int
    """Of which folder; -1 when notices were lost, so that it may be any."""
    name: str = ""
    """What it happened to; empty for the folder itself."""
    folder: bool = False
    """It happened to a folder."""
    ended: bool = True
    """False while a file is perhaps still being written: a notice of the end follows, or the writer keeps it open."""
    left: bool = False
    """The watched folder is gone, or went elsewhere."""


class Notices:
    """Watches folders, by one instance of inotify. Raises as that does."""

    def __init__(self) -> None:
        self._instance = Instance()
        self._closed = False
        self._ending = threading.Lock()
        """Held while it is woken or closed: once closed, its descriptor may be another file's."""

    def add(self, folder: str) -> int:
        """Watch a folder and what lies directly in it; the same number for the same folder. Raises OSError."""
        return self._instance.watch(folder, _MASK)

    def remove(self, watch: int) -> None:
        """Watch it no more; one that is gone already is no error."""
        self._instance.let_go(watch)

    def wait(self, timeout: float) -> None:
        """Return when there are notices, when woken, or after so many seconds."""
        self._instance.wait(timeout)

    def read(self) -> list[Notice]:
        """The notices there are now."""
        return [_notice(*one) for one in self._instance.read()]

    def wake(self) -> None:
        """End the wait, or the next one; safe from any thread, also once it is closed."""
        with self._ending:
            if not self._closed:
                self._instance.wake()

    def close(self) -> None:
        """Watch nothing any more."""
        with self._ending:
            self._closed = True
            self._instance.close()


def _notice(watch: int, mask: int, name: str) -> Notice:
    if mask & _OVERFLOW:
        return Notice(-1)
    folder = bool(mask & _IS_FOLDER)
    return Notice(watch, name, folder, ended=folder or not mask & _BEGUN, left=bool(mask & _LEFT))

"""Watches folders through the kernel's own notices (Linux)."""

from __future__ import annotations

from pathlib import Path

from monitor.streams.instance import Instance

_MODIFY, _ATTRIB, _CLOSE_WRITE, _AS_WELL = 0x2, 0x4, 0x8, 0x20000000
_MOVED_FROM, _MOVED_TO, _CREATE, _DELETE = 0x40, 0x80, 0x100, 0x200
_DELETE_SELF, _MOVE_SELF, _IGNORED, _OVERFLOW = 0x400, 0x800, 0x8000, 0x4000
_APPEARED = _MOVED_TO | _CREATE
_LEFT = _DELETE_SELF | _MOVE_SELF
_CONTENT = _MODIFY | _ATTRIB
_NAMES = _MOVED_FROM | _DELETE | _APPEARED | _LEFT
_MASK = _CONTENT | _CLOSE_WRITE | _NAMES
"""Bits of inotify(7). Of a file alone its closing tells nothing that its changing did not."""
EVERYTHING = ""
"""Stands for every name in a folder."""


class Kernel:
    """Watches names in folders, by one instance of inotify. Raises as that does."""

    def __init__(self) -> None:
        self._instance = Instance()
        self._names: dict[int, set[str]] = {}
        self._files: dict[tuple[int, str], int] = {}
        """The watch of the file that now has the name, in the folder of that watch."""
        self.shaken = False
        """Whether a watched name appeared, or a watched folder went, since it was last set to false."""

    def add(self, folder: Path, name: str) -> None:
        """Watch a name in a folder, which need not exist; raises OSError.

        What is written to a file is told of the file itself, so that its neighbours wake nobody; where that cannot be
        had, of all that lies in the folder.
        """
        mask = _MASK if name == EVERYTHING else _NAMES
        watch = self._instance.watch(folder, mask | _AS_WELL)
        self._names.setdefault(watch, set()).add(name)
        if name == EVERYTHING:
            return
        try:
            file = self._instance.watch(folder / name, _CONTENT | _AS_WELL)
        except FileNotFoundError:
            return
        except OSError:
            self._instance.watch(folder, _MASK | _AS_WELL)
            return
        self._names.setdefault(file, set()).add(EVERYTHING)
        old = self._files.get((watch, name), file)
        self._files[watch, name] = file
        if old not in self._files.values():
            self._let_go(old)

    def wait(self, timeout: float) -> bool:
        """Whether what is watched has changed, or `wake` was called; false after so many seconds at the latest."""
        stirred, noticed = self._instance.wait(timeout)
        for watch, mask, name in self._instance.read() if noticed else ():
            stirred |= self._concerns(watch, mask, name)
        return stirred

    def wake(self) -> None:
        """End the wait, or the next one; safe from any thread."""
        self._instance.wake()

    def close(self) -> None:
        """Watch nothing any more."""
        self._instance.close()

    def _let_go(self, watch: int) -> None:
        """What was watched goes on elsewhere, or is gone."""
        self._names.pop(watch, None)
        self._instance.let_go(watch)

    def _concerns(self, watch: int, mask: int, name: str) -> bool:
        if mask & _OVERFLOW:
            self.shaken = True
            return True
        names = self._names.get(watch)
        if names is None:
            return False
        if mask & (_LEFT | _IGNORED):
            self.shaken = True
            del self._names[watch]
            self._files = {there: file for there, file in self._files.items() if there[0] != watch}
            if mask & _MOVE_SELF:
                self._let_go(watch)
            return True
        if EVERYTHING not in names and name not in names:
            return False
        self.shaken |= bool(mask & _APPEARED)
        return True

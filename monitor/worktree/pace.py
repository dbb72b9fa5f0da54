"""When each file that stirred is looked at: at once, but for one still being written, or that never rests."""

from __future__ import annotations

from monitor.worktree.folders import Folder

_WRITING = 0.25
"""Seconds after which a file that is kept open for writing is looked at all the same."""
_RESTLESS = ((30, 10.0), (10, 1.0))
"""After so many looks in a row so many seconds pass before the next."""
_ROW = 1.5
"""Looks are in a row while each comes within so many seconds of the last, or so many times the pause between them."""
_REMEMBERED = 1_000

_Key = tuple[Folder, str]


class Pace:
    """The files to look at, each with its time; all times are of one clock that never goes back."""

    def __init__(self) -> None:
        self._due: dict[_Key, float] = {}
        self._looked: dict[_Key, tuple[float, int]] = {}
        """When a file was last looked at, and how many times in a row."""

    def stirred(self, folder: Folder, name: str, now: float, *, ended: bool) -> None:
        """Something happened to a file; `ended` where it is no longer being written."""
        key = folder, name
        last, times = self._looked.get(key, (0.0, 0))
        due = max(now if ended else now + _WRITING, last + _pause(times))
        self._due[key] = min(due, self._due.get(key, due))

    def take(self, now: float) -> list[_Key]:
        """The files whose time has come."""
        found = [key for key, due in self._due.items() if due <= now]
        for key in found:
            del self._due[key]
            last, times = self._looked.pop(key, (0.0, 0))
            self._looked[key] = (now, times + 1 if now - last < _ROW * max(_pause(times), 1.0) else 1)
        while len(self._looked) > _REMEMBERED:
            del self._looked[next(iter(self._looked))]
        return found

    def hurry(self, now: float) -> None:
        """Let every file's time have come."""
        self._due = dict.fromkeys(self._due, now)

    def next(self) -> float | None:
        """When the next file's time comes, or none."""
        return min(self._due.values(), default=None)


def _pause(times: int) -> float:
    return next((seconds for often, seconds in _RESTLESS if times >= often), 0.0)

"""When a file came to be as it is."""

from __future__ import annotations

from monitor.worktree.reach import status_at
from monitor.worktree.sight import Sight

_LATE = 1.0
"""Seconds after which a file that came is no longer taken for a new one."""
_GRAIN = 0.05
"""Seconds by which a file's time may lag behind the clock."""


class Dating:
    """Dates changes by the system's times, but never before the file was last seen as it was."""

    def __init__(self, top: str) -> None:
        self._top = top
        self._begun = self._lost = 0.0
        self.now = 0.0
        """The time of this look."""

    def look(self, now: float) -> None:
        """The folder is looked at now; the first time it is where all dates begin."""
        self.now = now
        self._begun = self._begun or now

    def lose(self) -> None:
        """The folder was found to be another, such as a disk mounted over it or taken away."""
        self._lost = self.now

    def at(self, path: str, was: Sight | None, sight: Sight) -> float:
        """Seconds since the epoch; where the system's time cannot be, when the folder was replaced, or else now."""
        at = self._told(path, was, sight)
        seen = max(was.seen if was else 0.0, self._begun)
        if at >= seen - _GRAIN:
            return at
        return self._lost if self._lost > seen else self.now

    def _told(self, path: str, was: Sight | None, sight: Sight) -> float:
        """When the system says so: a folder that moves leaves the times of what lies in it as they were."""
        folder = path.rpartition("/")[0]
        if not sight.there:
            return min(self._folder(folder) or self.now, self.now)
        at = sight.changed
        if was is not None and not was.there and at < self.now - _LATE:
            while folder:
                at = max(at, self._folder(folder))
                folder = folder.rpartition("/")[0]
        return min(at, self.now)

    def _folder(self, folder: str) -> float:
        try:
            return status_at(self._top, folder or ".").st_ctime
        except OSError:
            return 0.0

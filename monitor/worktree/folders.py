"""One folder of a watched tree: what lies in it, by what the system says of it."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, field

from monitor.worktree.counting import Scope
from monitor.worktree.reach import folder_at, status_at


@dataclass(slots=True, eq=False)
class Folder:
    """A folder that counts."""

    path: str
    """Below the top; empty for the top itself."""
    scope: Scope
    identity: tuple[int, int] = (0, 0)
    """What tells it from another that took its name."""
    watch: int = -1
    """The kernel's number; -1 where it gives no notice of this folder."""
    marks: dict[str, int] = field(default_factory=dict)
    """By name of each file and link a number that differs whenever the system says something else of it."""
    folders: dict[str, Folder] = field(default_factory=dict)
    hidden: set[str] = field(default_factory=set)
    """The folders in it that do not count."""
    known: bool = False
    """It was looked into; before that `scope` is that of the folder it lies in."""

    def at(self, name: str) -> str:
        """The path of what lies in the folder."""
        return f"{self.path}/{name}" if self.path else name


@dataclass(slots=True)
class Touch:
    """A file that may be another than it was."""

    folder: Folder
    name: str
    before: int | None
    """Its mark before; none where there was no such file."""
    status: os.stat_result | None
    """What the system says of it now; none where there is no such file."""

    @property
    def path(self) -> str:
        """Below the top."""
        return self.folder.at(self.name)


class Touched:
    """What was touched since it was last looked at: for each path the first mark and the latest status."""

    def __init__(self, *, blind: bool = False) -> None:
        self._found: dict[str, Touch] = {}
        self._blind = blind
        """Nothing is noted: all there is, is there from the start."""

    def add(self, folder: Folder, name: str, before: int | None, status: os.stat_result | None) -> None:
        """Note what was known of a file before, and what there is now."""
        if self._blind:
            return
        path = folder.at(name)
        old = self._found.get(path)
        self._found[path] = Touch(folder, name, before if old is None else old.before, status)

    def take(self) -> list[Touch]:
        """Those that are another by now; they are forgotten."""
        found = [one for one in self._found.values() if one.before != (mark_of(one.status) if one.status else None)]
        self._found.clear()
        return found

    def __len__(self) -> int:
        """How many paths were touched."""
        return len(self._found)


def mark_of(status: os.stat_result) -> int:
    """A number for what the system says of a file."""
    return hash((status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_mode))


def holds_content(status: os.stat_result) -> bool:
    """Whether it is a file or a link; whatever else it is, it holds no content."""
    return stat.S_ISREG(status.st_mode) or stat.S_ISLNK(status.st_mode)


def folds_case(top: str) -> bool:
    """Whether the disk takes names that differ only in case for one: then a name that is found need not be the file's."""
    try:
        names = listing(top, "")
        for name, status in names.items():
            other = name.swapcase()
            if other not in names:
                return os.path.samestat(status_at(top, other), status)
    except OSError:
        pass
    return False


def listing(top: str, path: str) -> dict[str, os.stat_result]:
    """What lies in a folder, links not followed; raises OSError."""
    found = {}
    with folder_at(top, path) as handle, os.scandir(handle) as entries:
        for entry in entries:
            try:
                found[entry.name] = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue
    return found

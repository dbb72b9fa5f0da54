"""What a file held when it was last seen, and what it holds now."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from dataclasses import dataclass, field

from monitor.worktree.contents import UNREAD, Algorithm
from monitor.worktree.listed import Line
from monitor.worktree.reach import read_at, target_at

LARGEST = 8 << 20
"""Bytes of a file that is read at every change; of a larger one nothing but that it changed is told."""
_LINK, _FILE, _PROGRAM = b"120000", b"100644", b"100755"


@dataclass(frozen=True, slots=True)
class Sight:
    """A file as it was seen at one moment."""

    mode: bytes = b""
    """As git writes it; empty where there was no file."""
    id: bytes = b""
    """Git's id of its raw bytes, in hex; empty where they were not read."""
    digest: str = ""
    """Their SHA-256, in hex; empty where only git's id is known."""
    data: bytes | None = field(default=None, repr=False)
    """The bytes themselves; none where they are not held."""
    changed: float = 0.0
    """When the system says it last changed, seconds since the epoch."""
    seen: float = field(default=0.0, compare=False)
    """When it was seen to be so; 0 where only a measurement tells."""

    @property
    def there(self) -> bool:
        """Whether there was a file."""
        return bool(self.mode)

    def bare(self, seen: float = 0.0) -> Sight:
        """The same without its bytes, as seen at a moment."""
        return Sight(self.mode, self.id, self.digest, None, self.changed, seen)

    def holds_same(self, other: Sight) -> bool:
        """Whether both are known to hold the same bytes."""
        if self.digest and other.digest:
            return self.digest == other.digest
        return bool(self.id) and self.id == other.id

    def same(self, other: Sight) -> bool:
        """Whether nothing differs that counts; what could not be read may differ."""
        if not (self.there and other.there):
            return self.there == other.there
        return self.mode == other.mode and self.holds_same(other)


ABSENT = Sight()


def listed(line: Line | None) -> Sight:
    """A file as a measurement found it."""
    return ABSENT if line is None else Sight(line.mode, b"" if line.mode == UNREAD else line.id)


def see(top: str, path: str, status: os.stat_result | None, algorithm: Algorithm) -> Sight:
    """Look at a file of which the system says so much; never raises."""
    if status is None:
        return ABSENT
    try:
        if stat.S_ISLNK(status.st_mode):
            return _sight(_LINK, target_at(top, path), status, algorithm)
        data, status = read_at(top, path, LARGEST)
    except OSError as error:
        gone = error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.EINVAL, 0)
        return ABSENT if gone else Sight(UNREAD, changed=status.st_ctime)
    return _sight(_PROGRAM if status.st_mode & stat.S_IXUSR else _FILE, data, status, algorithm)


def _sight(mode: bytes, data: bytes | None, status: os.stat_result, algorithm: Algorithm) -> Sight:
    if data is None:
        return Sight(mode, changed=status.st_ctime)
    found = hashlib.new(algorithm, b"blob %d\0" % len(data), usedforsecurity=False)
    found.update(data)
    return Sight(mode, found.hexdigest().encode(), hashlib.sha256(data).hexdigest(), data, status.st_ctime)

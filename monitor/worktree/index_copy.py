"""Copies git's index to where git may read it without touching the real one."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

from monitor.streams.files import open_quietly
from monitor.worktree.budget import MeasureError
from monitor.worktree.contents import Algorithm, key_of
from monitor.worktree.gitfiles import show
from monitor.worktree.gitindex import without_folders

_MOST = 1 << 30
"""Bytes of an index that are still read: those of several million files."""


def copy_index(gitdir: Path, target: Path, algorithm: Algorithm) -> bytes:
    """Copy the index with its times, which tell git what it must look at twice; the state of what was copied."""
    return b"".join(_copy(path, target / path.name, algorithm) for path in indexes(gitdir))


def indexes(gitdir: Path) -> list[Path]:
    """The index, and what a split index shares."""
    names = (path.name for path in gitdir.iterdir())
    return [gitdir / name for name in sorted(names) if name == "index" or name.startswith("sharedindex.")]


def read_index(source: Path, algorithm: Algorithm) -> tuple[bytes, os.stat_result] | None:
    """What an index holds, and what the system says of it; none where there is no such file."""
    try:
        number = open_quietly(source)
    except FileNotFoundError:
        return None
    with os.fdopen(number, "rb") as real:
        status = os.fstat(number)
        if not stat.S_ISREG(status.st_mode) or status.st_size > _MOST:
            raise MeasureError(f"{show(source)} is damaged: it is no index")
        data = real.read()
    size = hashlib.new(algorithm, usedforsecurity=False).digest_size
    checksum = hashlib.new(algorithm, data[:-size], usedforsecurity=False).digest()
    if data[-size:] not in (checksum, bytes(size)):
        raise MeasureError(f"{show(source)} is damaged: its checksum does not fit")
    return data, status


def _copy(source: Path, target: Path, algorithm: Algorithm) -> bytes:
    read = read_index(source, algorithm)
    if read is None:
        return b""
    data, status = read
    target.write_bytes(without_folders(data, algorithm))
    os.utime(target, ns=(status.st_atime_ns, status.st_mtime_ns))
    return key_of(status)

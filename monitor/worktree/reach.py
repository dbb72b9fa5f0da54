"""Reaches what lies in a folder without ever following a link, and without a trace on what is read."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager

from monitor.streams.files import pread_all

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_UNSEEN = getattr(os, "O_NOATIME", 0)


@contextmanager
def folder_at(top: str, path: str) -> Iterator[int]:
    """The handle of a folder below `top` (empty: `top` itself), reached part by part; raises OSError."""
    parts = path.split("/") if path else []
    if ".." in parts:
        raise OSError(0, "it leads upwards")
    handle = _opened(top, _FOLDER)
    try:
        for part in parts:
            inner = _opened(part, _FOLDER, handle)
            os.close(handle)
            handle = inner
        yield handle
    finally:
        os.close(handle)


def status_at(top: str, path: str) -> os.stat_result:
    """What lies at a path below `top`, links not followed; raises OSError."""
    folder, name = _parted(path)
    with folder_at(top, folder) as handle:
        return os.stat(name, dir_fd=handle, follow_symlinks=False)


def target_at(top: str, path: str) -> bytes:
    """Where a link leads; raises OSError. A link's own time of access is all that cannot be left as it was."""
    folder, name = _parted(path)
    with folder_at(top, folder) as handle:
        return os.fsencode(os.readlink(name, dir_fd=handle))


def read_at(top: str, path: str, most: int) -> tuple[bytes | None, os.stat_result]:
    """What a regular file holds, and what the system said of it before it was read.

    No bytes where there are more than `most`, or where the file changed meanwhile. Raises OSError, for anything but
    a regular file too: a device is not even opened.
    """
    folder, name = _parted(path)
    with folder_at(top, folder) as parent:
        _require_regular(os.stat(name, dir_fd=parent, follow_symlinks=False))
        handle = _opened(name, _FILE, parent)
    try:
        status = os.fstat(handle)
        _require_regular(status)
        data = pread_all(handle, status.st_size + 1, 0) if status.st_size <= most else None
        settled = data is not None and len(data) == status.st_size and _same(status, os.fstat(handle))
        return (data if settled else None), status
    finally:
        os.close(handle)


def _same(before: os.stat_result, after: os.stat_result) -> bool:
    return (before.st_size, before.st_mtime_ns, before.st_ctime_ns) == (
        after.st_size, after.st_mtime_ns, after.st_ctime_ns,
    )  # fmt: skip


def _parted(path: str) -> tuple[str, str]:
    folder, _, name = path.rpartition("/")
    if name == "..":
        raise OSError(0, "it leads upwards")
    return folder, name


def _require_regular(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise OSError(0, "it is no regular file")


def _opened(name: str, flags: int, folder: int | None = None) -> int:
    """Opened so that the time of access stays; only its owner may, so what is others' is opened plainly."""
    try:
        return os.open(name, flags | _UNSEEN, dir_fd=folder)
    except PermissionError:
        return os.open(name, flags, dir_fd=folder)

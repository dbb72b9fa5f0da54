"""Opens files of others for reading, and leaves no trace on them."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from monitor.errors import MonitorError

BOM = b"\xef\xbb\xbf"
"""The UTF-8 signature some programs begin a file with; it is no part of its text."""
WHOLE = 16 << 20
"""Bytes up to which the first lines of a log are read whole, to recognise it."""
_STEP = 1 << 18
_FLAGS = os.O_RDONLY | os.O_CLOEXEC | os.O_NOCTTY | os.O_NONBLOCK
_NOATIME = getattr(os, "O_NOATIME", 0)
_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def open_quietly(path: Path, there: os.stat_result | None = None) -> int:
    """A descriptor for a regular file; where the system permits, reading it leaves its access time as it was.

    Raises OSError, for anything but a regular file too. It is looked at before it is opened, since opening a
    device may act on it (`there`: what was just seen of it), and after, since it may have become another.
    """
    require_file(path.stat() if there is None else there)
    try:
        descriptor = os.open(path, _FLAGS | _NOATIME)
    except PermissionError:  # only the owner may leave the access time alone
        descriptor = os.open(path, _FLAGS)
    try:
        require_file(os.fstat(descriptor))
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def pread_all(descriptor: int, length: int, offset: int) -> bytes:
    """`length` bytes from `offset` on, fewer only at the end: one call may give less than it was asked for."""
    data = os.pread(descriptor, length, offset)
    if len(data) == length:
        return data
    held = bytearray(data)
    while data and len(held) < length:
        data = os.pread(descriptor, length - len(held), offset + len(held))
        held += data
    return bytes(held)


def require_file(there: os.stat_result) -> None:
    """Raise OSError for anything but a regular file."""
    if not stat.S_ISREG(there.st_mode):
        kind = _KINDS.get(stat.S_IFMT(there.st_mode), "something else")
        raise OSError(0, f"{kind}, not a file")


def refuse(path: Path) -> None:
    """Raise MonitorError for what can never be followed: a folder, a named pipe, a device.

    A file that is missing or closed to us is not refused: it may appear later.
    """
    try:
        there = path.stat()
    except OSError:
        return
    try:
        require_file(there)
    except OSError as error:
        raise MonitorError(f"{str(path)!r} is {error.strerror}", "Name a log file or a run's folder") from error


def identity(there: os.stat_result) -> tuple[int, int]:
    """What tells one file from another that took its name."""
    return there.st_dev, there.st_ino


def why(error: OSError) -> str:
    """The reason a file cannot be read, to stand after its name and a colon."""
    if isinstance(error, (FileNotFoundError, NotADirectoryError)):
        return "the file is gone"
    if isinstance(error, PermissionError):
        return "no permission to read the file"
    return f"the file cannot be read: {error.strerror or error}"


def read_head(path: Path, most: int) -> bytes:
    """The first bytes of a file, read without leaving a trace; raises OSError."""
    descriptor = open_quietly(path)
    try:
        return pread_all(descriptor, most, 0)
    finally:
        os.close(descriptor)


def read_lines(path: Path, most: int) -> bytes:
    """The first bytes of a file with the rest of the line they end in; without it where that ends beyond `WHOLE`.

    Raises OSError.
    """
    descriptor = open_quietly(path)
    try:
        head = pread_all(descriptor, most, 0)
        whole = len(head) < most or head.endswith(b"\n") or b"\0" in head
        return head if whole else head + _rest(descriptor, most)
    finally:
        os.close(descriptor)


def _rest(descriptor: int, begin: int) -> bytes:
    held = bytearray()
    while begin + len(held) < WHOLE:
        more = pread_all(descriptor, min(_STEP, WHOLE - begin - len(held)), begin + len(held))
        end = more.find(b"\n") + 1
        held += more[: end or None]
        if end or not more:
            return bytes(held)
    return b""

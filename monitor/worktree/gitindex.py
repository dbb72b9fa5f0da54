"""Reads a copy of git's index where git itself would do too much, or does not look closely enough."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator

from monitor.worktree.budget import MeasureError
from monitor.worktree.contents import Algorithm

_SPARSE = b"sdir\0\0\0\0"
"""The extension that says that entries may be folders."""
_STATUS, _MODE = 40, 24
"""Where the system's words on a file end within its entry, and where its mode stands in them."""
_FOLDER = 0o40000
_EXTENDED = 0x4000
_LENGTH = 0x0FFF


def without_folders(data: bytes, algorithm: Algorithm) -> bytes:
    """The index without whole folders that a sparse checkout left out; the same bytes where it has none.

    To spell such a folder out, git would write its trees anew, and so set the times of those in the real
    store. Without it, what reappears there is simply a file that the index does not know.
    """
    if _SPARSE not in data:
        return data
    kept: list[bytes] = []
    for at, start, name in _entries(data, algorithm):
        if struct.unpack_from(">I", data, at + _MODE)[0] != _FOLDER:
            kept.append(_padded(data[at:start] + name))
    body = b"DIRC" + struct.pack(">II", 3, len(kept)) + b"".join(kept)
    return body + hashlib.new(algorithm, body, usedforsecurity=False).digest()


def recent(data: bytes, algorithm: Algorithm, since: float) -> dict[bytes, int]:
    """The paths whose entry says that they changed at `since` (seconds since the epoch) or later, and when, in ns.

    Most builds of git compare whole seconds: a change within the second of the entry, of the same size and
    with its time put back, they do not see. In a split index a path may come without its name.
    """
    changed = struct.Struct(">II").unpack_from
    return {
        name: second * 1_000_000_000 + rest
        for (second, rest), name in ((changed(data, at), name) for at, _, name in _entries(data, algorithm))
        if second >= since
    }


def _entries(data: bytes, algorithm: Algorithm) -> Iterator[tuple[int, int, bytes]]:
    """Where each entry begins, where its name would, and the name."""
    try:
        version, count = struct.unpack_from(">II", data, 4)
        fixed = _STATUS + hashlib.new(algorithm, usedforsecurity=False).digest_size
        yield from _compressed(data, fixed, count) if version == 4 else _plain(data, fixed, count)
    except (struct.error, ValueError, IndexError) as error:
        raise MeasureError("the index is damaged") from error


def _plain(data: bytes, fixed: int, count: int) -> Iterator[tuple[int, int, bytes]]:
    flags_of = struct.Struct(">H").unpack_from
    at = 12
    for _ in range(count):
        flags = flags_of(data, at + fixed)[0]
        start = at + fixed + (4 if flags & _EXTENDED else 2)
        length = flags & _LENGTH
        end = start + length if length < _LENGTH else data.index(b"\0", start)
        yield at, start, data[start:end]
        at = end + 8 - (end - at) % 8


def _compressed(data: bytes, fixed: int, count: int) -> Iterator[tuple[int, int, bytes]]:
    """As version 4 writes it: each name is the one before, cut, and a rest."""
    at, name = 12, b""
    for _ in range(count):
        flags = struct.unpack_from(">H", data, at + fixed)[0]
        start = at + fixed + (4 if flags & _EXTENDED else 2)
        cut, begin = _number(data, start)
        end = data.index(b"\0", begin)
        name = name[: len(name) - cut] + data[begin:end]
        yield at, start, name
        at = end + 1


def _number(data: bytes, at: int) -> tuple[int, int]:
    """A number of as many bytes as it needs, and where it ends."""
    byte = data[at]
    found = byte & 0x7F
    while byte & 0x80:
        at += 1
        byte = data[at]
        found = ((found + 1) << 7) | (byte & 0x7F)
    return found, at + 1


def _padded(entry: bytes) -> bytes:
    """Ended by one to eight zero bytes, at a multiple of eight."""
    return entry + bytes(8 - len(entry) % 8)

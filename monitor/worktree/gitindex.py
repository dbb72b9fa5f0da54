"""Reads a copy of git's index where git itself would do too much, or does not look closely enough."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from monitor.worktree.budget import MeasureError
from monitor.worktree.contents import Algorithm

_SPARSE = b"sdir\0\0\0\0"
"""The extension that says that entries may be folders."""
_STATUS, _MODE = 40, 24
"""Where the system's words on a file end within its entry, and where its mode stands in them."""
_FOLDER = 0o40000
_EXTENDED = 0x4000
_LENGTH = 0x0FFF
_FLAGS, _SKIPPED = 2, 0x40
"""Bytes of an entry's flags before its further ones, and the bit in these that says it is left out."""
_HEAD = 8
"""Bytes of an extension before what it says: its name and its length."""
_VERSIONS = (b"\0\0\0\2", b"\0\0\0\3", b"\0\0\0\4")
DAMAGED = "the index is damaged"


class Named(NamedTuple):
    """What an index says of a path."""

    path: bytes
    """Empty in a split index where the other one has it."""
    mode: int
    left_out: bool
    """A sparse checkout leaves it out."""


def without_folders(data: bytes, algorithm: Algorithm) -> bytes:
    """The index without whole folders that a sparse checkout left out; the same bytes where it has none.

    To spell such a folder out, git would write its trees anew, and so set the times of those in the real
    store. Without it, what reappears there is simply a file that the index does not know.
    """
    if _SPARSE not in data:
        return data
    data = _spelled_out(data, algorithm)
    kept = [
        _padded(data[at:end])
        for at, _, end, _ in _entries(data, algorithm)
        if struct.unpack_from(">I", data, at + _MODE)[0] != _FOLDER
    ]
    return _index(kept, b"", algorithm)


def recent(data: bytes, algorithm: Algorithm, since: float) -> dict[bytes, int]:
    """The paths whose entry says that they changed at `since` (seconds since the epoch) or later, and when, in ns.

    Most builds of git compare whole seconds: a change within the second of the entry, of the same size and
    with its time put back, they do not see. In a split index a path may come without its name.
    """
    data = _spelled_out(data, algorithm)
    limit = since * 1_000_000_000
    return {data[start:end]: changed for _, start, end, changed in _entries(data, algorithm) if changed >= limit}


def named(data: bytes, algorithm: Algorithm) -> tuple[list[Named], bytes]:
    """The entries of an index, without folders; and how it is joined to the one that it shares, empty for no such.

    Raises `MeasureError` where it is damaged, or holds what only git can read.
    """
    if data[:4] != b"DIRC" or data[4:8] not in _VERSIONS:
        raise MeasureError(DAMAGED)
    data = _spelled_out(data, algorithm)
    flags, after = _fixed(algorithm), 12
    found = []
    for at, start, end, _ in _entries(data, algorithm):
        after = end + 8 - (end - at) % 8
        mode = struct.unpack_from(">I", data, at + _MODE)[0]
        left_out = start - at - flags > _FLAGS and bool(data[at + flags + _FLAGS] & _SKIPPED)
        if mode != _FOLDER:
            found.append(Named(data[start:end], mode, left_out))
    return found, _link(data[after : len(data) - flags + _STATUS])


def _link(extensions: bytes) -> bytes:
    """What an index says of the one it shares; others that it must not be read without have small letters too."""
    at, found = 0, b""
    while at + _HEAD <= len(extensions):
        name, end = extensions[at : at + 4], at + _HEAD + int.from_bytes(extensions[at + 4 : at + _HEAD])
        if name == b"link":
            found = extensions[at + _HEAD : end]
        elif name[:1].islower() and name != _SPARSE[:4]:
            raise MeasureError("the index is of a form that only git can read")
        at = end
    return found


def _entries(data: bytes, algorithm: Algorithm) -> Iterator[tuple[int, int, int, int]]:
    """Where each entry begins, where its name begins and ends, and when the file changed, in ns."""
    fixed = _fixed(algorithm)
    read = struct.Struct(f">II{fixed - 8}xH").unpack_from
    at = 12
    try:
        for _ in range(_count(data)):
            second, rest, flags = read(data, at)
            start = at + fixed + (4 if flags & _EXTENDED else 2)
            length = flags & _LENGTH
            end = start + length if length < _LENGTH else data.index(b"\0", start)
            yield at, start, end, second * 1_000_000_000 + rest
            at = end + 8 - (end - at) % 8
    except (struct.error, ValueError) as error:
        raise MeasureError(DAMAGED) from error


def _count(data: bytes) -> int:
    return int.from_bytes(data[8:12])


def _fixed(algorithm: Algorithm) -> int:
    """Bytes of an entry before its flags."""
    return _STATUS + hashlib.new(algorithm, usedforsecurity=False).digest_size


def _index(entries: Sequence[bytes], extensions: bytes, algorithm: Algorithm) -> bytes:
    body = b"DIRC" + struct.pack(">II", 3, len(entries)) + b"".join(entries) + extensions
    return body + hashlib.new(algorithm, body, usedforsecurity=False).digest()


def _spelled_out(data: bytes, algorithm: Algorithm) -> bytes:
    """The same entries as version 3 writes them, where version 4 has cut each name by what the one before began with."""
    if data[4:8] != b"\0\0\0\4":
        return data
    fixed = _fixed(algorithm)
    at, name = 12, b""
    entries: list[bytes] = []
    try:
        for _ in range(_count(data)):
            start = at + fixed + (4 if data[at + fixed] & _EXTENDED >> 8 else 2)
            cut, begin = _number(data, start)
            end = data.index(b"\0", begin)
            name = name[: len(name) - cut] + data[begin:end]
            entries.append(_padded(data[at:start] + name))
            at = end + 1
    except (IndexError, ValueError) as error:
        raise MeasureError(DAMAGED) from error
    return _index(entries, data[at : len(data) - fixed + _STATUS], algorithm)


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

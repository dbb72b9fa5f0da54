"""Looks paths up in a measurement, without taking it apart: a hundred thousand files cost a few bytes each."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from monitor.worktree.contents import Algorithm

_SHA1 = 40


class Line(NamedTuple):
    """What a measurement says of one file."""

    mode: bytes
    """As git writes it: `100644`, `100755`, `120000` for a link; `000000` for one that could not be read."""
    id: bytes
    """Git's id of its raw bytes, in hex."""


class Listed:
    """The entries of a measurement, by path."""

    def __init__(self, entries: bytes = b"") -> None:
        self._entries = entries
        self._starts = array("Q")
        at = 0 if entries else -1
        while at >= 0:
            self._starts.append(at)
            at = entries.find(b"\0", at) + 1 or -1

    @property
    def algorithm(self) -> Algorithm:
        """Whose ids these are."""
        first = self._entries[: self._entries.find(b"\t")].split(b" ")
        return "sha256" if len(first) > 2 and len(first[2]) > _SHA1 else "sha1"

    def __len__(self) -> int:
        """How many files there are."""
        return len(self._starts)

    def get(self, path: bytes) -> Line | None:
        """What is said of a path, or none."""
        at = self._first(path)
        if at == len(self._starts) or self._path(at) != path:
            return None
        start = self._starts[at]
        _, mode, found, _ = self._entries[start : self._entries.index(b"\t", start)].split(b" ")
        return Line(mode, found)

    def any_below(self, folder: bytes) -> bool:
        """Whether any file lies below a folder."""
        return next(self.below(folder), None) is not None

    def below(self, folder: bytes) -> Iterator[bytes]:
        """The paths below a folder, in order; empty for all."""
        prefix = folder + b"/" if folder else b""
        at = self._first(prefix)
        while at < len(self._starts) and (path := self._path(at)).startswith(prefix):
            yield path
            at += 1

    def _first(self, path: bytes) -> int:
        """The first line whose path is this one or stands behind it."""
        return bisect_left(range(len(self._starts)), path, key=self._path)

    def _path(self, at: int) -> bytes:
        begin = self._entries.index(b"\t", self._starts[at]) + 1
        end = self._entries.find(b"\0", begin)
        return self._entries[begin : end if end >= 0 else None]

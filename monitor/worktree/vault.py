"""Keeps contents by their digest, privately and within a bound."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from monitor.config import make_private
from monitor.streams.files import read_head

_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_SOME = 1 << 26


class Vault:
    """Contents in one private folder: where there is no more room, the oldest go, those that were pinned last."""

    def __init__(self, place: Path, most: int, *, forgets: bool = True) -> None:
        self._place = place
        self._most = most
        self._forgets = forgets
        """The oldest make room; else what comes too late is not kept."""
        self._sizes: dict[str, int] = {}
        self._pinned: dict[str, None] = {}
        self._total = 0

    def put(self, digest: str, data: bytes) -> str:
        """Keep these bytes; why that cannot be, or nothing."""
        if digest in self._sizes:
            self._sizes[digest] = self._sizes.pop(digest)
            return ""
        if len(data) > self._most or not (self._forgets or self._total + len(data) <= self._most):
            return f"more than {self._most >> 20} MB would have to be kept"
        while self._total + len(data) > self._most:
            self._drop(next((one for one in self._sizes if one not in self._pinned), next(iter(self._sizes))))
        try:
            if not self._sizes:
                make_private(self._place)
            self._write(self._place / digest, data)
        except OSError as error:
            return f"it could not be kept: {error.strerror or error}"
        self._sizes[digest] = len(data)
        self._total += len(data)
        return ""

    def has(self, digest: str) -> bool:
        """Whether the bytes of a digest are kept."""
        return digest in self._sizes

    def get(self, digest: str) -> bytes | None:
        """The bytes of a digest, if they are still here and whole."""
        return stored(self._place, digest) if digest in self._sizes else None

    def pin(self, digest: str) -> None:
        """Let these bytes go last."""
        if digest in self._sizes:
            self._pinned[digest] = None

    def empty(self) -> None:
        """Let everything go but what was pinned."""
        for digest in [one for one in self._sizes if one not in self._pinned]:
            self._drop(digest)

    def _drop(self, digest: str) -> None:
        self._total -= self._sizes.pop(digest)
        self._pinned.pop(digest, None)
        (self._place / digest).unlink(missing_ok=True)

    def _write(self, path: Path, data: bytes) -> None:
        path.unlink(missing_ok=True)
        handle = os.open(path, _FLAGS, 0o600)
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(handle, view) :]
        except OSError:
            path.unlink(missing_ok=True)
            raise
        finally:
            os.close(handle)


def stored(place: Path, digest: str) -> bytes | None:
    """The bytes that a vault of this or an earlier run keeps; none where they are gone, or are not whole."""
    try:
        data = read_head(place / digest, _SOME)
    except OSError:
        return None
    return data if hashlib.sha256(data).hexdigest() == digest else None

"""Keeps on disk what came through a pipe and cannot be read again."""

from __future__ import annotations

import os
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

from monitor.errors import MonitorError
from monitor.streams.files import pread_all

RESERVE = 64 << 20
"""Bytes of free disk that are left to others: a monitor must not fill the disk its agent works on."""


class Spool:
    """A file only its owner can read, in a folder only its owner can enter; removed on close unless kept.

    One thread appends, any may read. Raises MonitorError when the file cannot be made; after that a full
    disk is a `problem`, never an exception.
    """

    def __init__(self, folder: Path, *, keep: bool = False, reserve: int = RESERVE) -> None:
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._descriptor, name = tempfile.mkstemp(".spool", "pipe-", folder)
        except OSError as error:
            raise MonitorError(
                f"What comes through the pipe cannot be kept in {str(folder)!r}: {error.strerror}",
                "Make room there, or set another state folder",
            ) from error
        self.path = Path(name)
        self.size = 0
        """Bytes kept."""
        self.problem = ""
        """Why nothing can be added now."""
        self._keep = keep
        self._reserve = reserve
        self._appending = threading.Lock()
        self._reading = threading.Lock()

    def append(self, data: bytes) -> int:
        """How many bytes of it were kept: all, or fewer when the disk is full."""
        kept = 0
        with self._appending:
            try:
                self._require_room(len(data))
                while kept < len(data):
                    wrote = os.pwrite(self._descriptor, data[kept:] if kept else data, self.size)
                    kept += wrote
                    self.size += wrote
            except OSError as error:
                self.problem = f"what comes through the pipe cannot be kept: {error.strerror}"
            else:
                self.problem = ""
        return kept

    def read_at(self, offset: int, length: int) -> bytes:
        """Bytes kept, fewer at the end; none when the disk fails or the spool is closed."""
        length = min(length, self.size - offset)
        if offset < 0 or length <= 0:
            return b""
        with self._reading:
            try:
                return pread_all(self._descriptor, length, offset)
            except OSError:
                return b""

    def close(self) -> None:
        """Let go of the file, and remove it unless it is to be kept; doing it twice is doing it once."""
        with self._appending, self._reading:
            if self._descriptor < 0:
                return
            os.close(self._descriptor)
            self._descriptor = -1
        if not self._keep:
            with suppress(OSError):
                self.path.unlink()

    def _require_room(self, length: int) -> None:
        disk = os.fstatvfs(self._descriptor)
        free = disk.f_bavail * disk.f_frsize
        if disk.f_blocks and free - length < self._reserve:
            raise OSError(0, f"only {free >> 20:,} MiB are free on its disk")

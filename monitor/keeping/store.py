"""A file that a stream is written to; a full disk costs lines, never the agent's run."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

RESERVE = 64 << 20
"""Bytes of free disk that are left to others, and to the word that output is being lost."""
_LONGEST = 32 << 20
"""Bytes of one line that are put together; a longer one is kept in pieces."""
_BEGINS = b"\nmonitor: the output is not kept from here on, the disk being full\n"


class Store:
    """Appends whole lines as far as there is room; what was lost is told in a line of its own."""

    def __init__(self, path: Path, *, most: int | None = None, reserve: bool = False) -> None:
        self._descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        self._left = most
        self._reserve = RESERVE if reserve else 0
        self._losing = False
        self.lost = 0
        """Bytes that could not be kept."""
        self._untold = 0

    @property
    def losing(self) -> bool:
        """Whether the latest of what was to be kept found no room."""
        return self._untold > 0

    def add(self, data: bytes) -> None:
        """Keep it, or count it as lost up to the end of a line; never raises."""
        if self._losing:
            rest = data.find(b"\n") + 1 or len(data)
            self._lose(rest)
            if rest == len(data) and not data.endswith(b"\n"):
                return
            data = data[rest:]
            self._losing = False
        if self._untold and data:
            notice = f"monitor: {self._untold:,} bytes of the output were lost, the disk being full\n".encode()
            if not self._room(len(notice) + len(data)) or self._write(notice) < len(notice):
                self._losing = not data.endswith(b"\n")
                self._lose(len(data))
                return
            self._untold = 0
        kept = self._write(data) if self._room(len(data)) else 0
        if kept < len(data):
            begins = not self._untold
            self._lose(len(data) - kept)
            self._losing = not data.endswith(b"\n")
            if begins:
                self._write(_BEGINS)
            elif kept and not data[:kept].endswith(b"\n"):
                self._write(b"\n")

    def _lose(self, count: int) -> None:
        self.lost += count
        self._untold += count

    def _room(self, length: int) -> bool:
        if self._left is not None:
            return self._left > 0
        try:
            disk = os.fstatvfs(self._descriptor)
        except OSError:
            return True
        return not disk.f_blocks or disk.f_bavail * disk.f_frsize - length >= self._reserve

    def _write(self, data: bytes) -> int:
        """How many bytes of it were written."""
        if self._left is not None:
            data = data[: self._left]
        wrote = 0
        try:
            while wrote < len(data):
                wrote += os.write(self._descriptor, data[wrote:])
        except OSError:
            pass
        if self._left is not None:
            self._left -= wrote
        return wrote


class WireLog:
    """Both directions of a wire in one file: a line of JSON for each line, with its time and direction."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._begun: list[bytes] = []
        """The pieces of a line that is not at its end."""
        self._size = 0

    def came(self, data: bytes) -> None:
        """The agent said this."""
        *ends, rest = data.split(b"\n")
        for end in ends:
            self._begun.append(end)
            self._note("agent->client", b"".join(self._begun))
            self._begun, self._size = [], 0
        self._begun.append(rest)
        self._size += len(rest)
        if self._size > _LONGEST:
            self.end()

    def end(self) -> None:
        """No more of a line that was begun will come: it is kept as it is."""
        if begun := b"".join(self._begun):
            self._note("agent->client", begun)
        self._begun, self._size = [], 0

    def sent(self, line: bytes) -> None:
        """The agent was told this."""
        self._note("client->agent", line.rstrip(b"\n"))

    def _note(self, direction: str, line: bytes) -> None:
        # A line that is no object would break the record around it; it is kept as the text it is.
        told = line if line.lstrip().startswith(b"{") else json.dumps(line.decode("utf-8", "replace")).encode()
        head = f'{{"t": {time.time():.3f}, "dir": "{direction}", "msg": '
        self._store.add(head.encode() + told.strip() + b"}\n")

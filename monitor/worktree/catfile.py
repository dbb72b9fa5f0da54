"""Asks one git, which stays for more questions, for objects by their ids: a new one for each would cost milliseconds."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time

from monitor.worktree.budget import MeasureError
from monitor.worktree.shadow import Shadow

_SECONDS = 10.0
"""How long an answer may take."""
_CHUNK = 1 << 16


class CatFile:
    """A `git cat-file` in a shadow: begun when it is first asked, and anew after it failed; at once if it is to end."""

    def __init__(self, shadow: Shadow, how: str) -> None:
        self._shadow = shadow
        self._how = how
        self._process: subprocess.Popen[bytes] | None = None
        self._held = bytearray()
        self._until = 0.0

    def size(self, blob: bytes) -> int | None:
        """How large a blob is; none for another object, and for one that is not there. For `--batch-check`."""
        self._ask(blob)
        return self._header()

    def content(self, blob: bytes) -> bytes | None:
        """The bytes of a blob. For `--batch`."""
        self._ask(blob)
        size = self._header()
        return None if size is None else self._take(size + 1)[:-1]

    def close(self) -> None:
        """Let git go."""
        process, self._process = self._process, None
        self._held.clear()
        if process is None:
            return
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        process.wait()

    def _ask(self, blob: bytes) -> None:
        self._until = time.monotonic() + _SECONDS
        try:
            process = self._process = self._process or self._begun()
            assert process.stdin is not None
            process.stdin.write(blob + b"\n")
            process.stdin.flush()
        except OSError as error:
            self.close()
            raise MeasureError(f"git cannot be asked: {error.strerror or error}") from error

    def _begun(self) -> subprocess.Popen[bytes]:
        command = self._shadow.command("cat-file", self._how)
        return subprocess.Popen(  # noqa: S603 - git by its absolute path, with words of our own
            command.words,
            cwd=self._shadow.place,
            env=command.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def _header(self) -> int | None:
        """The size that the first line of an answer tells."""
        while b"\n" not in self._held:
            self._read()
        words = self._take(self._held.index(b"\n") + 1).split()
        return int(words[2]) if len(words) == 3 and words[1] == b"blob" else None

    def _take(self, count: int) -> bytes:
        while len(self._held) < count:
            self._read()
        taken = bytes(self._held[:count])
        del self._held[:count]
        return taken

    def _read(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        pipe = self._process.stdout.fileno()
        ready, _, _ = select.select([pipe], [], [], max(self._until - time.monotonic(), 0.0))
        chunk = os.read(pipe, _CHUNK) if ready else b""
        if not chunk:
            self.close()
            raise MeasureError("git ended before it answered" if ready else f"git gave no answer within {_SECONDS:g} s")
        self._held += chunk

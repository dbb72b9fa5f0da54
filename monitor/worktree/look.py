"""Reads a file of the project because a write to it failed, and says what stands there.

Only inside the project folder, only regular files, only up to 2 MB; links are followed as long as they stay inside.
"""

from __future__ import annotations

import codecs
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from monitor.actions import Look
from monitor.events import Looked
from monitor.text import clean
from monitor.worktree.closest import closest, lines_of

MOST = 2_000_000
"""Bytes of a file that is read."""
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_UNSEEN = getattr(os, "O_NOATIME", 0)
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class _UnreadError(Exception):
    """Why a file is not read."""


def look(want: Look, project: Path, source: Literal["disk", "today"] = "disk") -> Looked:
    """What the file says now, or the reason why it cannot be told; never raises."""
    try:
        text = clean(_decoded(_content(_inside(want, project))))
    except _UnreadError as why:
        return Looked(call=want.call, file=want.file, source=source, reason=str(why))
    except (OSError, ValueError) as error:
        return Looked(call=want.call, file=want.file, source=source, reason=_words(error))
    lines = lines_of(text)
    found = closest(lines, want.guess) if want.guess else ()
    return Looked(
        call=want.call,
        file=want.file,
        source=source,
        closest=found,
        new_present=clean(want.new) in text if want.new.strip() else None,
        old_gone=clean(want.guess) not in text if want.guess.strip() else None,
        shebang=lines[0][:200] if text.startswith("#!") else "",
        reason="" if found or not want.guess else "no line of the file shares a word with the text",
    )


def _inside(want: Look, project: Path) -> tuple[Path, Path]:
    """The project folder, and the file's place in it, free of links."""
    if want.file.startswith("~"):
        raise _UnreadError("where the agent's home folder lies is not known")
    root = Path(os.path.realpath(project))
    given = root / want.cwd / want.file
    real = Path(os.path.realpath(given))
    if not want.file or not real.is_relative_to(root):
        raise _UnreadError("the file lies outside the project")
    if real == root:
        raise _UnreadError("it is no regular file")
    return root, real.relative_to(root)


def _content(where: tuple[Path, Path]) -> bytes:
    root, place = where
    with _opened(root, place) as handle:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise _UnreadError("it is no regular file")
        if os.fstat(handle).st_size > MOST:
            raise _UnreadError("it is larger than 2 MB")
        parts, left = [], MOST + 1
        while left and (part := os.read(handle, left)):
            parts.append(part)
            left -= len(part)
    if not left:
        raise _UnreadError("it is larger than 2 MB")
    return b"".join(parts)


@contextmanager
def _opened(root: Path, place: Path) -> Iterator[int]:
    """The file's handle, reached folder by folder: no link put in its way meanwhile leads outside."""
    handle = os.open(root, _FOLDER)
    try:
        for folder in place.parts[:-1]:
            inner = os.open(folder, _FOLDER, dir_fd=handle)
            os.close(handle)
            handle = inner
        # A device is not even opened: opening one can act on it.
        if not stat.S_ISREG(os.stat(place.name, dir_fd=handle, follow_symlinks=False).st_mode):
            raise _UnreadError("it is no regular file")
        file = _unseen(place.name, handle)
        os.close(handle)
        handle = file
        yield handle
    finally:
        os.close(handle)


def _unseen(name: str, folder: int) -> int:
    """Opened so that the time of access stays; only a file's owner may, so others' are opened plainly."""
    try:
        return os.open(name, _FILE | _UNSEEN, dir_fd=folder)
    except PermissionError:
        return os.open(name, _FILE, dir_fd=folder)


def _decoded(data: bytes) -> str:
    if data.startswith(_WIDE):
        return data.decode("utf-16", "replace")
    if b"\0" in data:
        raise _UnreadError("it is no text")
    return data.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace")


def _words(error: OSError | ValueError) -> str:
    match error:
        case FileNotFoundError() | NotADirectoryError():
            return "the file does not exist"
        case PermissionError():
            return "the file may not be read"
        case OSError() if error.strerror:
            return f"the file cannot be read: {error.strerror.lower()}"
        case _:
            return "the path cannot be a file's"

"""Versions of files that were overwritten: kept, listed, and brought back on request."""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path

from monitor.errors import MonitorError
from monitor.text import clean
from monitor.worktree.cabinet import VERSIONS, About, Cabinet, Entry, cabinets
from monitor.worktree.copies import MOST, Copies
from monitor.worktree.reach import read_at
from monitor.worktree.vault import Vault, stored

_BY = "monitor rescue"
_PLAIN = 0o644
"""The mode of a file that is brought back where none stands any more."""


@dataclass(frozen=True, slots=True)
class Rescued:
    """One version that was overwritten."""

    place: Path
    """The cabinet that holds it."""
    about: About
    entry: Entry

    @property
    def path(self) -> Path:
        """Where it lay."""
        return Path(self.about.project, self.entry.file)

    def data(self) -> bytes | None:
        """Its bytes; none where they are gone by now."""
        return stored(self.place / VERSIONS, self.entry.digest) if self.entry.digest else None


class Rescue:
    """Keeps what is overwritten during one watch; never raises."""

    def __init__(self, cabinet: Cabinet, copies: Copies) -> None:
        self._cabinet = cabinet
        self._copies = copies
        self._known: set[tuple[str, str, float]] = set()

    def keep(self, file: str, digest: str, *, changed: float, overwritten: float, by: str) -> None:
        """A version, by its digest, was overwritten: keep it beyond the run. Told twice it is kept once."""
        key = file, digest, overwritten
        if key in self._known:
            return
        self._known.add(key)
        data = self._copies.version(digest) if digest else None
        self._copies.pin(digest)
        lost = "" if data is not None else "nobody saw it before it was overwritten, or it was too large to be kept"
        try:
            size = -1 if data is None else len(data)
            self._cabinet.add(Entry(self._copies.real(file), digest, size, changed, overwritten, by, lost))
        except OSError:
            self._known.discard(key)


def rescued(root: Path) -> list[Rescued]:
    """Everything that was kept, what was overwritten last first."""
    found = [Rescued(place, about, entry) for place, about, entries in cabinets(root) for entry in entries]
    return sorted(found, key=lambda one: -one.entry.overwritten)


def restore(one: Rescued, target: Path, root: Path, now: float) -> bool:
    """Write a version to a path, and nothing else; what stood there is kept as another version.

    False where the very same stands there already. Raises `MonitorError` where it cannot be done; then nothing has
    changed.
    """
    data = one.data()
    if data is None:
        raise MonitorError(f"{clean(one.entry.file)}: this version is not kept", one.entry.lost)
    target = Path(os.path.realpath(target.parent), target.name)
    present, mode = _present(target)
    if present == data:
        return False
    if present is not None:
        _keep_present(one.about.project, target, present, root, now)
    try:
        _replace(target, data, mode)
    except OSError as error:
        raise MonitorError(f"{target}: {error.strerror or error}", "Name another path with --to") from None
    return True


def _present(target: Path) -> tuple[bytes | None, int]:
    """What stands at a path, and the mode a file there gets."""
    try:
        status = os.lstat(target)
    except FileNotFoundError:
        return None, _PLAIN
    except OSError as error:
        raise MonitorError(f"{target}: {error.strerror or error}", "Name another path with --to") from None
    if not stat.S_ISREG(status.st_mode):
        what = "a folder" if stat.S_ISDIR(status.st_mode) else "a link" if stat.S_ISLNK(status.st_mode) else "no file"
        raise MonitorError(f"{target} is {what} now", "Name another path with --to")
    try:
        data, _ = read_at(str(target.parent), target.name, MOST)
    except OSError as error:
        raise MonitorError(f"{target}: {error.strerror or error}", "Name another path with --to") from None
    if data is None:
        raise MonitorError(
            f"{target}: what stands there is larger than {MOST >> 20} MB, or being written, and could not be kept",
            "Name another path with --to",
        )
    return data, stat.S_IMODE(status.st_mode)


def _keep_present(project: str, target: Path, present: bytes, root: Path, now: float) -> None:
    digest = hashlib.sha256(present).hexdigest()
    entry = Entry(os.path.relpath(target, project), digest, len(present), target.stat().st_mtime, now, _BY)
    try:
        cabinet = Cabinet.open(root, Path(project), _BY)
        try:
            why = Vault(cabinet.place / VERSIONS, MOST).put(digest, present)
            if not why:
                cabinet.add(entry)
        finally:
            cabinet.close()
    except OSError as error:
        why = str(error.strerror or error)
    if why:
        raise MonitorError(f"what stands at {target} could not be kept: {why}", "Name another path with --to")


def _replace(target: Path, data: bytes, mode: int) -> None:
    """Put the bytes in the file's place in one step, so that nobody ever sees half of them."""
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        Path(name).replace(target)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise

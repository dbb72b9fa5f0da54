"""The private folder of one watch: what is kept there while it lasts, and what is kept beyond it."""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from monitor.config import make_private

_ABOUT, _ENTRIES, _LOCK = "about.json", "entries.jsonl", "lock"
VERSIONS = "versions"
_DIGEST = re.compile(r"(?:[0-9a-f]{64})?")
_MOST = 1 << 30
"""Bytes of all cabinets; beyond them the oldest go, but none that was used within the last day."""
_DAY = 86_400
_NAMES = 100
_LARGEST = 16 << 20
"""Bytes of a file of entries that are read."""


@dataclass(frozen=True, slots=True)
class About:
    """Whose cabinet it is."""

    project: str
    run: str
    began: float


@dataclass(frozen=True, slots=True)
class Entry:
    """A version that is kept beyond the watch."""

    file: str
    """Below the project; as it is, not cleaned."""
    digest: str
    """SHA-256 of its bytes, in hex; empty where it was never seen."""
    size: int
    """Bytes; -1 where they are not kept."""
    changed: float
    """When it came to be so, seconds since the epoch."""
    overwritten: float
    by: str
    """What overwrote it."""
    lost: str = ""
    """Why its bytes are not kept."""


class Cabinet:
    """One folder with a lock on it, so that nobody clears it out while it is used."""

    def __init__(self, place: Path, lock: int) -> None:
        self.place = place
        self._lock = lock

    @classmethod
    def open(cls, root: Path, project: Path, run: str) -> Cabinet:
        """A new cabinet below `root`; what earlier ones left behind is cleared away. Raises OSError."""
        make_private(root)
        _clear(root)
        began = time.time()
        place = _created(root, began, run)
        lock = os.open(place / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        about = {"project": str(project), "run": run, "began": began}
        _write(place / _ABOUT, (json.dumps(about) + "\n").encode(), os.O_EXCL)
        return cls(place, lock)

    def add(self, entry: Entry) -> None:
        """Write one entry; raises OSError."""
        _write(self.place / _ENTRIES, (json.dumps(asdict(entry)) + "\n").encode(), os.O_APPEND)

    def close(self) -> None:
        """Let go of it; without an entry it goes as a whole."""
        _tidy(self.place)
        os.close(self._lock)


def cabinets(root: Path) -> Iterator[tuple[Path, About, list[Entry]]]:
    """Every cabinet that can be read, with its entries, the newest first."""
    for place in sorted(_places(root), reverse=True):
        try:
            about = _read((place / _ABOUT).read_bytes()[:_LARGEST])
        except OSError:
            continue
        if not isinstance(about.get("project"), str):
            continue
        began = about.get("began")
        known = About(about["project"], str(about.get("run", "")), began if isinstance(began, float) else 0.0)
        yield place, known, list(_entries(place / _ENTRIES))


def _entries(path: Path) -> Iterator[Entry]:
    try:
        lines = path.read_bytes()[:_LARGEST].splitlines()
    except OSError:
        return
    for line in lines:
        if (entry := _entry(_read(line))) is not None:
            yield entry


def _entry(row: dict[str, Any]) -> Entry | None:
    """The entry a line speaks of; none where it is no such line."""
    texts = [one for name in ("file", "digest", "by", "lost") if isinstance(one := row.get(name), str)]
    numbers = [
        float(one) for name in ("size", "changed", "overwritten") if isinstance(one := row.get(name), int | float)
    ]
    if len(texts) < 4 or len(numbers) < 3 or not texts[0] or "\0" in texts[0] or not _DIGEST.fullmatch(texts[1]):
        return None
    return Entry(texts[0], texts[1], int(numbers[0]), numbers[1], numbers[2], texts[2], texts[3])


def _read(data: bytes) -> dict[str, Any]:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _places(root: Path) -> list[Path]:
    try:
        return [place for place in root.iterdir() if place.is_dir() and not place.is_symlink()]
    except OSError:
        return []


def _created(root: Path, began: float, run: str) -> Path:
    words = re.sub(r"[^A-Za-z0-9]+", "-", run).strip("-")[:40] or "run"
    name = f"{datetime.fromtimestamp(began, UTC):%Y%m%d-%H%M%S}-{words}"
    for number in range(1, _NAMES):
        place = root / (name if number == 1 else f"{name}-{number}")
        with suppress(FileExistsError):
            place.mkdir(mode=0o700)
            return place
    raise FileExistsError(17, "too many watches began in this second")


def _write(path: Path, data: bytes, how: int) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | how, 0o600)
    try:
        os.write(handle, data)
    finally:
        os.close(handle)


def _clear(root: Path) -> None:
    """Clear out what is no longer used, and the oldest beyond what all may take."""
    total = 0
    for place in sorted(_places(root), reverse=True):
        with suppress(OSError):
            lock = os.open(place / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                _tidy(place)
                total += sum(file.stat().st_size for file in place.rglob("*") if file.is_file())
                if total > _MOST and time.time() - place.stat().st_mtime > _DAY:
                    shutil.rmtree(place)
            finally:
                os.close(lock)


def _tidy(place: Path) -> None:
    """Leave only what the entries speak of; nothing where there are none."""
    kept = {entry.digest for entry in _entries(place / _ENTRIES)}
    if not kept:
        shutil.rmtree(place, ignore_errors=True)
        return
    for part in place.iterdir():
        if part.is_dir() and part.name != VERSIONS:
            shutil.rmtree(part, ignore_errors=True)
    with suppress(OSError):
        for file in (place / VERSIONS).iterdir():
            if file.name not in kept:
                file.unlink()

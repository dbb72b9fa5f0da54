"""Remembers what was installed where, and what stood there before."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec

from monitor.config import state_folder, state_path
from monitor.errors import MonitorError
from monitor.hooks.places import Agent, Place
from monitor.streams.files import read_head

Refuse = Literal["never", "not made", "unchanged"]
"""Which stops are refused: none, those with a failed write outstanding, or those too with nothing changed."""
_FOLDER = "hooks/installed"
LARGEST = 16 << 20
"""Bytes of a settings file."""


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """One installation."""

    agent: Agent
    path: str
    project: str = ""
    created: bool = False
    """The file was not there before."""
    made: int = 0
    """How many of the folders around it were not there either."""
    keys: tuple[str, ...] = ()
    """Those of ours that were there before."""
    after: str = ""
    """SHA-256 of the file as we left it."""
    refuse: Refuse = "never"

    def place(self) -> Place:
        """Where it is."""
        return Place(self.agent, Path(self.path), Path(self.project) if self.project else None)


def digest(data: bytes) -> str:
    """What tells one content of a file from another."""
    return hashlib.sha256(data).hexdigest()


def record_of(place: Place) -> Record | None:
    """What was remembered of a place; none where that is nothing, or cannot be read."""
    return _read(_file(place))


def records() -> Iterator[Record]:
    """All that was installed, by path."""
    found = [_read(path) for path in state_path(_FOLDER).glob("*.json")]
    yield from sorted((one for one in found if one is not None), key=lambda one: one.path)


def before(place: Place) -> bytes | None:
    """The file as it was before we came; none where it is not kept."""
    try:
        return read_head(_file(place).with_suffix(".before"), LARGEST)
    except OSError:
        return None


def remember(place: Place, record: Record, old: bytes) -> None:
    """Keep a record, and the file as it was. Raises `MonitorError` where the state folder takes nothing."""
    path = state_folder(_FOLDER) / _file(place).name
    try:
        for one, data in ((path.with_suffix(".before"), old), (path, msgspec.json.encode(record))):
            write(one, data, 0o600)
    except OSError as error:
        raise MonitorError(f"{path}: {error.strerror or error}", "Nothing was changed; make room there") from None


def forget(place: Place) -> None:
    """It is no longer installed."""
    for path in (_file(place), _file(place).with_suffix(".before")):
        path.unlink(missing_ok=True)


def write(path: Path, data: bytes, mode: int) -> None:
    """Write a file whole or not at all. Raises OSError."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.chmod(mode)
        beside.replace(path)
    except OSError:
        with suppress(OSError):
            beside.unlink()
        raise


def _file(place: Place) -> Path:
    name = hashlib.sha256(os.fsencode(place.path.absolute())).hexdigest()[:24]
    return state_path(_FOLDER) / f"{name}.json"


def _read(path: Path) -> Record | None:
    try:
        return msgspec.json.decode(read_head(path, LARGEST), type=Record)
    except (OSError, msgspec.MsgspecError):
        return None

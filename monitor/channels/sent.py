"""Remembers on disk what was sent and what became of it when, so that a later monitor can tell it."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args

from monitor.actions import Action, Verb
from monitor.processes.table import read

_LARGEST = 16 << 20


class Sent:
    """A file beside a kept run: a line for each message, with its id at the agent, and for each of its receipts."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self._path = path
        self._clock = clock
        self._known: set[str] = set()
        """The actions that have a line."""

    def add(self, key: str, action: Action) -> None:
        """Write it down before it is sent; a disk that is full does not keep it from being sent."""
        row = {
            "key": key,
            "id": action.id,
            "verb": action.verb,
            "text": action.text,
            "subject": action.subject,
            "by": action.by,
            "at": self._clock(),
            "holder": _self(),
        }
        self._known.add(action.id)
        self._write(row)

    def note(self, action: str, receipt: str, at: float) -> None:
        """Write down how far one of them got, and when."""
        if action in self._known:
            self._write({"told": action, "receipt": receipt, "at": at})

    def times(self, action: str) -> Mapping[str, float]:
        """When each receipt of a message was first told, as far as that was written down; seconds since the epoch."""
        found: dict[str, float] = {}
        for row in self._rows():
            at = row.get("at")
            if isinstance(at, int | float) and not isinstance(at, bool):
                if row.get("told") == action:
                    found.setdefault(str(row.get("receipt")), float(at))
                elif row.get("id") == action:
                    found.setdefault("queued", float(at))
        return found

    def held(self, key: str) -> bool:
        """Whether another monitor that wrote it down still runs, and may yet send it."""
        return any(row.get("key") == key and _lives(row.get("holder")) for row in self._rows())

    def earlier(self) -> Iterator[tuple[str, Action]]:
        """What was sent before, in order; a line that cannot be read is left out."""
        for row in self._rows():
            with suppress(KeyError, TypeError):
                if row["verb"] in get_args(Verb) and row["by"] in ("operator", "policy"):
                    action = Action(str(row["id"]), row["verb"], str(row["text"]), str(row["subject"]), row["by"])
                    self._known.add(action.id)
                    yield str(row["key"]), action

    def _write(self, row: Mapping[str, object]) -> None:
        # A line that a full disk cut short takes none after it along: each begins on a line of its own.
        with suppress(OSError):
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
            try:
                os.write(descriptor, b"\n" + json.dumps(row).encode() + b"\n")
            finally:
                os.close(descriptor)

    def _rows(self) -> Iterator[dict[str, Any]]:
        try:
            with self._path.open("rb") as file:
                lines = file.read(_LARGEST).splitlines()
        except OSError:
            return
        for line in lines:
            with suppress(ValueError, RecursionError):
                row = json.loads(line)
                if isinstance(row, dict):
                    yield row


def _self() -> list[float]:
    """This process: its number and its start."""
    entry = read(os.getpid())
    return [os.getpid(), entry.started if entry is not None else 0.0]


def _lives(holder: object) -> bool:
    """Whether it is another process, and still runs; in this one the channel that held it is closed."""
    if not isinstance(holder, list) or len(holder) != 2 or not isinstance(holder[0], int):
        return False
    entry = read(holder[0]) if holder[0] != os.getpid() else None
    return entry is not None and entry.started == holder[1] and not entry.ended

"""Remembers on disk what was sent, so that a later monitor can tell what became of it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import get_args

from monitor.actions import Action, Verb

_LARGEST = 16 << 20


class Sent:
    """A file beside a kept run: a line for each message, with its id at the agent."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def add(self, key: str, action: Action) -> None:
        """Write it down before it is sent; a disk that is full does not keep it from being sent."""
        row = {
            "key": key,
            "id": action.id,
            "verb": action.verb,
            "text": action.text,
            "subject": action.subject,
            "by": action.by,
        }
        with suppress(OSError):
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
            try:
                os.write(descriptor, json.dumps(row).encode() + b"\n")
            finally:
                os.close(descriptor)

    def earlier(self) -> Iterator[tuple[str, Action]]:
        """What was sent before, in order; a line that cannot be read is left out."""
        try:
            with self._path.open("rb") as file:
                lines = file.read(_LARGEST).splitlines()
        except OSError:
            return
        for line in lines:
            with suppress(ValueError, KeyError, TypeError, RecursionError):
                row = json.loads(line)
                if row["verb"] in get_args(Verb) and row["by"] in ("operator", "policy"):
                    action = Action(str(row["id"]), row["verb"], str(row["text"]), str(row["subject"]), row["by"])
                    yield str(row["key"]), action

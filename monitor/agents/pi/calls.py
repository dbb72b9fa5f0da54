"""What a call of each of pi's tools asks for, and the calls whose results are still to come."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from monitor.agents.fields import Object, parts, raw, text
from monitor.events import Change, Kind, ToolCalled
from monitor.text import clean

KINDS: Mapping[str, Kind] = {
    "read": "read", "bash": "shell", "edit": "write", "write": "write", "grep": "search", "find": "search", "ls": "search",
}  # fmt: skip
"""Of each tool by its name; all others, those of extensions among them, are `other`."""
_MOST = 4_096
"""Calls remembered."""


class Calls:
    """The latest calls by their id, and which of them have their result."""

    def __init__(self) -> None:
        self._known: dict[str, ToolCalled | None] = {}

    def get(self, call: str) -> ToolCalled | None:
        """The call with this id, while its result is to come."""
        return self._known.get(call)

    def told(self, call: str) -> bool:
        """Whether the call was told already."""
        return call in self._known

    def over(self, call: str) -> bool:
        """Whether its result was told already."""
        return call in self._known and self._known[call] is None

    def keep(self, event: ToolCalled) -> None:
        """Remember a call."""
        self._put(event.call, event)

    def end(self, call: str) -> None:
        """Its result was told."""
        self._put(call, None)

    def copy(self) -> Calls:
        """Another that goes on from here."""
        other = Calls()
        other._known = dict(self._known)
        return other

    def _put(self, call: str, event: ToolCalled | None) -> None:
        self._known.pop(call, None)
        self._known[call] = event
        if len(self._known) > _MOST:
            del self._known[next(iter(self._known))]


def called(name: str, value: Any, call: str, message: str) -> ToolCalled:
    """A call as the model made it; `value` are its arguments."""
    arguments: Object = value if isinstance(value, dict) else {}
    kind = KINDS.get(name, "other")
    path = text(arguments, "path")
    return ToolCalled(
        call=clean(call),
        message=message,
        tool=clean(name),
        kind=kind,
        arguments=_written(arguments),
        changes=_changes(name, arguments, path) if kind == "write" else (),
        paths=(path or ".",) if kind == "search" else (path,) if kind == "read" and path else (),
        command=text(arguments, "command") if kind == "shell" else "",
        timeout=_seconds(arguments.get("timeout")) if kind == "shell" else None,
    )


def _changes(name: str, arguments: Object, path: str) -> tuple[Change, ...]:
    if name == "write":
        return (Change(path, "write", new=_given(arguments, "content")),)
    edits = parts(arguments, "edits") or [arguments]
    return tuple(Change(path, "edit", old=_given(one, "oldText"), new=_given(one, "newText")) for one in edits)


def _given(arguments: Object, key: str) -> str | None:
    """A text of the arguments, cleaned; none where there is none."""
    return clean(raw(arguments, key)) if isinstance(arguments.get(key), str) else None


def _seconds(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 < value < 1e9 else None


def _written(arguments: Object) -> str:
    try:
        return clean(json.dumps(arguments, ensure_ascii=False))
    except (RecursionError, ValueError):
        return ""

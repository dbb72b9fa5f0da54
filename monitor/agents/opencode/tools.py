"""What a call of each of OpenCode's tools asks for."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from monitor.agents.apply_patch import changes_of
from monitor.agents.fields import Object, part, parts, raw, text
from monitor.events import Change, Kind, ToolCalled
from monitor.text import clean

KINDS: Mapping[str, Kind] = {
    "bash": "shell", "shell": "shell",
    "edit": "write", "write": "write", "multiedit": "write", "apply_patch": "write", "patch": "write",
    "read": "read", "list": "search", "ls": "search", "glob": "search", "grep": "search", "lsp": "search",
    "webfetch": "fetch", "websearch": "fetch", "codesearch": "fetch",
    "task": "delegate", "todowrite": "plan", "todoread": "plan", "plan_enter": "plan", "plan_exit": "plan", "question": "ask",
}  # fmt: skip
"""Of each tool by its name; those of plug-ins and of MCP servers are `other`."""
INVALID = "invalid"
"""The tool that stands in for one that is not offered, or whose arguments do not fit."""
_PATCHES = ("apply_patch", "patch")
_PATH = re.compile(r'\\?"filePath\\?"\s*:\s*\\?"((?:[^"\\]|\\[^"])*)')
"""The file that arguments name, where they are only told in words."""
_EDITS = 500


def called(told: Object, message: str) -> ToolCalled:
    """The call that a part tells, as far as its arguments are known."""
    state, name = part(told, "state"), raw(told, "tool")
    given = part(state, "input")
    tool = raw(given, "tool") if name == INVALID and raw(given, "tool") else name
    kind = KINDS.get(tool, "other")
    path = text(given, "filePath") or text(given, "path")
    return ToolCalled(
        call=call_of(told),
        message=message,
        tool=clean(tool),
        kind=kind,
        arguments=_written(given) if given else text(state, "raw"),
        changes=_changes(tool, given, invalid=name == INVALID) if kind == "write" and given else (),
        paths=_paths(kind, path),
        command=text(given, "command") if kind == "shell" else "",
        url=text(given, "url"),
        timeout=_timeout(kind, given),
        partial=raw(state, "status") == "pending",
    )


def child_of(told: Object) -> str:
    """The session that a call has started; empty where it started none, or has not yet."""
    return raw(part(part(told, "state"), "metadata"), "sessionId") if raw(told, "tool") == "task" else ""


def call_of(told: Object) -> str:
    """What tells a call from every other of its session; the model's own ids may come again."""
    return text(told, "id") or text(told, "callID")


def _paths(kind: Kind, path: str) -> tuple[str, ...]:
    if kind == "search":
        return (path or ".",)
    return (path,) if kind == "read" and path else ()


def _changes(tool: str, given: Object, *, invalid: bool) -> tuple[Change, ...]:
    """The changes that a write asks for; one without a file where it names none."""
    if invalid:
        found = _PATH.search(raw(given, "error"))
        return (Change(clean(found[1]) if found else ""),)
    if tool in _PATCHES:
        return changes_of(raw(given, "patchText") or raw(given, "patch")) or (Change(""),)
    path = text(given, "filePath")
    if tool == "write":
        return (Change(path, "write", new=_given(given, "content")),)
    edits = parts(given, "edits")[:_EDITS] or [given]
    return tuple(_edit(text(one, "filePath") or path, one) for one in edits)


def _edit(path: str, given: Object) -> Change:
    """An edit; with nothing to be replaced it makes a new file."""
    old = _given(given, "oldString")
    if old == "":
        return Change(path, "create", new=_given(given, "newString"))
    return Change(path, "edit", old=old, new=_given(given, "newString"))


def _given(found: Object, key: str) -> str | None:
    """A text of the arguments, cleaned; none where there is none."""
    return text(found, key) if isinstance(found.get(key), str) else None


def _timeout(kind: Kind, given: Object) -> float | None:
    """Seconds; a command's are told in milliseconds, a page's in seconds."""
    value = given.get("timeout")
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e12:
        return None
    return value / 1000 if kind == "shell" else float(value)


def _written(given: Object) -> str:
    try:
        return clean(json.dumps(given, ensure_ascii=False))
    except (RecursionError, ValueError):
        return ""

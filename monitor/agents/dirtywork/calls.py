"""What a call of each of dirtywork's eleven tools asks for."""

from __future__ import annotations

import re
from collections.abc import Mapping

from monitor.agents.dirtywork.arguments import Arguments, read_arguments
from monitor.agents.fields import parts, text
from monitor.events import Change, Kind, Op, ToolCalled
from monitor.text import clean

FINISH = "finish"
KINDS: Mapping[str, Kind] = {
    "read_file": "read",
    "write_file": "write",
    "append_file": "write",
    "edit_file": "write",
    "apply_edits": "write",
    "insert_before": "write",
    "insert_after": "write",
    "list_dir": "search",
    "grep": "search",
    "bash": "shell",
    FINISH: "finish",
}
_OLD_NEW: Mapping[str, tuple[Op, str, str]] = {
    "write_file": ("write", "", "content"),
    "append_file": ("append", "", "text"),
    "edit_file": ("edit", "old_string", "new_string"),
    "insert_before": ("insert", "anchor", "text"),
    "insert_after": ("insert", "anchor", "text"),
}
"""The arguments that hold the old and the new text."""
_RAW_MARKERS = ("[TOOL_CALLS]", "<tool_call>", "<function=", "<function_call>", "<|tool_call|>")
MARKERS = (*_RAW_MARKERS, *(re.sub(r"[^A-Za-z0-9_-]", "_", marker) for marker in _RAW_MARKERS))
"""How models write a call into a text, also as a server that mends names leaves it."""
_DURATION = re.compile(r"\s*(\d{1,9})\s*(s|sec|secs|second|seconds|m|min|mins|minute|minutes)?\s*", re.IGNORECASE)
_BASH_SECONDS, _BASH_MOST = 120, 600


def tool_name(name: str) -> str:
    """The tool that dirtywork runs for a name: one that ends in a marker and a tool is that tool."""
    if name in KINDS:
        return name
    tail = name.rstrip()
    for tool in KINDS:
        if tail.endswith(tool) and tail.removesuffix(tool).rstrip().endswith(MARKERS):
            return tool
    return name


def called(name: str, arguments: str, limit: int, call: str, message: str) -> ToolCalled:
    """A call as the log has it, its arguments cut at `limit` characters."""
    tool = tool_name(name)
    read = read_arguments(arguments, limit)
    kind = KINDS.get(tool, "other")
    path = text(read.fields, "path")
    return ToolCalled(
        call=call,
        message=message,
        tool=clean(tool),
        kind=kind,
        arguments=clean(arguments),
        arguments_cut=read.cut,
        changes=_changes(tool, read) if kind == "write" else (),
        paths=(path or ".",) if kind == "search" else (path,) if kind == "read" and path else (),
        command=text(read.fields, "command") if tool == "bash" else "",
        timeout=_seconds(read.fields.get("timeout")) if tool == "bash" else None,
    )


def _changes(tool: str, read: Arguments) -> tuple[Change, ...]:
    file = text(read.fields, "path")
    if tool == "apply_edits":
        edits = parts(read.fields, "edits")
        changes = [_change(file, "edit", edit.get("old"), edit.get("new")) for edit in edits]
        if not changes or read.last == "edits":
            last = changes.pop() if changes else _change(file, "edit", None, None)
            changes.append(Change(file, last.op, last.old, last.new, cut=not read.whole))
        return tuple(changes)
    op, old, new = _OLD_NEW[tool]
    return (_change(file, op, read.fields.get(old), read.fields.get(new), cut=not read.whole),)


def _change(file: str, op: Op, old: object, new: object, *, cut: bool = False) -> Change:
    return Change(
        file,
        op,
        old=clean(old) if isinstance(old, str) else None,
        new=clean(new) if isinstance(new, str) else None,
        cut=cut,
    )


def _seconds(value: object) -> float | None:
    """How long bash may run: 120 s where nothing is said, 600 s at most; none for what dirtywork refuses."""
    if value is None:
        return _BASH_SECONDS
    if isinstance(value, str):
        told = _DURATION.fullmatch(value)
        if told is None:
            return None
        value = int(told[1]) * (60 if (told[2] or "s").lower().startswith("m") else 1)
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return max(1, min(value, _BASH_MOST))

"""What a call asks for, by the names that the agents in these trajectories give their tools."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from monitor.agents import text_editor
from monitor.agents.fields import Object, parts, raw, text
from monitor.events import Change, Kind, ToolCalled
from monitor.text import clean

FINISH = "mark_task_complete"
_KINDS: Mapping[str, Kind] = {
    "bash_command": "shell", "bash": "shell", "execute_bash": "shell", "run_shell_command": "shell", "shell": "shell",
    "exec_command": "shell", "local_shell": "shell", "terminal": "shell", "run_command": "shell",
    "edit": "write", "multiedit": "write", "write": "write", "write_file": "write", "edit_file": "write", "replace": "write",
    "apply_patch": "write", "create_file": "write", "notebookedit": "write",
    "read": "read", "read_file": "read", "view": "read", "read_many_files": "read",
    "grep": "search", "glob": "search", "ls": "search", "list_directory": "search", "search_file_content": "search",
    "websearch": "search", "web_search": "search", "google_web_search": "search",
    "webfetch": "fetch", "web_fetch": "fetch", "fetch": "fetch",
    "task": "delegate", "agent": "delegate",
    "todowrite": "plan", "todo_write": "plan", "write_todos": "plan", "think": "plan", "update_plan": "plan",
    "bashoutput": "poll", "write_stdin": "poll",
    FINISH: "finish", "finish": "finish", "submit": "finish", "complete_task": "finish", "attempt_completion": "finish",
}  # fmt: skip
"""Of each tool by its name in lower case; all others are `other`."""
_FILE = ("file_path", "path", "filename", "target_file", "absolute_path", "notebook_path")
_OLD = ("old_string", "old_str", "old_text", "oldText")
_NEW = ("new_string", "new_str", "new_text", "newText", "content", "file_text", "contents", "new_source")
_KEYS = ("C-", "M-", "Escape", "Enter", "Up", "Down", "Tab")
"""How keys of a terminal are named that type nothing."""


def called(found: Object, call: str, message: str, at: float | None) -> ToolCalled:
    """The call, from a step's `tool_calls`."""
    name, arguments = raw(found, "function_name"), _arguments(found.get("arguments"))
    kind = _KINDS.get(name.lower(), "other")
    if name in text_editor.NAMES:
        kind = text_editor.kind_of(raw(arguments, "command"))
    command = _command(arguments) if kind == "shell" else ""
    if "keystrokes" in arguments:
        kind = _typed(raw(arguments, "keystrokes"))
    file = _first(arguments, _FILE)
    return ToolCalled(
        call=call,
        message=message,
        tool=clean(name),
        kind=kind,
        arguments=written(arguments),
        changes=_changes(name, arguments, file) if kind == "write" else (),
        paths=(file,) if file and kind in ("read", "search") else (),
        command=command if kind == "shell" else "",
        url=text(arguments, "url") if kind == "fetch" else "",
        at=at,
    )


def written(arguments: Object) -> str:
    """The arguments as JSON."""
    try:
        return clean(json.dumps(arguments, ensure_ascii=False))
    except (RecursionError, ValueError):
        return ""


def _typed(keys: str) -> Kind:
    """What is typed into a terminal: a command with its enter, nothing at all, or a part of something."""
    if not keys.strip():
        return "poll"
    return "shell" if keys.endswith(("\n", "EOF")) and not keys.startswith(_KEYS) else "other"


def _command(arguments: Object) -> str:
    for key in ("command", "cmd", "keystrokes"):
        value = arguments.get(key)
        if isinstance(value, list):
            value = " ".join(one for one in value if isinstance(one, str))
        if isinstance(value, str):
            return clean(value.rstrip("\n"))
    return ""


def _changes(name: str, arguments: Object, file: str) -> tuple[Change, ...]:
    if name in text_editor.NAMES:
        return text_editor.changes_of(arguments)
    if edits := parts(arguments, "edits"):
        return tuple(Change(file, "edit", old=_given(one, _OLD), new=_given(one, _NEW)) for one in edits)
    old, new = _given(arguments, _OLD), _given(arguments, _NEW)
    return (Change(file, "edit" if old is not None else "write", old=old, new=new),)


def _first(arguments: Object, keys: tuple[str, ...]) -> str:
    return next((told for key in keys if (told := text(arguments, key))), "")


def _given(arguments: Object, keys: tuple[str, ...]) -> str | None:
    return next((text(arguments, key) for key in keys if isinstance(arguments.get(key), str)), None)


def _arguments(value: Any) -> Object:
    return value if isinstance(value, dict) else {}

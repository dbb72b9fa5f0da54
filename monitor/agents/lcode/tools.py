"""What a call of each of lcode's tools asks for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from monitor.agents.fields import Object, raw, read_object, text, truth, whole
from monitor.agents.lcode.patches import changes_of
from monitor.events import Change, Kind, ToolCalled
from monitor.text import clean

KINDS: Mapping[str, Kind] = {
    "read_file": "read", "view_image": "read", "skill": "read", "lcode_help": "read",
    "list_dir": "search", "glob": "search", "grep": "search", "repo_map": "search", "search_code": "search",
    "lsp": "search", "web_search": "search", "mcp_find_tools": "search",
    "edit_file": "write", "write_file": "write", "apply_patch": "write",
    "bash": "shell", "bash_output": "poll",
    "web_fetch": "fetch",
    "agent": "delegate",
    "todo_write": "plan", "present_plan": "plan",
}  # fmt: skip
"""Of each tool by its name; all others, those of MCP servers among them, are `other`."""
_BASH_SECONDS = 180
"""How long bash may run where the call does not say."""


def arguments_of(value: Any) -> Object:
    """A call's arguments as an object; some models send them as a text that holds one, as lcode itself reads it."""
    if isinstance(value, str):
        found = read_object(value.encode("utf-8", "surrogatepass"))
        return {} if isinstance(found, str) else found
    return value if isinstance(value, dict) else {}


def written(value: Any) -> str:
    """A value as JSON, cleaned; empty for what is nested too deeply to be written."""
    if isinstance(value, str):
        return clean(value)
    try:
        return clean(json.dumps(value, ensure_ascii=False))
    except (RecursionError, ValueError):
        return ""


def called(name: str, value: Any, call: str, message: str) -> ToolCalled:
    """A call as the model made it; `value` are its arguments."""
    arguments = arguments_of(value)
    kind = KINDS.get(name, "other")
    path = text(arguments, "path")
    shell = name == "bash"
    return ToolCalled(
        call=call,
        message=message,
        tool=clean(name),
        kind=kind,
        arguments=written(arguments if arguments or not isinstance(value, str) else value),
        changes=_changes(name, arguments) if kind == "write" else (),
        paths=(path or ".",)
        if kind == "search" and "url" not in arguments
        else (path,)
        if kind == "read" and path
        else (),
        command=text(arguments, "command") if name in ("bash", "screenshot") else "",
        url=text(arguments, "url") if name in ("web_fetch", "screenshot") else "",
        timeout=_seconds(arguments) if shell else None,
        background=shell and (truth(arguments, "background") is True or raw(arguments, "background").lower() == "true"),
    )


def _changes(name: str, arguments: Object) -> tuple[Change, ...]:
    if name == "apply_patch":
        return changes_of(raw(arguments, "patch"))
    file = text(arguments, "path")
    if name == "write_file":
        return (Change(file, "write", new=_given(arguments, "content")),)
    return (Change(file, "edit", old=_given(arguments, "old_string"), new=_given(arguments, "new_string")),)


def _given(arguments: Object, key: str) -> str | None:
    """A text of the arguments, cleaned; none where there is none."""
    return text(arguments, key) if isinstance(arguments.get(key), str) else None


def _seconds(arguments: Object) -> float:
    told = whole(arguments, "timeout")
    if told is None and raw(arguments, "timeout").strip().isascii() and raw(arguments, "timeout").strip().isdigit():
        told = int(raw(arguments, "timeout").strip()[:9])
    return float(max(0, min(told, 10**9))) if told else float(_BASH_SECONDS)

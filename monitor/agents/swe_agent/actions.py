"""What an action of SWE-agent asks for: a line of text, whose first word may name a tool of its own."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from monitor.agents import text_editor
from monitor.events import Change, Kind, ToolCalled
from monitor.text import clean

_KINDS: Mapping[str, Kind] = {
    "open": "read", "goto": "read", "scroll_up": "read", "scroll_down": "read", "filemap": "read", "view_image": "read",
    "search_dir": "search", "search_file": "search", "find_file": "search",
    "create": "write", "edit": "write", "insert": "write",
    "submit": "finish", "exit_forfeit": "finish",
}  # fmt: skip
"""SWE-agent's own tools; any other first word is a shell command."""
_LINES = re.compile(r"edit (\d+):(\d+)[^\S\n]*\n(.*)", re.DOTALL)
_END = re.compile(r"\n?end_of_edit\s*\Z")
_FLAG = re.compile(r"--(file_text|view_range|old_str|new_str|insert_line)(?:=(.*))?", re.DOTALL)
_LONGEST = 200_000
"""Characters of an action whose words are told apart."""
_CHAINED = re.compile(r"\s(?:&&|\|\|?|;)\s")


def called(action: str, opened: str, call: str, message: str) -> ToolCalled:
    """The call that an action is; `opened` is the file in SWE-agent's window."""
    action = action.strip()
    tool = re.split(r"\s", action, maxsplit=1)[0]
    if tool in text_editor.NAMES:
        return _editor(action, tool, call, message)
    kind = _KINDS.get(tool, "shell")
    words = _words(action) if kind not in ("shell", "finish") else []
    if kind == "shell" or (words is None and tool not in ("edit", "insert")) or _is_shell(action, kind):
        return _shell(action, call, message)
    changes = _changes(tool, action, words, opened) if kind == "write" else ()
    return ToolCalled(
        call=call,
        message=message,
        tool=tool,
        kind=kind,
        # A window rarely begins at the file's top; arguments that name a line say so.
        arguments=_json({"action": action, "line": None}) if kind == "read" else clean(action),
        changes=changes,
        paths=_paths(tool, words or [], opened),
    )


def _editor(action: str, tool: str, call: str, message: str) -> ToolCalled:
    """A command of the text editor, its arguments given as flags."""
    words = _words(action)
    arguments = _flags(action.split(maxsplit=3)[:3] if words is None else words)
    command = str(arguments.get("command", ""))
    kind = text_editor.kind_of(command)
    path = clean(str(arguments.get("path", "")))
    return ToolCalled(
        call=call,
        message=message,
        tool=tool,
        kind=kind,
        arguments=_json(arguments if words is not None else {"action": action}),
        changes=tuple(msgspec.structs.replace(one, cut=words is None) for one in text_editor.changes_of(arguments)),
        paths=(path,) if kind == "read" and path else (),
    )


def _shell(action: str, call: str, message: str) -> ToolCalled:
    return ToolCalled(
        call=call,
        message=message,
        tool="bash",
        kind="shell",
        arguments=_json({"command": action}),
        command=clean(action),
    )


def _is_shell(action: str, kind: Kind) -> bool:
    """Whether a tool's name only begins a line of the shell."""
    return kind in ("read", "search") and _CHAINED.search(action) is not None


def _words(action: str) -> list[str] | None:
    """The action's words as a shell reads them; none where its quotes do not close."""
    if len(action) > _LONGEST:
        return None
    try:
        return shlex.split(action)
    except ValueError:
        return None


def _flags(words: Sequence[str]) -> dict[str, Any]:
    """The text editor's arguments; a flag may be given as one word or as two."""
    found: dict[str, Any] = {"command": words[1] if len(words) > 1 else "", "path": words[2] if len(words) > 2 else ""}
    flag = ""
    for word in words[3:]:
        if told := _FLAG.fullmatch(word):
            flag = told[1]
            if told[2] is not None:
                found[flag] = told[2]
        elif flag == "view_range":
            found[flag] = [*found.get(flag, ()), word]
        elif flag:
            found.setdefault(flag, word)
    return found


def _changes(tool: str, action: str, told: Sequence[str] | None, opened: str) -> tuple[Change, ...]:
    """The change of the window's own tools: lines replaced, text replaced, text inserted, a file begun.

    Where the words of an action cannot be told apart (`told` is none), neither can its old text and its new one.
    """
    words = told or ()
    if tool == "create":
        return (Change(clean(" ".join(words[1:2])), "create", new=""),)
    if tool == "edit" and (lines := _LINES.match(action)):
        new = _END.sub("", lines[3])
        removed = max(int(lines[2][:9]) - int(lines[1][:9]) + 1, 0)
        return (Change(opened, "edit", new=clean(new), added=new.count("\n") + 1 if new else 0, removed=removed),)
    if tool == "edit" and len(words) >= 3:
        return (Change(opened, "edit", old=clean(words[1]), new=clean(words[2])),)
    new = words[1] if len(words) > 1 else action.partition(" ")[2]
    return (Change(opened, "insert" if tool == "insert" else "edit", new=clean(new), cut=told is None),)


def _paths(tool: str, words: Sequence[str], opened: str) -> tuple[str, ...]:
    """The files a tool reads, or searches."""
    if tool in ("open", "filemap", "view_image"):
        return tuple(clean(word) for word in words[1:2])
    if tool in ("goto", "scroll_up", "scroll_down"):
        return (opened,) if opened else ()
    if tool in ("search_dir", "search_file", "find_file"):
        return tuple(clean(word) for word in words[2:3]) or ((opened,) if tool == "search_file" and opened else (".",))
    return ()


def _json(value: Mapping[str, Any]) -> str:
    return clean(json.dumps(value, ensure_ascii=False))

"""What a call of Codex is: its kind, the command it runs, the files it changes."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from typing import Any

import msgspec

from monitor.agents.apply_patch import changes_of
from monitor.agents.codex.script import patched
from monitor.agents.fields import Object, read_json
from monitor.events import Change, Kind, ToolCalled
from monitor.text import clean

SCRIPT = "exec"
"""The one tool of code mode: it takes JavaScript."""
_PATCH = "apply_patch"
_SHELLS = frozenset({"exec_command", "shell", "shell_command", "local_shell", "container.exec", "unified_exec"})
_KINDS: dict[str, Kind] = {
    "write_stdin": "poll", "update_plan": "plan", "view_image": "read", "read_file": "read", "list_dir": "read",
    "grep_files": "search", "web_search": "search", "tool_search": "search", "request_user_input": "ask",
    "spawn_agent": "delegate", "send_input": "delegate", "send_message": "delegate", "wait_agent": "poll",
    "wait": "poll", "close_agent": "other",
}  # fmt: skip
_WRAPPED = re.compile(r"(?:/\S*/)?(?:ba|z|da)?sh")
_HEREDOC = re.compile(r"(?:^|[\s;&(])apply_patch\s+<<-?\s*['\"]?(\w{1,100})['\"]?[^\n]*\n(.*)", re.DOTALL)


def called(name: str, arguments: str, call: str, message: str) -> ToolCalled:
    """A call by its tool's name and its arguments as the log holds them: JSON, a patch, or a script."""
    made = ToolCalled(call=clean(call), message=message, tool=clean(name), arguments=clean(arguments))
    if name == _PATCH:
        return _replace(made, kind="write", changes=changes_of(_patch(arguments)) or (Change(""),))
    if name == SCRIPT:
        changes = patched(arguments)
        return _replace(made, kind="write" if changes else "other", changes=changes)
    told = _object(arguments)
    if name in _SHELLS:
        return ran(made, command_of(told))
    if name == "write_stdin" and told.get("chars"):
        return _replace(made, kind="other")
    paths = tuple(clean(value) for key in ("path", "dir_path") if isinstance(value := told.get(key), str))
    return _replace(made, kind=_KINDS.get(name, "other"), paths=paths)


def ran(call: ToolCalled, command: str) -> ToolCalled:
    """A call that runs a command; one that hands a patch to `apply_patch` is a write."""
    told = clean(command)
    found = _HEREDOC.search(command)
    changes = changes_of(found[2]) if found else ()
    if changes:
        return _replace(call, kind="write", changes=changes)
    return _replace(call, kind="shell", command=told)


def command_of(told: Object) -> str:
    """The command line among the arguments; of a shell's own words, what it was given to run."""
    found = told.get("cmd") or told.get("command")
    if isinstance(found, str):
        return found
    words = [word for word in found if isinstance(word, str)] if isinstance(found, list) else []
    return line_of(words)


def line_of(words: Sequence[str]) -> str:
    """A command's words as one line; of `bash -lc LINE` the line."""
    if len(words) >= 3 and _WRAPPED.fullmatch(words[0]) and words[1] in ("-c", "-lc", "-ic"):
        return words[2]
    return shlex.join(words)


def _patch(arguments: str) -> str:
    """The patch itself: as it stands, or as the only argument of a function."""
    if not arguments.lstrip().startswith("{"):
        return arguments
    told = _object(arguments)
    return next((value for key in ("input", "patch") if isinstance(value := told.get(key), str)), arguments)


def _object(arguments: str) -> Object:
    try:
        found = read_json(arguments.encode("utf-8", "surrogatepass"))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _replace(call: ToolCalled, **more: Any) -> ToolCalled:
    return msgspec.structs.replace(call, **more)

"""What makes a call the same as another, how it is named, and whether it only waits."""

from __future__ import annotations

import json

import msgspec

from monitor.events import Kind, ToolCalled
from monitor.shell.effects import only_looks, only_waits
from monitor.text import line, shorten

_NEEDS_ARGUMENTS: tuple[Kind, ...] = ("read", "write", "shell", "fetch", "search", "delegate")
_UNCHANGING: tuple[Kind, ...] = ("read", "fetch", "search", "poll", "ask", "plan", "finish")
_POLLS = frozenset(
    ("wait", "wait_agent", "await", "sleep", "bash_output", "task_list", "task_get", "task_output", "read_process",
     "process_output", "get_terminal_output", "read_terminal", "command_status", "check_status")
)  # fmt: skip
"""Tools that ask how something running is, by the names they have where their decoder knows no kind."""
_TYPED = ("write_stdin", "send_input", "write_to_process")
"""Tools that type into something running; typing nothing is waiting."""
_NAME = 160


def identity(call: ToolCalled) -> int | None:
    """The same for calls of the same tool with the same arguments; none where the log does not have them whole."""
    if call.arguments_cut or call.partial or any(change.cut for change in call.changes):
        return None
    asked = call.arguments.strip()
    if asked in ("", "{}", "null") and (call.command or call.url or call.paths or call.changes):
        asked = repr((call.command, call.url, call.paths, call.changes))
    elif not asked or (asked in ("{}", "null") and call.kind in _NEEDS_ARGUMENTS):
        return None
    return hash((call.tool, _canonical(asked)))


def _canonical(asked: str) -> str | bytes:
    """The same for the same object, in whatever order and spacing it is written."""
    if not asked.startswith("{"):
        return asked
    try:
        return msgspec.json.encode(msgspec.json.decode(asked), order="sorted")
    except (ValueError, RecursionError):
        return asked


def named(call: ToolCalled) -> str:
    """A call in a few words, on one line."""
    files = dict.fromkeys(change.file for change in call.changes if change.file)
    about = call.command or call.url or ", ".join(files) or ", ".join(call.paths)
    if not about and call.arguments not in ("{}", "null"):
        about = call.arguments
    tool = "" if call.kind == "shell" and call.command else call.tool or "a call"
    return shorten(line(" ".join(f"{tool} {about[: 4 * _NAME]}".split())), _NAME)


def waits(call: ToolCalled, *, running: bool) -> bool:
    """Whether a call only waits for something, or asks how it is; `running`: a command runs in the background."""
    if call.kind == "poll" or call.tool.lower() in _POLLS:
        return True
    if call.tool.lower() in _TYPED:
        return not any(_typed(call.arguments))
    if call.kind != "shell" or call.arguments_cut:
        return False
    return bool(call.command or call.arguments) and only_waits(call.command, running=running)


def _typed(arguments: str) -> list[str]:
    """What is typed."""
    try:
        told = json.loads(arguments)
    except (ValueError, RecursionError):
        return [arguments]
    if not isinstance(told, dict):
        return [arguments]
    return [str(told[name]) for name in ("chars", "input", "text", "data", "keystrokes") if told.get(name)]


def may_change(call: ToolCalled, *, made: bool) -> bool:
    """Whether a call that ran may have changed something; `made`: it succeeded."""
    if call.kind in _UNCHANGING:
        return False
    if call.kind == "write":
        return made
    return call.kind != "shell" or not call.command or not only_looks(call.command)

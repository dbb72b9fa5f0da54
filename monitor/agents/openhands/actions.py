"""What each action of OpenHands asks for."""

from __future__ import annotations

import json
from collections.abc import Mapping

from monitor.agents import text_editor
from monitor.agents.fields import Object, raw, text, truth
from monitor.agents.openhands.entry import Entry
from monitor.events import Change, Kind, ToolCalled
from monitor.text import clean

KINDS: Mapping[str, Kind] = {
    "run": "shell", "run_ipython": "other",
    "read": "read", "write": "write", "edit": "write",
    "browse": "fetch", "browse_interactive": "fetch",
    "delegate": "delegate",
    "think": "plan", "task_tracking": "plan", "condensation_request": "plan",
    "call_tool_mcp": "other", "mcp": "other",
    "finish": "finish", "reject": "finish",
}  # fmt: skip
"""Of each action that is a call."""
SILENT = (
    "message", "system", "recall", "change_agent_state", "null", "condensation", "initialize", "start", "loop_recovery", "",
)  # fmt: skip
"""Actions that call nothing."""


def called(entry: Entry, call: str, message: str) -> ToolCalled:
    """The call that an action is."""
    asked = entry.arguments
    kind = _kind(entry.action, asked)
    path = text(asked, "path")
    return ToolCalled(
        call=call,
        message=message,
        tool=entry.tool,
        kind=kind,
        arguments=_written(asked),
        changes=_changes(entry.action, asked) if kind == "write" else (),
        paths=(path,) if kind == "read" and path else (),
        command=text(asked, "command") if kind == "shell" else "",
        url=text(asked, "url") if kind == "fetch" else "",
        timeout=_seconds(entry.found.get("timeout")) if kind == "shell" else None,
        at=entry.at,
    )


def _kind(action: str, asked: Object) -> Kind:
    """What an action is; typing into a running command is no command, and typing nothing is waiting."""
    if action == "run" and not raw(asked, "command").strip():
        return "poll"
    if action == "run" and truth(asked, "is_input"):
        return "other"
    return KINDS.get(action, "other")


def _changes(action: str, asked: Object) -> tuple[Change, ...]:
    if changes := text_editor.changes_of(asked):
        return changes
    file = text(asked, "path")
    new = text(asked, "content") if isinstance(asked.get("content"), str) else None
    return (Change(file, "write" if action == "write" else "edit", new=new),)


def _written(asked: Object) -> str:
    """The arguments as JSON, without what every action has and what the model says beside them."""
    own = {key: value for key, value in asked.items() if key not in _BESIDE and value is not None}
    try:
        return clean(json.dumps(own, ensure_ascii=False))
    except (RecursionError, ValueError):
        return ""


_BESIDE = (
    "thought", "security_risk", "confirmation_state", "is_confirmed", "action_risk", "impl_source", "keep_prompt",
    "kernel_init_code", "hidden", "blocking", "include_extra",
)  # fmt: skip


def _seconds(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 < value < 1e9 else None

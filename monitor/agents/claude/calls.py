"""Tool calls: what kind of work each tool does, and the change a write asks for."""

from __future__ import annotations

import math
from dataclasses import dataclass

from msgspec import Raw, Struct

from monitor.agents.claude.parse import part
from monitor.agents.claude.shape import Block
from monitor.agents.claude.where import Where
from monitor.events import Change, Kind, ToolCalled
from monitor.text import clean

KINDS: dict[str, Kind] = {
    "Read": "read", "NotebookRead": "read", "ReadMcpResourceTool": "read",
    "Edit": "write", "MultiEdit": "write", "Write": "write", "NotebookEdit": "write",
    "Bash": "shell", "PowerShell": "shell", "Monitor": "shell",
    "WebFetch": "fetch",
    "Grep": "search", "Glob": "search", "LS": "search", "LSP": "search", "WebSearch": "search", "ToolSearch": "search",
    "Task": "delegate", "Agent": "delegate", "Workflow": "delegate", "SendMessage": "delegate",
    "BashOutput": "poll", "TaskOutput": "poll", "AgentOutputTool": "poll", "ListAgents": "poll", "TaskList": "poll",
    "TaskGet": "poll", "CronList": "poll", "Sleep": "poll",
    "AskUserQuestion": "ask",
    "TodoRead": "plan", "TodoWrite": "plan", "TaskCreate": "plan", "TaskUpdate": "plan", "EnterPlanMode": "plan",
    "ExitPlanMode": "plan", "exit_plan_mode": "plan",
    "StructuredOutput": "finish",
}  # fmt: skip
"""Of each tool by its name; all others, those of MCP servers among them, are `other`."""
_MOST = 4_096
"""Calls remembered until their results come."""


@dataclass(frozen=True, slots=True)
class Call:
    """What a result needs to know of its call."""

    tool: str
    kind: Kind
    files: tuple[str, ...]
    message: str
    actor: str


class Calls:
    """The latest calls by their id."""

    def __init__(self) -> None:
        self._known: dict[str, Call] = {}

    def get(self, call: str) -> Call | None:
        """The call with this id, if it is remembered."""
        return self._known.get(call)

    def keep(self, event: ToolCalled) -> None:
        """Remember a call; one told again is the newest."""
        self._known.pop(event.call, None)
        files = tuple(dict.fromkeys(change.file for change in event.changes))
        self._known[event.call] = Call(event.tool, event.kind, files, event.message, event.actor)
        if len(self._known) > _MOST:
            del self._known[next(iter(self._known))]

    def copy(self) -> Calls:
        """Another that goes on from here."""
        other = Calls()
        other._known = dict(self._known)
        return other


class _Edit(Struct, frozen=True, gc=False):
    old_string: str | None = None
    new_string: str | None = None


class _Question(Struct, frozen=True, gc=False):
    question: str = ""


class _Arguments(Struct, frozen=True, gc=False):
    """The arguments that are read, of all tools."""

    file_path: str | None = None
    notebook_path: str | None = None
    path: str | None = None
    old_string: str | None = None
    new_string: str | None = None
    content: str | None = None
    new_source: str | None = None
    edit_mode: str | None = None
    edits: list[_Edit] | None = None
    command: str | None = None
    timeout: float | None = None
    run_in_background: bool | None = None
    url: str | None = None
    questions: list[_Question] | None = None


def called(block: Block, message: str, where: Where) -> ToolCalled:
    """The call that a whole `tool_use` block asks for."""
    tool = clean(block.name)
    kind = KINDS.get(tool, "other")
    read = part(_Arguments, block.input)
    file = clean(read.file_path or read.notebook_path or read.path or "")
    return ToolCalled(
        call=clean(block.id),
        message=message,
        tool=tool,
        kind=kind,
        arguments=written(block.input),
        changes=_changes(tool, file, read) if kind == "write" else (),
        paths=(file,) if file and kind in ("read", "search") else (),
        command=clean(read.command or "") if kind == "shell" else "",
        url=clean(read.url or "") if kind == "fetch" else "",
        timeout=_seconds(read.timeout) if kind == "shell" else None,
        background=bool(read.run_in_background) or tool == "Monitor",
        **where,
    )


def begun(block: Block, message: str, where: Where) -> ToolCalled:
    """The call that the model has begun to write."""
    tool = clean(block.name)
    return ToolCalled(
        call=clean(block.id), message=message, tool=tool, kind=KINDS.get(tool, "other"), partial=True, **where
    )


def asked(block: Block) -> str:
    """What a call asks a person, in one line; empty where it asks nothing."""
    if block.name == "AskUserQuestion":
        questions = part(_Arguments, block.input).questions or []
        return " ".join(clean(one.question) for one in questions[:4])[:400] or "a question"
    return "whether its plan may be carried out" if block.name in ("ExitPlanMode", "exit_plan_mode") else ""


def written(raw: Raw) -> str:
    """JSON as the source wrote it."""
    return clean(bytes(raw).decode("utf-8", "replace"))


def _changes(tool: str, file: str, read: _Arguments) -> tuple[Change, ...]:
    if tool == "MultiEdit":
        return tuple(_edit(file, one.old_string, one.new_string) for one in read.edits or ()) or (Change(file),)
    if tool == "Write":
        return (Change(file, op="write", new=_text(read.content)),)
    if tool == "NotebookEdit":
        return (Change(file, op="insert" if read.edit_mode == "insert" else "edit", new=_text(read.new_source)),)
    return (_edit(file, read.old_string, read.new_string),)


def _seconds(milliseconds: float | None) -> float | None:
    return milliseconds / 1000 if milliseconds is not None and math.isfinite(milliseconds) else None


def _edit(file: str, old: str | None, new: str | None) -> Change:
    """An edit of nothing creates the file."""
    return Change(file, op="create" if old == "" else "edit", old=_text(old), new=_text(new))


def _text(text: str | None) -> str | None:
    return None if text is None else clean(text)

"""What OpenCode notes of itself beside the conversation, and what it waits for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from monitor.agents.fields import Object, part, raw, text, texts
from monitor.agents.opencode.frame import Frame
from monitor.events import Noticed, Waiting
from monitor.text import first_line, shorten

QUIET = frozenset((
    "server.connected", "server.heartbeat", "server.instance.disposed", "global.disposed", "plugin.added", "catalog.updated",
    "reference.updated", "integration.updated", "project.updated", "session.diff", "file.edited", "file.watcher.updated",
    "todo.updated", "command.executed", "lsp.updated", "lsp.client.diagnostics", "vcs.branch.updated", "ide.installed",
    "installation.updated", "installation.update-available", "mcp.tools.changed", "mcp.browser.open.failed",
    "tui.prompt.append", "tui.command.execute", "tui.toast.show", "tui.session.select", "pty.created", "pty.updated",
    "pty.exited", "pty.deleted", "worktree.ready", "worktree.failed", "models-dev.refreshed", "session.updated",
    "session.diff.updated", "permission.v2.asked", "permission.v2.replied", "config.updated", "account.updated",
))  # fmt: skip
"""Events that tell nothing of a run, or nothing that is not told elsewhere."""
NEWER = "session.next.prompted"
"""A prompt by OpenCode's newer protocol."""
_LIMIT = re.compile(r"\b429\b|rate.?limit|too many requests|quota|overloaded", re.IGNORECASE)
_LONGEST = 300
_ASKED = {"permission.asked": "approval", "permission.updated": "approval", "question.asked": "user"}
_ANSWERED = frozenset(("permission.replied", "question.replied", "question.rejected"))


def waits(kind: str) -> bool:
    """Whether events of this type are questions to a person, or answers."""
    return kind in _ASKED or kind in _ANSWERED


def noticed(frame: Frame) -> Noticed | None:
    """A notice of the session's own; none for all other events."""
    match frame.type:
        case "session.status":
            words = text(part(frame.data, "status"), "message")
            return Noticed(kind="rate_limit" if _LIMIT.search(words) else "retry", name="retry", text=words)
        case "session.compacted":
            return Noticed(kind="compaction", name="session.compacted", text="the conversation was summed up")
        case "session.deleted":
            return Noticed(kind="status", name="session.deleted", text="the session was deleted")
        case "message.removed" | "message.part.removed":
            return Noticed(kind="status", name=frame.type, text="a part of the conversation was taken out of it")
        case kind if kind == NEWER:
            words = "a second loop was started in this session by OpenCode's newer protocol; what it does is not shown"
            return Noticed(kind="status", name=frame.type, text=words)
        case _:
            return None


def waited(frame: Frame, calls: dict[str, str]) -> Waiting | None:
    """A question to a person, once, or its answer; `calls` keeps which call each that is open is about."""
    data = frame.data
    if frame.type in _ASKED:
        if raw(data, "id") in calls:
            return None
        tool = part(data, "tool") or data
        call = calls.get(f"{raw(tool, 'messageID')} {raw(tool, 'callID')}", "")
        calls[raw(data, "id")] = call
        about = shorten(first_line(" ".join(_about(data))), _LONGEST)
        return Waiting(on="user" if _ASKED[frame.type] == "user" else "approval", about=about, call=call)
    if frame.type in _ANSWERED:
        name = raw(data, "requestID") or raw(data, "permissionID")
        return Waiting(
            on="user" if frame.type.startswith("question") else "approval", call=calls.pop(name, ""), over=True
        )
    return None


def _about(data: Object) -> Iterator[str]:
    """What is asked, in a few words."""
    questions = data.get("questions")
    if isinstance(questions, list):
        yield from (text(one, "question") for one in questions if isinstance(one, dict))
        return
    yield text(data, "permission") or text(data, "type")
    command = text(part(data, "metadata"), "command") or text(part(data, "metadata"), "filepath")
    yield command or " ".join(texts(data, "patterns")) or text(data, "title")

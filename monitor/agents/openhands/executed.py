"""What a tool of OpenHands 1 was asked for, and what came of it."""

from __future__ import annotations

import re

import msgspec

from monitor.agents import text_editor
from monitor.agents.atif.tools import called as named
from monitor.agents.fields import Object, part, parts, raw, read_object, text, truth, whole
from monitor.events import Failure, FileOutcome, Kind, Outcome, ToolCalled, ToolReturned
from monitor.text import clean

_BROKEN_OFF = re.compile(r"restart|interrupted|cancelled", re.IGNORECASE)
"""The call had begun, so that nobody knows what became of it."""


def called(found: Object, message: str) -> ToolCalled:
    """The call of an event; one that could not be read as an action has its arguments as the model wrote them."""
    action, asked = part(found, "action"), part(found, "tool_call")
    arguments = {key: value for key, value in action.items() if key != "kind" and value is not None}
    if not action:
        told = asked.get("arguments")
        given = read_object(told.encode("utf-8", "surrogatepass")) if isinstance(told, str) else told
        arguments = given if isinstance(given, dict) else {}
    name = text(found, "tool_call_id") or text(found, "id")
    call = named({"function_name": raw(found, "tool_name"), "arguments": arguments}, name, message, None)
    if call.kind == "shell" and (not call.command.strip() or truth(arguments, "is_input")):
        kind: Kind = "other" if call.command.strip() else "poll"
        return msgspec.structs.replace(call, kind=kind, command="")
    return call


def returned(kind: str, found: Object, name: str, call: ToolCalled | None) -> ToolReturned:
    """The result of a call."""
    seen = part(found, "observation")
    if kind == "UserRejectObservation":
        outcome: Outcome = "refused" if raw(found, "rejection_source") == "hook" else "denied"
        return _made(name, call, outcome, "", text(found, "rejection_reason"))
    if kind == "AgentErrorEvent":
        error = text(found, "error")
        broken = _BROKEN_OFF.search(error[:400]) is not None
        return _made(name, call, "unknown" if broken else "not_executed", "", error)
    output = words_of(seen) or text(seen, "output") or text(seen, "error")
    code = whole(seen, "exit_code")
    code = whole(part(seen, "metadata"), "exit_code") if code is None else code
    outcome, failure = _judged(call, seen, output, code)
    return _made(
        name, call, outcome, failure, output, code=None if code == -1 else code,
        folder=text(part(seen, "metadata"), "working_dir"), running=code == -1 and outcome == "unknown",
        file=text(seen, "path") if _wrote(seen) else "",
    )  # fmt: skip


def words_of(found: Object) -> str:
    """The texts of a content."""
    content = found.get("content")
    if isinstance(content, str):
        return clean(content)
    return "\n".join(text(one, "text") for one in parts(found, "content") if one.get("type", "text") == "text")


def _judged(call: ToolCalled | None, seen: Object, output: str, code: int | None) -> tuple[Outcome, Failure]:
    wrong = truth(seen, "is_error") is True or bool(raw(seen, "error"))
    if _wrote(seen) or (call is not None and call.kind == "write"):
        outcome, failure = text_editor.judge(output)
        if wrong:
            return "failed", failure or "other"
        return ("ok", "") if outcome == "unknown" else (outcome, failure)
    if code is None:
        return ("failed", "other") if wrong else ("ok", "")
    if code == -1:
        return ("timed_out" if truth(seen, "timeout") is True and wrong else "unknown"), ""
    return ("ok" if code == 0 else "failed"), ""


def _wrote(seen: Object) -> bool:
    """Whether a result is that of a file editor's change."""
    return "Editor" in raw(seen, "kind") and text_editor.kind_of(raw(seen, "command")) == "write"


def _made(
    name: str,
    call: ToolCalled | None,
    outcome: Outcome,
    failure: Failure,
    output: str,
    *,
    code: int | None = None,
    folder: str = "",
    running: bool = False,
    file: str = "",
) -> ToolReturned:
    asked = [change.file for change in call.changes] if call is not None and call.kind == "write" else []
    files = tuple(
        FileOutcome(one, outcome, failure, cause=outcome != "ok") for one in dict.fromkeys(asked or [file]) if one
    )
    return ToolReturned(
        call=name,
        message=call.message if call is not None else "",
        outcome=outcome,
        failure=failure,
        files=files,
        exit=code,
        output=output,
        cwd=folder,
        background=running,
    )

"""What became of a call, as pi's tools word it."""

from __future__ import annotations

import re

from monitor.agents.fields import Object, part, raw, truth, whole
from monitor.agents.pi.calls import KINDS
from monitor.events import Failure, FileOutcome, Outcome, ToolCalled, ToolReturned
from monitor.text import clean

_EXIT = re.compile(r"Command exited with code (-?\d{1,9})\s*\Z")
_ABORTED = re.compile(r"(?:Command|Operation|Request) (?:was )?aborted\.?\s*\Z")
_LATE = re.compile(r"Command timed out after \d+(?:\.\d+)? seconds?\s*\Z")
_SKIPPED = re.compile(r"\s*Skipped due to queued user message")
_FAILURES: tuple[tuple[re.Pattern[str], Failure], ...] = (
    (re.compile(r"Validation failed for tool|Invalid (?:params|arguments)|must not be empty|overlap in |edits must contain"), "arguments"),
    (re.compile(r"Could not find (?:the exact text|edits\[\d+\]|the old text)"), "not_found"),
    (re.compile(r"Found \d+ occurrences"), "ambiguous"),
    (re.compile(r"No changes made to"), "identical"),
    (re.compile(r"File not found|\bE(?:NOENT|ACCES|PERM|ISDIR|NOTDIR|NOSPC|ROFS)\b|[Pp]ermission denied|Path is a directory"), "io"),
)  # fmt: skip
_TAIL = 400
_HEAD = 2_000


def returned(found: Object, call: ToolCalled | None, name: str, *, timed: bool) -> ToolReturned:
    """The result of a call; `timed` when other results of this log tell how long they took."""
    output = clean(content(part(found, "result") or found))
    error = truth(found, "isError") is True
    tool = raw(found, "toolName")
    code = whole(part(part(found, "result") or found, "structuredContent"), "exit_code")
    if code is None and (told := _EXIT.search(output[-_TAIL:])):
        code = int(told[1])
    elif code is None and not error and tool == "bash":
        code = 0
    outcome, failure = _judged(tool, output, error=error, blocked=timed and "durationMs" not in found, code=code)
    return ToolReturned(
        call=clean(name),
        message=call.message if call is not None else "",
        outcome=outcome,
        failure=failure,
        files=_files(call, found, outcome, failure),
        exit=code,
        output=output,
    )


def content(found: Object) -> str:
    """The texts of a content, not fit to be shown."""
    told = found.get("content")
    if isinstance(told, list):
        return "".join(raw(one, "text") for one in told if isinstance(one, dict) and one.get("type") == "text")
    return told if isinstance(told, str) else ""


def _judged(tool: str, output: str, *, error: bool, blocked: bool, code: int | None) -> tuple[Outcome, Failure]:
    """The meaning of a result; one that took no time at all was blocked by an extension."""
    if not error:
        return ("ok" if not code else "failed"), ""
    tail = output[-_TAIL:]
    if _SKIPPED.match(output):
        return "not_executed", ""
    if _ABORTED.search(tail):
        return "cancelled", ""
    if _LATE.search(tail):
        return "timed_out", ""
    if code is not None:
        return "failed", ""
    head = output[:_HEAD]
    failure: Failure = next((failure for words, failure in _FAILURES if words.search(head)), "other")
    if blocked and failure == "other":
        return "refused", "other"
    return "failed", failure if KINDS.get(tool) == "write" or failure == "arguments" else "other"


def _files(call: ToolCalled | None, found: Object, outcome: Outcome, failure: Failure) -> tuple[FileOutcome, ...]:
    """The one file of a write, with the lines it changed where pi shows them."""
    if call is None or call.kind != "write":
        return ()
    file = call.changes[0].file if call.changes else ""
    diff = raw(part(part(found, "result") or found, "details"), "diff") if outcome == "ok" else ""
    signs = [line[:1] for line in diff.split("\n")] if diff else []
    added, removed = (signs.count("+"), signs.count("-")) if signs else (None, None)
    return (FileOutcome(file, outcome, failure, cause=outcome != "ok", added=added, removed=removed),)

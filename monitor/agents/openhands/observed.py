"""What became of an action, from its observation."""

from __future__ import annotations

import re

from monitor.agents import text_editor
from monitor.agents.fields import part, text, whole
from monitor.agents.openhands.actions import KINDS
from monitor.agents.openhands.entry import Entry
from monitor.events import Failure, FileOutcome, Outcome, ToolCalled, ToolReturned

SILENT = ("recall", "agent_state_changed", "null", "system", "condense", "")
"""Observations that answer no call."""
OBSERVATIONS = frozenset((*SILENT, *KINDS, "error", "success", "user_rejected", "loop_detection"))
"""All that are known; what answers a call is known by the call."""
_NOT_RUN = re.compile(r"(?:ERROR:?\s*)?The action has not been executed|(?:ERROR:?\s*)?Action .{0,80} was not executed")
_REJECTED = re.compile(r"(?:ERROR:?\s*)?(?:Action|The action) has been rejected by the user")
_ARGUMENTS = re.compile(
    r"Parameter|Missing required argument|Failed to parse tool call|is not (?:a )?registered|Unknown tool|Invalid tool"
    r"|Error validating|unexpected keyword|Function call validation"
)
_LATE = re.compile(r"\[The command timed out after|TIMEOUT:|Command timed out|Timeout: ")
_NOT_TAKEN = re.compile(
    r"\[Your command .{0,4000}? is NOT executed|ERROR: Cannot execute multiple commands at once", re.DOTALL
)
_BROKEN = re.compile(r"Traceback \(most recent call last\)|\A\s*\[?ERROR\b|^\s*\w*Error: ", re.MULTILINE)
_WAITS = re.compile(r"\n> ?\Z")
"""A shell that waits for the rest of what was typed."""
_TAIL = 4_000


def returned(call: ToolCalled, entry: Entry) -> ToolReturned:
    """The result of a call."""
    output = text(entry.found, "content")
    output = f"ERROR: {output[7:]}" if output.startswith("ERROR:\n") else output
    code = _exit(entry)
    outcome, failure = _judged(call, entry, output, code)
    running = call.kind in ("shell", "poll", "other") and code == -1 and outcome == "unknown"
    files: tuple[FileOutcome, ...] = ()
    if call.kind == "write":
        asked = call.changes[0].file if call.changes else ""
        files = (FileOutcome(asked or text(entry.extras, "path"), outcome, failure, cause=outcome != "ok"),)
    return ToolReturned(
        call=call.call,
        message=call.message,
        outcome=outcome,
        failure=failure,
        files=files,
        exit=None if code == -1 else code,
        output=output,
        cwd=text(part(entry.extras, "metadata"), "working_dir"),
        background=running,
        at=entry.at,
    )


def _judged(call: ToolCalled, entry: Entry, output: str, code: int | None) -> tuple[Outcome, Failure]:
    head = output[:_TAIL]
    if _NOT_RUN.match(head) or _NOT_TAKEN.search(output[-_TAIL:]):
        return "not_executed", ""
    if _REJECTED.match(head) or entry.observation == "user_rejected":
        return "denied", ""
    if entry.observation == "error":
        return "failed", "arguments" if _ARGUMENTS.search(head) else "other"
    if call.kind == "write":
        return _wrote(entry, output)
    if call.kind in ("shell", "poll") or entry.observation == "run":
        return _ran(output, code), ""
    if entry.observation == "run_ipython":
        return ("failed" if _BROKEN.search(output) else "ok"), ""
    if head.startswith(("ERROR:", "[ERROR")):
        return "failed", "other"
    return "ok", ""


def _wrote(entry: Entry, output: str) -> tuple[Outcome, Failure]:
    """What came of a write: the editor says so, or there is a difference to show."""
    outcome, failure = text_editor.judge(output)
    if outcome == "unknown" and (text(entry.extras, "diff").strip() or entry.observation == "write"):
        return "ok", ""
    return outcome, failure


def _ran(output: str, code: int | None) -> Outcome:
    """What a command came to; -1 stands for one that still runs, or was stopped for its time."""
    if code is None:
        return "unknown"
    if code != -1:
        return "ok" if code == 0 else "failed"
    return "timed_out" if _LATE.search(output[-_TAIL:]) and not _WAITS.search(output[-_TAIL:].rstrip()) else "unknown"


def _exit(entry: Entry) -> int | None:
    told = whole(part(entry.extras, "metadata"), "exit_code")
    return told if told is not None else whole(entry.extras, "exit_code")

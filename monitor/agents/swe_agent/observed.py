"""What became of an action, as SWE-agent's tools and its shell word it: no exit code is ever told."""

from __future__ import annotations

import re

from monitor.agents import text_editor
from monitor.events import Failure, FileOutcome, Outcome, ToolCalled, ToolReturned
from monitor.text import clean

_TIMED_OUT = re.compile(
    r"\s*EXECUTION TIMED OUT|\s*The command '.{0,4000}?' was cancelled because it took more than", re.DOTALL
)
_NOT_RUN = re.compile(
    r"\s*(?:Your (?:bash )?command (?:contained syntax errors and )?was (?:NOT|not) executed"
    r"|Your (?:bash )?command contained syntax errors and was NOT executed"
    r"|Interactive operation '|Operation '.{1,200}' is not supported by this environment"
    r"|Your output was not formatted correctly|Your last output did not )"
)
_BROKEN = re.compile(r"\s*(?:COMMAND FAILED TO EXECUTE|EXECUTION ENVIRONMENT|Environment died)", re.IGNORECASE)
_SHELL_SAYS = re.compile(
    r"\s*(?:/bin/|-)?(?:ba|z|da)?sh: (?:line )?(?:\d+: )?.{1,400}: (?:command not found|not found|No such file or directory"
    r"|Permission denied)\s*\Z"
)
"""All that a shell prints of a command it could not start."""
_SENT_BACK = re.compile(r"\s*(?:Wrong flag!|Thank you for your work on this issue\. Please carefully follow)")
_WROTE = re.compile(r"File updated\.|Text replaced\.|Replaced \d+ occurrences?\.|\A\s*\[File: ")
_FAILURES: tuple[tuple[re.Pattern[str], Failure], ...] = (
    (re.compile(r"Your edit was not applied \(file not modified\): Found more than one occurrence"), "ambiguous"),
    (re.compile(r"Your edit was not applied \(file not modified\): Text .*? not found", re.DOTALL), "not_found"),
    (re.compile(r"Your search and replace strings are the same"), "identical"),
    (re.compile(r"(?:Error: )?File .{1,1000} already exists"), "exists"),
    (
        re.compile(
            r"No file open(?:ed)?\.|Usage: (?:edit|create|insert)|usage: (?:edit|create|insert)|Search text must not be empty"
            r"|Error: .{0,80}(?:must be a number|must be less than|argument)"
        ),
        "arguments",
    ),
    (re.compile(r"Permission denied|No such file or directory|Is a directory"), "io"),
    (
        re.compile(
            r"Your proposed edit has introduced new syntax error|Your changes have NOT been applied|Your edit was not applied"
        ),
        "other",
    ),
)
_SHOWN = re.compile(r"\[File: (.{1,1000}?) \(\d+ lines total\)\]")
_HEAD = 4_000


def returned(call: ToolCalled, observation: str, opened: str) -> ToolReturned:
    """The result of an action; `opened` is the file in the window."""
    output = clean(observation)
    outcome, failure = _judged(call, output)
    files: tuple[FileOutcome, ...] = ()
    if call.kind == "write":
        asked = call.changes[0].file if call.changes else ""
        file = _file(call, output, opened) if outcome == "ok" else asked or opened
        files = (FileOutcome(file, outcome, failure, cause=outcome != "ok"),)
    return ToolReturned(
        call=call.call,
        message=call.message,
        outcome=outcome,
        failure=failure if call.kind == "write" else "",
        files=files,
        output=output,
    )


def _judged(call: ToolCalled, output: str) -> tuple[Outcome, Failure]:
    head = output[:_HEAD]
    if _TIMED_OUT.match(head):
        return "timed_out", ""
    if _NOT_RUN.match(head):
        return "not_executed", ""
    if _BROKEN.match(head):
        return "failed", "other"
    if call.kind == "finish":
        return ("failed", "other") if _SENT_BACK.match(head) else ("ok", "")
    if call.kind != "write":
        return ("failed", "other") if _SHELL_SAYS.match(output[:_HEAD]) and len(output) < _HEAD else ("ok", "")
    return text_editor.judge(output) if call.tool in text_editor.NAMES else _wrote(output)


def _wrote(output: str) -> tuple[Outcome, Failure]:
    """What the window's own tools say of a write."""
    head = output[:_HEAD].lstrip()
    for pattern, failure in _FAILURES:
        if pattern.match(head):
            return "failed", failure
    if _SHELL_SAYS.match(head):
        return "failed", "other"
    return ("ok", "") if _WROTE.search(output) else ("unknown", "")


def _file(call: ToolCalled, output: str, opened: str) -> str:
    """The file as the tool resolved it, where its window shows it whole."""
    asked = call.changes[0].file if call.changes else ""
    if call.tool in text_editor.NAMES:
        return asked
    shown = _SHOWN.search(output)
    if shown is not None and shown[1].startswith("/"):
        return shown[1]
    return asked or opened

"""What became of a call, as OpenCode words it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from monitor.agents.acp import meaning
from monitor.agents.fields import Object, part, parts, raw, text, truth, whole
from monitor.agents.opencode.tools import INVALID, KINDS
from monitor.events import Failure, FileOutcome, Outcome, ToolCalled, ToolReturned
from monitor.text import clean

_TAIL, _HEAD = 600, 2_000
_ABORTED = re.compile(r"<(?:shell_|bash_)?metadata>[^<]*User aborted the command")
_LATE = re.compile(r"<(?:shell_|bash_)?metadata>[^<]*terminated command after exceeding timeout")
_REJECTED = re.compile(r"The user (?:rejected permission to use this|dismissed this question)")
_FEEDBACK = "with the following feedback:"
_RULED = "The user has specified a rule which prevents you"
_CUT_OFF = "Tool execution aborted"
_FAILURES: tuple[tuple[re.Pattern[str], Failure], ...] = (
    (
        re.compile(
            r"was called with invalid arguments|unavailable tool|Invalid input for tool|(?:filePath|patchText|content) is required"
            r"|no hunks found|empty patch|Invalid (?:patch|update|add|delete)"
        ),
        "arguments",
    ),
    (re.compile(r"oldString cannot be empty when editing an existing file|already exists"), "exists"),
    (re.compile(r"Refusing replacement because the matched span"), "ambiguous"),
    (re.compile(r"Failed to find (?:context|expected lines)|oldString not found"), "not_found"),
    (re.compile(r"File .{1,1000} not found|Failed to read file|Path is a directory"), "io"),
)  # fmt: skip
"""What only OpenCode words so; the first that is found."""


def returned(told: Object, call: ToolCalled, *, attended: bool) -> ToolReturned | None:
    """The result of a call; none while it runs. `attended`: a person is there who could have rejected it."""
    state = part(told, "state")
    status, output = raw(state, "status"), text(state, "output")
    if status == "error":
        output = text(state, "error") or output
        outcome, failure = _failed(state, output, call, attended=attended)
    elif status == "completed":
        outcome, failure = _completed(raw(told, "tool"), state, output)
    else:
        return None
    return ToolReturned(
        call=call.call,
        message=call.message,
        outcome=outcome,
        failure=failure,
        files=_files(call, state, outcome, failure, output) if call.kind == "write" else (),
        exit=whole(part(state, "metadata"), "exit"),
        output=output,
    )


def ending(outcome: Outcome, told: Object) -> Outcome | None:
    """A call that was rejected without a word ends the run; one that a rule refuses does not."""
    error = raw(part(told, "state"), "error")
    ends = outcome in ("denied", "refused") and error.startswith(("The user rejected", "The user dismissed"))
    return outcome if ends else None


def _failed(state: Object, words: str, call: ToolCalled, *, attended: bool) -> tuple[Outcome, Failure]:
    if truth(part(state, "metadata"), "interrupted") is True or words.startswith(_CUT_OFF):
        return "cancelled", ""
    if _REJECTED.match(words):
        if _FEEDBACK in words:
            return "corrected", ""
        return ("denied", "") if attended else ("refused", "other")
    if words.startswith(_RULED):
        return "refused", "other"
    failure = _failure(words)
    return "failed", failure if call.kind == "write" or failure == "arguments" else "other"


def _completed(tool: str, state: Object, output: str) -> tuple[Outcome, Failure]:
    """A call that came to its end; a command that failed did, too."""
    if tool == INVALID:
        return "not_executed", "arguments"
    code, tail = whole(part(state, "metadata"), "exit"), output[-_TAIL:] if KINDS.get(tool) == "shell" else ""
    if code is None and _ABORTED.search(tail):
        return "cancelled", ""
    if code != 0 and _LATE.search(tail):
        return "timed_out", ""
    return ("failed", "") if code else ("ok", "")


def _failure(words: str) -> Failure:
    head = words[:_HEAD]
    return next((failure for pattern, failure in _FAILURES if pattern.search(head)), meaning.failure(head))


def _files(call: ToolCalled, state: Object, outcome: Outcome, failure: Failure, words: str) -> tuple[FileOutcome, ...]:
    """What became of each file: a patch is applied whole or not at all."""
    if outcome == "ok" and (made := _made(part(state, "metadata"))):
        return made
    asked = tuple(dict.fromkeys(change.file for change in call.changes))
    named = [file for file in asked if file and file in words[:_HEAD]]
    causes = named if len(asked) > 1 else asked
    return tuple(FileOutcome(file, outcome, failure, cause=outcome != "ok" and file in causes) for file in asked)


def _made(shown: Object) -> tuple[FileOutcome, ...]:
    """The files that were written, as the tool resolved them."""
    one = part(shown, "filediff")
    several: Sequence[Object] = parts(shown, "files") or ([{**one, "filePath": one.get("file")}] if one else [])
    found = tuple(
        FileOutcome(clean(path), added=whole(file, "additions"), removed=whole(file, "deletions"))
        for file in several
        for path in dict.fromkeys((raw(file, "filePath"), raw(file, "movePath")))
        if path
    )
    return found or ((FileOutcome(text(shown, "filepath")),) if raw(shown, "filepath") else ())

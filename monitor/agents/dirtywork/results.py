"""What became of a call, as dirtywork's result text says it."""

from __future__ import annotations

import re

from monitor.agents.dirtywork.calls import FINISH
from monitor.agents.fields import Object, raw, text, truth
from monitor.events import Failure, FileOutcome, Outcome, ToolCalled, ToolReturned

DONE = "run finished"
"""The result of a `finish` that was accepted."""
_NOT_DONE = "run not finished:"
_CHANGED = re.compile(
    r"(?:Wrote|Edited|Appended to|Inserted into|Applied \d+ edits? to) (?P<file>.+): \+(?P<added>\d+) -(?P<removed>\d+)"
    r"(?: \(removed \d+ non-blank lines?\))?"
)
_CREATED = re.compile(r"Wrote \d+ bytes to (?P<file>.+) \(new file, (?P<added>\d+) lines?\)")
_HUGE = re.compile(
    r"(?:Wrote|Edited|Appended to|Inserted into|Applied \d+ edits? to) (?P<file>.+): \d+ lines "
    r"\(diff omitted: file too large\)"
)
_EXIT = re.compile(r"exit code: (-?\d{1,10})")
_ERROR, _BLOCKED = "ERROR: ", "BLOCKED:"
_HARNESS_CUT = "[output truncated at "
_KEPT = 2000
"""Characters of a result that the log keeps; of a `finish` all."""

_Told = tuple[re.Pattern[str], Outcome, Failure]


def _told(pattern: str, outcome: Outcome, failure: Failure) -> _Told:
    return re.compile(pattern, re.DOTALL), outcome, failure


_FAILURES: tuple[_Told, ...] = (
    _told(r"command timed out after |grep timed out after ", "timed_out", ""),
    _told(r"run deadline exceeded", "not_executed", ""),
    _told(r"firewall internal error", "refused", "other"),
    _told(r"[Pp]ath '.*' resolves outside the worktree", "refused", "other"),
    _told(r"[Ww]riting inside \.git/ is not allowed", "refused", "other"),
    _told(r"'.*' is a symlink; writing through a symlink", "refused", "other"),
    _told(r"(?:old_string|anchor) occurs 0 times in ", "failed", "not_found"),
    _told(r"(?:old_string|anchor) occurs \d+ times in ", "failed", "ambiguous"),
    _told(r"edit \d+ of \d+: old text occurs 0 times in ", "failed", "not_found"),
    _told(r"edit \d+ of \d+: old text occurs \d+ times in ", "failed", "ambiguous"),
    _told(r"edit \d+ of \d+: (?:old text is empty|each edit must be)", "failed", "arguments"),
    _told(r"bad arguments for |unknown tool |malformed tool ", "failed", "arguments"),
    _told(r"your \S+ (?:call was cut off|for )", "failed", "arguments"),
    _told(r"missing required argument |argument '.*' (?:has|exceeds|must)|unexpected key in ", "failed", "arguments"),
    _told(r"an argument has an unsupported type|arguments (?:could not be parsed|must be)", "failed", "arguments"),
    _told(r"tool_name |call_id must|duplicate call_id|batch_size exceeds|raw_chars exceeds", "failed", "arguments"),
    _told(r"nesting exceeds|a collection exceeds|a string exceeds|a number is outside", "failed", "arguments"),
    _told(r"cannot (?:read|write|append to|list|access) '", "failed", "io"),
    _told(r".* is not valid UTF-8|'.*' is not a regular file|'.*' exceeds \d+ bytes", "failed", "io"),
    _told(r"(?:content|text|result) is \d+ bytes, over the ", "failed", "io"),
    _told(r"(?:bash|grep) failed:", "failed", "io"),
)  # fmt: skip
"""What follows `ERROR: `, as dirtywork 0.14.0 words it; the first that fits. Anything else is `other`."""


def returned(found: Object, call: ToolCalled) -> ToolReturned:
    """The result of a call, from its `tool_result` record."""
    output = text(found, "result")
    outcome, failure = _judged(call.tool, output)
    if truth(found, "timed_out"):
        outcome, failure = "timed_out", ""
    elif not isinstance(found.get("result"), str):
        outcome, failure = "unknown", ""
    cut = (call.tool != FINISH and len(raw(found, "result")) >= _KEPT) or _HARNESS_CUT in output[-200:]
    told = _EXIT.match(output) if call.tool == "bash" else None
    return ToolReturned(
        call=call.call,
        message=call.message,
        outcome=outcome,
        failure=failure,
        files=_files(call, output, outcome, failure),
        exit=int(told[1]) if told else None,
        output=output,
        cut=cut,
    )


def _judged(tool: str, output: str) -> tuple[Outcome, Failure]:
    if output.startswith(_BLOCKED):
        return "refused", "other"
    if output.startswith(_ERROR):
        rest = output[len(_ERROR) :][:4000]
        for pattern, outcome, failure in _FAILURES:
            if pattern.match(rest):
                return outcome, failure
        return "failed", "other"
    if tool == FINISH:
        return _finished(output)
    if tool == "bash":
        told = _EXIT.match(output)
        return ("unknown" if told is None else "ok" if int(told[1]) == 0 else "failed"), ""
    return "ok", ""


def _finished(output: str) -> tuple[Outcome, Failure]:
    """A `finish` is accepted, or sent back with what is still to be done, or the run ends at it."""
    if output.startswith(DONE):
        return "ok", ""
    return ("failed", "other") if output.startswith(_NOT_DONE) else ("refused", "other")


def _files(call: ToolCalled, output: str, outcome: Outcome, failure: Failure) -> tuple[FileOutcome, ...]:
    """The one file of a write; dirtywork's tools take no more."""
    if call.kind != "write":
        return ()
    asked = call.changes[0].file if call.changes else ""
    if outcome != "ok":
        return (FileOutcome(asked, outcome, failure, cause=True),)
    head = output.partition("\n")[0]
    if told := _CHANGED.fullmatch(head):
        return (FileOutcome(told["file"], added=int(told["added"]), removed=int(told["removed"])),)
    if told := _CREATED.fullmatch(head):
        return (FileOutcome(told["file"], added=int(told["added"]), removed=0),)
    if told := _HUGE.fullmatch(head):
        return (FileOutcome(told["file"]),)
    return (FileOutcome(asked),)

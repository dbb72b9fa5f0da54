"""What a tool result means: Claude Code's own sentences, as it gives them to the model."""

from __future__ import annotations

import re
from dataclasses import dataclass

from monitor.events import Failure, Kind, Outcome

_HEAD = 1_000
"""Characters looked at: the sentences stand at the beginning."""
_EXIT = re.compile(r"Exit code (-?\d{1,9})\b")
_TIMED_OUT = re.compile(r"(?:Exit code -?\d{1,9}\n)?Command timed out after ")
_SAID = ("To tell you how to proceed, the user said:", "The user said:")
"""A person refused the call and told what to do instead."""
_PERSON = (
    "The user doesn't want to proceed with this tool use.",
    "The user doesn't want to take this action right now.",
    "Permission for this tool use was denied. The tool use was rejected",
    "The agent proposed a plan that was rejected by the user.",
    "User rejected tool use",
)
_STOPPED = "this call was stopped while running"
_INTERRUPTED = "[Request interrupted by user"
_NEVER_RAN = (
    "Cancelled: parallel tool call",
    "Sibling tool call errored",
    "Streaming fallback - tool execution discarded",
    "No such tool available:",
    "Error: No such tool available:",
)
_RULE = re.compile(
    r"(?:Hook )?(?:PreToolUse|PermissionRequest):\S+ (?:hook error|denied this tool|hook stopped)"
    r"|Operation (?:stopped|blocked) by hook"
    r"|Permission (?:to|for) .{1,400}? (?:has been|was) denied"
    r"|Claude requested permissions? .{1,900}, but you haven't granted it yet"
    r"|This (?:Bash )?command .{0,400}?requires approval\b"
    r"|.{1,400} is in a directory that is denied by your permission settings",
    re.DOTALL,
)
_LOST = "[Tool result missing due to internal error]"
_ERROR = "<tool_use_error>"
_FAILURES: tuple[tuple[re.Pattern[str], Failure], ...] = (
    (re.compile(r"InputValidationError|failed due to the following issue"), "arguments"),
    (re.compile(r"String to replace not found|String not found in file"), "not_found"),
    (re.compile(r"Cell with .{1,200}? (?:not found|does not exist) in notebook"), "not_found"),
    (re.compile(r"Found \d+ matches of the string to replace"), "ambiguous"),
    (re.compile(r"No changes to make|are exactly the same|Original and edited file match exactly"), "identical"),
    (re.compile(r"File has not been read yet"), "unread"),
    (re.compile(r"File has been (?:unexpectedly )?modified|has changed since it was (?:last )?read"), "stale"),
    (re.compile(r"file already exists", re.IGNORECASE), "exists"),
    (
        re.compile(
            r"\bE(?:NOENT|ACCES|PERM|ISDIR|NOTDIR|NOSPC|ROFS|EXIST|MFILE|BUSY|IO|LOOP|NAMETOOLONG|INVAL|DQUOT): "
            r"|(?:File|Path|Directory) (?:.{1,400} )?does not exist"
        ),
        "io",
    ),
)
"""The first that is found names the failure; their order is that of how plainly they name it."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What became of a call."""

    outcome: Outcome = "ok"
    failure: Failure = ""
    exit: int | None = None


@dataclass(frozen=True, slots=True)
class Permission:
    """What the record says of the call's permission, beside the text."""

    kind: str = ""
    """Such as `user-rejected`, which Claude Code also says when nobody was there to approve."""
    rejected: bool = False
    source: str = ""
    """Who rejected: `config`, `hook`, `user_reject` …"""


def judge(text: str, kind: Kind | None, permission: Permission, *, error: bool) -> Meaning:
    """The meaning of a result with this text; `error` as the result itself says; no kind when its call is not known."""
    if not error:
        return Meaning()
    head = text[:_HEAD].removeprefix(_ERROR)
    if head.startswith(_INTERRUPTED) or (_STOPPED in head and head.startswith(_PERSON)):
        return Meaning("cancelled")
    if outcome := _permitted(head, permission):
        return Meaning(outcome)
    if head.startswith(_NEVER_RAN):
        return Meaning("not_executed")
    if head.startswith(_LOST):
        return Meaning("unknown")
    code = _EXIT.match(head)
    exit_code = int(code[1]) if code else None
    if _TIMED_OUT.match(head):
        return Meaning("timed_out", exit=exit_code)
    if kind == "shell" and not text.startswith((_ERROR, "InputValidationError")):
        return Meaning("failed", exit=exit_code)
    first = head.partition("\n")[0]  # what follows repeats the text that was looked for
    failure: Failure = next((failure for words, failure in _FAILURES if words.search(first)), "other")
    # Only a write fails as writes do; a call that is not known may have been one.
    named = failure == "arguments" or kind == "write" or (kind is None and failure != "io")
    return Meaning("failed", failure if named else "other")


def _permitted(head: str, permission: Permission) -> Outcome | None:
    """How a call that was not let through fared; none when it was."""
    corrected: Outcome = "corrected" if any(words in head for words in _SAID) else "denied"
    if permission.rejected and permission.source:
        return corrected if permission.source.startswith("user") else "refused"
    if permission.kind == "interrupted":
        return "cancelled"
    if permission.kind == "cancelled":
        return "not_executed"
    if head.startswith(_PERSON):
        return corrected
    if permission.kind == "permission-rule" or permission.rejected or _RULE.match(head):
        return "refused"
    return corrected if permission.kind == "user-rejected" else None

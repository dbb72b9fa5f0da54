"""The text editor tool that several agents share: view, create, str_replace, insert and undo_edit in one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from monitor.agents.fields import raw, text
from monitor.events import Change, Failure, Kind, Op, Outcome

NAMES = ("str_replace_editor", "str_replace_based_edit_tool", "file_editor", "oh_editor")
"""What the tool is called; all of them take the same commands."""
_HEAD = 4_000
_FAILURES: tuple[tuple[re.Pattern[str], Failure], ...] = (
    (re.compile(r"Multiple occurrences of old_str|old_str .{0,400}? (?:is not unique|appears multiple)", re.DOTALL), "ambiguous"),
    (re.compile(r"is the same as new_str|new_str.{0,40} and .{0,4}old_str.{0,40} must be different"), "identical"),
    (re.compile(r"did not appear verbatim|old_str .{0,400}? not found in", re.DOTALL), "not_found"),
    (re.compile(r"File already exists at"), "exists"),
    (re.compile(r"[Tt]he (?:path|parent directory) .{1,1000} does not exist"), "io"),
    (
        re.compile(
            r"Parameter `|Missing required parameter|Unrecognized command|Invalid `|is not an absolute path|\Ausage: "
            r"|should be an absolute path|is a directory and only|[Uu]nexpected (?:keyword )?argument"
        ),
        "arguments",
    ),
    (re.compile(r"does not exist|Ran into |[Pp]ermission denied|No such file|Is a directory"), "io"),
)  # fmt: skip
"""What the tool says, whichever agent carries it; the first that fits. Anything else is `other`."""
_DONE = re.compile(
    r"File created successfully|has been edited|has been updated|undone successfully|\[Existing file .{1,400} is edited"
    r"|\[File .{1,400} edited with|New file created successfully"
)
_CLAIMS_FAILURE = re.compile(r"\A\s*(?:ERROR:?\s|Error:|No replacement was performed|\[?Invalid|Parameter `)")
_OPS: Mapping[str, Op] = {"create": "create", "str_replace": "edit", "insert": "insert", "undo_edit": "edit"}


def kind_of(command: str) -> Kind:
    """What a command of the tool is."""
    return "read" if command == "view" else "write" if command in _OPS else "other"


def changes_of(arguments: Mapping[str, Any]) -> tuple[Change, ...]:
    """The change that a call asks for."""
    command = raw(arguments, "command")
    if command not in _OPS:
        return ()
    file = text(arguments, "path")
    if command == "create":
        return (Change(file, "create", new=_given(arguments, "file_text")),)
    new = _given(arguments, "new_str")
    if command == "str_replace":
        old = _given(arguments, "old_str")
        return (Change(file, "edit", old=old, new="" if new is None and old is not None else new),)
    return (Change(file, _OPS[command], new=new),)


def judge(output: str) -> tuple[Outcome, Failure]:
    """What became of a call that writes, from what the tool printed."""
    head = output[:_HEAD]
    failed = _CLAIMS_FAILURE.match(head) is not None
    if not failed and _DONE.search(head):
        return "ok", ""
    for pattern, failure in _FAILURES:
        if pattern.search(output if failed or len(output) < 4 * _HEAD else head):
            return "failed", failure
    return ("failed", "other") if failed else ("unknown", "")


def _given(arguments: Mapping[str, Any], key: str) -> str | None:
    """A text of the arguments, cleaned; none where there is none."""
    return text(arguments, key) if isinstance(arguments.get(key), str) else None

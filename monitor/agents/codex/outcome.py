"""What became of a call, as far as Codex's words for it tell: its results carry no error flag."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from monitor.agents.codex.tools import SCRIPT
from monitor.agents.fields import Object, part, raw, read_json, whole
from monitor.events import Change, Failure, FileOutcome, Outcome, ToolCalled, ToolReturned
from monitor.text import clean

_HEAD = 600
"""Characters before the output of a command in which Codex tells its exit code."""
_PRINTED = "\nOutput:\n"
"""What stands between Codex's own words and what was printed."""
_FRAMED = re.compile(
    r"(?:Chunk ID|Wall time|Exit code|Process (?:exited|running)|Script (?:completed|failed)|Total output)\b"
)
"""How Codex's own words before an output begin."""
_SCRIPT_ERROR = "Script error:\n"
_EXIT = re.compile(r"^(?:Process exited with code|Exit code:) (-?\d{1,10})\b", re.MULTILINE)
_RUNNING = re.compile(r"^Process running with session ID", re.MULTILINE)
_LATE = 124
"""The exit code of a command that Codex ended since it took too long."""
_ABORTED = re.compile(r"(?:^|\n)(?:aborted by user|command was aborted)", re.IGNORECASE)
_DENIED = re.compile(r'rejected by user|Rejected\("(?:rejected|denied) by user', re.IGNORECASE)
_REFUSED = re.compile(
    r"blocked by \w+ hook|rejected by (?:your approval|policy|user approval settings|a rule)|approval (?:policy|required)"
    r"|rejected: blocked by policy|Rejected\(",
    re.IGNORECASE,
)
_UNMADE = re.compile(
    r"^(?:unsupported (?:custom tool )?call|failed to parse function arguments|unknown tool|unrecognized tool)",
    re.IGNORECASE,
)
_HOOK = re.compile(r"(?:Command|Tool call) blocked by \w+ hook")
_TIMED_OUT = re.compile(r"command timed out|timed out after", re.IGNORECASE)
_FAILED = re.compile(r"^(?:apply_patch verification failed|exec_command failed|\w+ failed:|Script failed|failed )")
_PATCH = "apply_patch verification failed"
_PATCH_FAILED = re.compile(rf"{_PATCH}: ?(.*)", re.DOTALL)
_WHY: Sequence[tuple[re.Pattern[str], Failure]] = (
    (re.compile(r"Failed to find (?:expected lines|context)", re.IGNORECASE), "not_found"),
    (re.compile(r"already exists", re.IGNORECASE), "exists"),
    (re.compile(r"invalid (?:patch|hunk)|not a valid|missing|must begin|empty patch", re.IGNORECASE), "arguments"),
    (re.compile(r"Failed to (?:read|write|delete|create)|No such file|Permission denied", re.IGNORECASE), "io"),
)
_WHERE = re.compile(
    r"(?:Failed to find (?:expected lines|context) .*? ?in|file to update|to (?:delete|read|write)) (/?[^\n:]+)"
)


@dataclass(frozen=True, slots=True)
class Result:
    """A result's text, and what stands beside it."""

    text: str
    exit: int | None = None
    success: bool | None = None


def read(output: object) -> Result:
    """The result of a call: a text, a list of texts, or JSON with an exit code, as older versions wrote it."""
    if isinstance(output, list):
        return Result("".join(raw(one, "text") for one in output if isinstance(one, dict)))
    if isinstance(output, dict):
        success = output.get("success")
        return Result(raw(output, "content"), success=success if isinstance(success, bool) else None)
    text = output if isinstance(output, str) else ""
    if text.startswith('{"output"'):
        found = _object(text)
        return Result(raw(found, "output"), whole(part(found, "metadata"), "exit_code"))
    return Result(text)


def returned(call: ToolCalled, output: object, made: Sequence[FileOutcome] = ()) -> ToolReturned:
    """The result of a call; `made` are the files that Codex itself said it had changed for it."""
    result = read(output)
    head = result.text[:_HEAD]
    frame = head.partition(_PRINTED)[0] if _is_framed(call) or _FRAMED.match(head) else ""
    found = _EXIT.search(frame)
    code = result.exit if result.exit is not None else int(found[1]) if found else None
    outcome, failure = _outcome(call, result, head, code)
    failure = failure if call.kind == "write" or outcome == "not_executed" else ""
    files = _files(call.changes, made, outcome, failure, result.text) if call.kind == "write" else ()
    return ToolReturned(
        call=call.call,
        message=call.message,
        outcome=outcome,
        failure=failure,
        files=files,
        exit=code,
        output=clean(result.text),
        background=_RUNNING.search(frame) is not None,
    )


def _named(text: str) -> str:
    """The file that a refused patch names; empty where it names none."""
    found = _PATCH_FAILED.search(text)
    place = _WHERE.search(found[1]) if found else None
    return clean(place[1].strip()) if place else ""


def _outcome(call: ToolCalled, result: Result, head: str, code: int | None) -> tuple[Outcome, Failure]:
    """What became of it, by Codex's own words alone."""
    if _HOOK.match(head):
        return "refused", ""
    said = _said(call, result, head, code)
    for pattern, outcome in _OUTCOMES:
        if pattern.search(said):
            return outcome, ""
    if _UNMADE.match(head):
        return "not_executed", "arguments"
    if patch := _PATCH_FAILED.search(result.text) if call.kind == "write" else _PATCH_FAILED.match(head):
        return "failed", next((failure for words, failure in _WHY if words.search(patch[1])), "other")
    failed = code not in (None, 0) or result.success is False or _FAILED.match(head)
    return ("failed", "other") if failed else ("ok", "")


_OUTCOMES: Sequence[tuple[re.Pattern[str], Outcome]] = (
    (_ABORTED, "cancelled"),
    (_DENIED, "denied"),
    (_REFUSED, "refused"),
    (_TIMED_OUT, "timed_out"),
)


def _is_framed(call: ToolCalled) -> bool:
    """Whether results of such a call are framed, or else Codex's own words: those of others are a file's, or a server's."""
    return call.kind in ("shell", "write", "poll") or call.tool in ("", SCRIPT)


def _said(call: ToolCalled, result: Result, head: str, code: int | None) -> str:
    """What Codex itself says of a call: not what was printed, nor the lines of a file that a patch did not find."""
    frame, _, printed = head.partition(_PRINTED)
    if result.exit is not None or _FRAMED.match(head):
        said = "" if result.exit is not None else frame
        said += "\n" + _first_line(printed or head) if code == _LATE else ""
        if head.startswith("Script failed"):
            said += "\n" + _first_line(result.text.rpartition(_SCRIPT_ERROR)[2][:_HEAD])
    else:
        said = _first_line(head) if _is_framed(call) or _ABORTED.match(head) else ""
    return said.partition(_PATCH)[0]


def _first_line(text: str) -> str:
    """The first line; of the words on a command that was not begun, what follows the command."""
    return (text.rpartition("`: ")[2] if text.startswith("exec_command failed for `") else text).partition("\n")[0]


def _files(
    changes: Sequence[Change], made: Sequence[FileOutcome], outcome: Outcome, failure: Failure, text: str
) -> tuple[FileOutcome, ...]:
    """What became of each file: a patch is applied whole or not at all, a script may have applied some before."""
    cause = _named(text)
    asked = dict.fromkeys(change.file or cause for change in changes)
    if outcome == "ok" and made:
        return tuple(made)
    done = [one for one in made if one.outcome == "ok"]
    rest = [file for file in asked if not any(_same(file, one.file) for one in done)]
    return (
        *done,
        *(FileOutcome(file, outcome, failure, cause=bool(cause) and _same(file, cause)) for file in rest),
    )


def _same(given: str, resolved: str) -> bool:
    return given == resolved or resolved.endswith("/" + given.removeprefix("./"))


def _object(text: str) -> Object:
    try:
        found = read_json(text.encode("utf-8", "surrogatepass"))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}

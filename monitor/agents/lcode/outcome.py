"""What became of a call, as lcode 0.51 words its results."""

from __future__ import annotations

import re
from dataclasses import dataclass

from monitor.agents.lcode.tools import KINDS
from monitor.events import Failure, Outcome

_HEAD = 2_000
_TAIL = 8_000
_EXIT = re.compile(
    r"^\[exit code: (-?\d{1,10})\](?=\Z|\n\[A hook ran after this \(|\n\n\[lcode\] )", re.MULTILINE
)  # fmt: skip
_ENDED_AT_ONCE = re.compile(r"The command ended right away \(exited with code (-?\d{1,10})\)")
_TIMED_OUT = re.compile(r"^\[Command timed out after \d+s and was killed\]$", re.MULTILINE)
_BACKGROUND = "Started background job "
_MOVED = re.compile(
    r"^\[(?:Working directory is now (?P<now>.+)|.+ is outside the project, so the working directory stays (?P<stays>.+?):"
    r" the next command starts there\..*)\]$",
    re.MULTILINE,
)
INTERRUPTED = "Interrupted by the user before completion."
"""Stands for the result of a call that was under way, and of those behind it."""
_PRUNED = "[lcode: "
"""How a result begins whose text lcode removed later, if it was a long one."""
_RAN = re.compile(r"\[lcode: ran `.{0,400}` earlier, exit code (-?\d{1,10}); its output was removed")
_Rule = tuple[re.Pattern[str], Outcome, Failure]


def _rule(pattern: str, outcome: Outcome, failure: Failure = "") -> _Rule:
    return re.compile(pattern, re.DOTALL), outcome, failure


_NOT_RUN: tuple[_Rule, ...] = (
    _rule(r"This needs the user's permission|A deny rule blocks this|Web access is turned off", "refused", "other"),
    _rule(r"The user denied this: they cancelled", "cancelled"),
    _rule(r"The user denied this action \(no input available\)", "refused", "other"),
    _rule(r"The user denied this action\. User says: ", "corrected"),
    _rule(r"The user denied|The user didn't want this saved|The user kept the note|The user didn't approve", "denied"),
    _rule(r"The user wants (?:changes to the plan|to keep planning)", "corrected"),
    _rule(r"The plan was shown to the user, who will review it later", "refused", "other"),
    _rule(r"Not run: lcode stopped the request", "not_executed"),
    _rule(re.escape(INTERRUPTED), "cancelled"),
)
"""How the result of a call begins that was not let through."""
_ERRORS: tuple[_Rule, ...] = (
    _rule(r"a hook blocked this |Plan mode is on|plan mode is on|This is a review", "refused", "other"),
    _rule(r"only read-only agents can run now|you can only run read-only|with the sandbox on", "refused", "other"),
    _rule(r"lcode's secret check stopped|\S+ isn't available to you", "refused", "other"),
    _rule(r".{1,1000} is outside the project \(.{1,1000}\); with the sandbox on", "refused", "other"),
    _rule(r"You must read_file ", "failed", "unread"),
    _rule(r".{1,1000} changed (?:on disk since you read it|while the user was being asked)", "failed", "stale"),
    _rule(r"old_string not found in ", "failed", "not_found"),
    _rule(r"old_string (?:isn't in .{1,1000} exactly, and it's close to more|occurs \d+ times in )", "failed", "ambiguous"),
    _rule(r"old_string and new_string are identical", "failed", "identical"),
    _rule(r".{1,1000}: hunk \d+ \(.{0,400}?\) doesn't match the file", "failed", "not_found"),
    _rule(r".{1,1000}: hunk \d+ \(.{0,400}?\) matches \d+ places", "failed", "ambiguous"),
    _rule(r".{1,1000}: hunk \d+ \(.{0,400}?\) has no context lines", "failed", "arguments"),
    _rule(r".{1,1000} already exists; the patch creates it", "failed", "exists"),
    _rule(r"bad arguments for |unknown tool |old_string is empty|no ---/\+\+\+ file headers", "failed", "arguments"),
    _rule(r".{1,1000}: deleting files isn't something", "failed", "arguments"),
    _rule(r".{1,1000} (?:does not exist|is a directory|is an image|is a binary file)|the file is in ", "failed", "io"),
    _rule(
        r"(?:OS|Permission|FileNotFound|FileExists|IsADirectory|NotADirectory|Interrupted|Timeout|BlockingIO)Error: ",
        "failed", "io",
    ),
)  # fmt: skip
"""What follows `Error: `; the first that fits. Anything else is `other`."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a result means."""

    outcome: Outcome = "ok"
    failure: Failure = ""
    exit: int | None = None
    cwd: str = ""
    """Where the shell works afterwards, where that is said."""
    background: bool = False


def judge(tool: str, output: str, *, error: bool = False, cut: bool = False) -> Meaning:
    """The meaning of a result's text; `error` as the source itself says, `cut` when it lost the text's end."""
    if tool == "bash" and (ran := _ran(output, cut=cut)) is not None:
        return ran
    if removed(output):
        return _left(tool, output)
    head = output[:_HEAD]
    for pattern, outcome, failure in _NOT_RUN:
        if pattern.match(head):
            return Meaning(outcome, failure)
    if head.startswith("Error:"):
        rest = head.removeprefix("Error:").lstrip(" ")
        for pattern, outcome, failure in _ERRORS:
            if pattern.match(rest):
                return Meaning(outcome, failure)
        return Meaning("failed", "other")
    if error:
        return Meaning("failed", "other")
    return Meaning("unknown") if tool == "bash" and cut else Meaning()


def removed(output: str) -> bool:
    """Whether lcode has put a stub in the place of an old result."""
    return output.startswith(_PRUNED)


def _left(tool: str, output: str) -> Meaning:
    """What a stub still tells: what was looked at, or how a command ended; of a write it does not say whether it failed."""
    if tool == "bash" and (told := _RAN.match(output)):
        return _exited(int(told[1]))
    return Meaning() if KINDS.get(tool) in ("read", "search") else Meaning("unknown")


def _ran(output: str, *, cut: bool) -> Meaning | None:
    """What a shell command came to; none when it did not run, or its end is not told."""
    if output.startswith(_BACKGROUND):
        return Meaning(background=True)
    if at_once := _ENDED_AT_ONCE.match(output):
        return _exited(int(at_once[1]))
    tail = output[-_TAIL:]
    exits = [] if cut else _EXIT.findall(tail)
    if not exits:
        return None
    moved = [found["now"] or found["stays"] for found in _MOVED.finditer(tail)]
    code, cwd = int(exits[-1]), moved[-1] if moved else ""
    if _TIMED_OUT.search(tail):
        return Meaning("timed_out", exit=code, cwd=cwd)
    return _exited(code, cwd)


def _exited(code: int, cwd: str = "") -> Meaning:
    return Meaning("ok" if code == 0 else "failed", exit=code, cwd=cwd)

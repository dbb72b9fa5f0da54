"""What became of the calls of a step; the form itself never says whether a call failed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from monitor.agents import text_editor
from monitor.agents.atif.terminal import ASKS, read_screen
from monitor.agents.atif.tools import FINISH
from monitor.agents.fields import Object, part, parts, raw
from monitor.agents.mini_swe_agent.observed import observe
from monitor.events import Failure, FileOutcome, Outcome, ToolCalled, ToolReturned
from monitor.text import clean

_EXIT = re.compile(r"(?:^|\n)\[?(?:Exit code|exit code|Exit Code)[: ]+(-?\d{1,9})\]?")
_FAILURES: tuple[tuple[re.Pattern[str], Failure], ...] = (
    (re.compile(r"matches of the string to replace|Expected \d+ occurrences? but found|found \d+ times"), "ambiguous"),
    (re.compile(r"String to replace not found|0 occurrences found|[Cc]ould not find the (?:exact|string)|Failed to find"), "not_found"),
    (re.compile(r"No changes to make|exactly the same|identical"), "identical"),
    (re.compile(r"has not been read yet"), "unread"),
    (re.compile(r"modified since read|has been modified"), "stale"),
    (re.compile(r"InputValidationError|must have required property|Invalid (?:params|arguments)"), "arguments"),
    (re.compile(r"\bE(?:NOENT|ACCES|PERM|ISDIR)\b|File does not exist|[Pp]ermission denied"), "io"),
    (re.compile(r"\A\s*(?:<tool_use_error>|Error:|ERROR)"), "other"),
)  # fmt: skip
"""Sentences of the tools that write, whichever agent they belong to."""
_HEAD = 2_000


def returned(calls: Sequence[ToolCalled], step: Object, agent: str, at: float | None) -> Iterator[ToolReturned]:
    """The results of a step's calls."""
    found = parts(part(step, "observation"), "results")
    if any("keystrokes" in call.arguments for call in calls) or agent.startswith("terminus"):
        yield from _typed(calls, "\n".join(content(one) for one in found), at)
        return
    names = [raw(one, "tool_call_id") for one in parts(step, "tool_calls")]
    for number, call in enumerate(calls):
        named = [one for one in found if names[number] and raw(one, "source_call_id") == names[number]]
        plain = [one for one in found if not raw(one, "source_call_id")]
        told = named[0] if named else plain[number] if number < len(plain) else None
        if told is not None:
            yield _result(call, content(told), agent, at)


def content(result: Object) -> str:
    """What a result says, not fit to be shown."""
    told = result.get("content")
    if isinstance(told, list):
        return "\n".join(raw(one, "text") for one in told if isinstance(one, dict))
    return told if isinstance(told, str) else ""


def _typed(calls: Sequence[ToolCalled], screen: str, at: float | None) -> Iterator[ToolReturned]:
    """The results of commands typed into one terminal, which shows them one after another."""
    typed = [call for call in calls if call.kind in ("shell", "other", "poll")]
    told = dict(zip((call.call for call in typed), read_screen(screen, [call.command for call in typed]), strict=True))
    for call in calls:
        one = told.get(call.call)
        if call.tool == FINISH or one is None:
            sent_back = call.tool == FINISH and ASKS in screen
            outcome: Outcome = "failed" if sent_back else "ok"
            yield ToolReturned(
                call=call.call, message=call.message, outcome=outcome, output=ASKS if sent_back else "", at=at
            )
            continue
        outcome = "ok" if call.kind == "poll" else one.outcome
        yield ToolReturned(
            call=call.call,
            message=call.message,
            outcome=outcome,
            output=clean(one.output),
            cut=one.cut,
            cwd=clean(one.folder),
            at=at,
        )


def _result(call: ToolCalled, told: str, agent: str, at: float | None) -> ToolReturned:
    if agent == "mini-swe-agent" and call.command:
        seen = observe(told, {}, call.command, alone=True)
        return ToolReturned(
            call=call.call, message=call.message, outcome=seen.outcome, exit=seen.exit, output=clean(seen.output), cut=seen.cut, at=at
        )  # fmt: skip
    outcome, failure = _judged(call, told)
    code = _EXIT.search(told[:_HEAD]) or _EXIT.search(told[-_HEAD:]) if call.kind == "shell" else None
    if code is not None:
        outcome = "ok" if int(code[1]) == 0 else "failed"
    files: tuple[FileOutcome, ...] = ()
    if call.kind == "write":
        asked = dict.fromkeys(change.file for change in call.changes)
        files = tuple(FileOutcome(file, outcome, failure, cause=outcome != "ok") for file in asked)
    exit_code = int(code[1]) if code else None
    return ToolReturned(
        call=call.call, message=call.message, outcome=outcome, failure=failure, files=files, exit=exit_code,
        output=clean(told), at=at,
    )  # fmt: skip


def _judged(call: ToolCalled, told: str) -> tuple[Outcome, Failure]:
    if call.kind != "write":
        return "ok", ""
    if call.tool in text_editor.NAMES:
        return text_editor.judge(told)
    first = told[:_HEAD].lstrip().partition("\n")[0]  # what follows may be lines of the file
    return next((("failed", failure) for words, failure in _FAILURES if words.search(first)), ("ok", ""))

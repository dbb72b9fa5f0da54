"""The result of a call: what was printed, what it means, and what became of each file of a write."""

from __future__ import annotations

import re
from dataclasses import dataclass

from monitor.agents.acp import meaning
from monitor.agents.acp.calls import Call
from monitor.agents.acp.changes import diffs, locations
from monitor.agents.acp.replies import content_text
from monitor.agents.fields import Object, part, parts, raw, text, whole
from monitor.agents.lcode.outcome import judge
from monitor.events import Failure, FileOutcome, Outcome, ToolReturned
from monitor.text import clean

_EXITED = re.compile(r"Command exited with code (-?\d{1,10})\s*\Z")
"""How pi tells an exit code; its number beside the text is another."""
_PRINTED = 200_000
"""Characters of a terminal's output that are kept until its command ends; the rest is left out in the middle."""


@dataclass(frozen=True, slots=True)
class _Meaning:
    outcome: Outcome
    failure: Failure = ""
    exit: int | None = None
    cwd: str = ""
    background: bool = False


def printed(update: Object) -> str:
    """What a record shows of a call's output: what the model gets to see of it, where that is told."""
    blocks = [content_text(part(one, "content")) for one in parts(update, "content") if raw(one, "type") == "content"]
    if shown := "\n".join(block for block in blocks if block):
        return shown
    given = update.get("rawOutput")
    if isinstance(given, str) and given:
        return clean(given)
    output = given if isinstance(given, dict) else {}
    blocks = [text(one, "text") for one in parts(output, "content")]
    told = "\n".join(block for block in blocks if block)
    return told or next((said for key in ("output", "text", "error", "message") if (said := text(output, key))), "")


def in_terminal(update: Object) -> str:
    """What a terminal has shown since the record before, where an agent passes it on by its own extension."""
    return text(part(part(update, "_meta"), "terminal_output"), "data")


def kept(before: str, more: str) -> str:
    """A terminal's output with what has come since."""
    told = before + more
    if len(told) <= _PRINTED:
        return told
    return f"{told[: _PRINTED // 2]}\n…\n{told[-_PRINTED // 2 + 3 :]}"


def returned(update: Object, call: Call, agent: str, *, lone: bool, cancelling: bool, code: int | None) -> ToolReturned:
    """The result of a call: `lone` when no record before it told of the call, `code` what its terminal exited with."""
    output = printed(update)
    pieces = call.printed if call.terminal or call.printed else ""
    found = _judge(update, output or pieces, call, agent, cancelling=cancelling, code=code)
    told = call.told
    return ToolReturned(
        call=told.call,
        message=told.message,
        outcome=found.outcome,
        failure=found.failure,
        files=_files(update, call, found) if told.kind == "write" else (),
        exit=found.exit,
        output=output or pieces,
        cut=lone and not output and _elsewhere(update),
        cwd=clean(found.cwd),
        background=found.background,
    )


def _elsewhere(update: Object) -> bool:
    """Whether the output stands in records before this one, so that this one alone does not give it back."""
    terminal = any(raw(one, "type") == "terminal" for one in parts(update, "content"))
    return terminal or "terminal_exit" in part(update, "_meta")


def _judge(update: Object, output: str, call: Call, agent: str, *, cancelling: bool, code: int | None) -> _Meaning:
    failed = raw(update, "status") == "failed"
    if failed and call.decision:
        stopped = meaning.stopped(output)
        outcome: Outcome = "corrected" if stopped == "corrected" else call.decision
        return _Meaning(outcome, "other" if outcome == "refused" else "")
    if agent == "lcode":
        said = judge(call.told.tool, output, error=failed)
        return _Meaning(said.outcome, said.failure, said.exit, said.cwd, said.background)
    exit_code = code if code is not None else _exit(update, output)
    if raw(part(update, "rawOutput"), "outcome") == "cancelled":
        return _Meaning("cancelled", exit=exit_code)
    if exit_code is None and (failed or cancelling) and (stop := meaning.stopped(output)):
        return _Meaning(stop, "other" if stop == "refused" else "")
    if failed and cancelling:
        return _Meaning("cancelled", exit=exit_code)
    if exit_code is not None:
        return _Meaning("ok" if exit_code == 0 and not failed else "failed", exit=exit_code)
    return _Meaning("failed", meaning.failure(output)) if failed else _Meaning("ok")


def _exit(update: Object, output: str) -> int | None:
    """The exit code of a command, by the names that agents give it."""
    if told := _EXITED.search(output[-200:]):
        return int(told[1])
    given = part(update, "rawOutput")
    for found, key in (
        (part(given, "metadata"), "exit"),
        (given, "exitCode"),
        (given, "exit_code"),
        (part(part(update, "_meta"), "terminal_exit"), "exit_code"),
    ):
        if (code := whole(found, key)) is not None:
            return code
    return None


def _files(update: Object, call: Call, found: _Meaning) -> tuple[FileOutcome, ...]:
    """Each file of a write: those it shows or names as touched, else those that were asked for."""
    asked = tuple(dict.fromkeys(change.file for change in call.told.changes if change.file))
    shown = tuple(dict.fromkeys(path for one in diffs(update) if (path := text(one, "path"))))
    touched = shown or locations(update) or call.files
    if not touched or (len(touched) < len(asked) and found.outcome != "ok"):
        touched = asked
    added, removed = _lines(update) if len(touched) == 1 and found.outcome == "ok" else (None, None)
    failure: Failure = found.failure if found.outcome != "ok" else ""
    return tuple(
        FileOutcome(file, found.outcome, failure, len(touched) == 1 and found.outcome != "ok", added, removed)
        for file in touched
    )


def _lines(update: Object) -> tuple[int | None, int | None]:
    """The lines added and removed, where the agent counts them."""
    given = part(update, "rawOutput")
    counted = part(part(given, "metadata"), "filediff")
    if counted:
        return whole(counted, "additions"), whole(counted, "deletions")
    counted = part(given, "diffStat")
    return whole(counted, "model_added_lines"), whole(counted, "model_removed_lines")

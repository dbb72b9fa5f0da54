"""What Codex says it did itself, in its own records: commands and changes that its code mode made."""

from __future__ import annotations

import shlex

from monitor.agents.codex.tools import line_of
from monitor.agents.fields import Object, part, raw, text, whole
from monitor.events import Change, Event, FileOutcome, Op, Outcome, Tokens, ToolCalled, ToolReturned
from monitor.text import clean

OPS: dict[str, Op] = {"add": "create", "delete": "delete", "update": "edit"}
OUTCOMES: dict[str, Outcome] = {"completed": "ok", "failed": "failed", "declined": "denied", "in_progress": "unknown"}
"""By Codex's own word for how it ended."""


def command(item: Object, message: str) -> tuple[Event, ...]:
    """A command that a script ran: the call and its result at once."""
    call, code = text(item, "id"), whole(item, "exit_code")
    words = item.get("command")
    line = line_of([word for word in words if isinstance(word, str)]) if isinstance(words, list) else ""
    outcome = OUTCOMES.get(raw(item, "status"), "unknown")
    called = ToolCalled(call=call, message=message, tool="exec_command", kind="shell", command=clean(line))
    output = text(item, "aggregated_output")
    return called, ToolReturned(call=call, message=message, outcome=outcome, exit=code, output=output)


def files(item: Object) -> tuple[FileOutcome, ...]:
    """The files that Codex changed, or failed to change."""
    outcome = OUTCOMES.get(raw(item, "status"), "unknown")
    return tuple(
        FileOutcome(
            clean(path),
            outcome,
            "other" if outcome == "failed" else "",
            added=_count(change, "+"),
            removed=_count(change, "-"),
        )
        for path, change in part(item, "changes").items()
        if isinstance(change, dict)
    )


def change(item: Object, made: tuple[FileOutcome, ...], message: str) -> tuple[Event, ...]:
    """Changes that no known call asked for in so many words: the call and its result at once."""
    told = part(item, "changes")
    changes = tuple(
        Change(clean(path), OPS.get(raw(one, "type"), "edit"), to=text(one, "move_path"))
        for path, one in told.items()
        if isinstance(one, dict)
    )
    if not changes:
        return ()
    call = text(item, "id")
    called = ToolCalled(call=call, message=message, tool="apply_patch", kind="write", changes=changes)
    outcome = OUTCOMES.get(raw(item, "status"), "unknown")
    output = text(item, "stderr") or text(item, "stdout")
    return called, ToolReturned(call=call, message=message, outcome=outcome, files=made, output=output)


def tokens(total: Object) -> Tokens:
    """What a thread has used: Codex counts the cached among the input."""
    cached = whole(total, "cached_input_tokens") or 0
    return Tokens(
        input=max((whole(total, "input_tokens") or 0) - cached, 0),
        output=whole(total, "output_tokens") or 0,
        cache_read=cached,
        cache_write=whole(total, "cache_write_input_tokens") or 0,
        reasoning=whole(total, "reasoning_output_tokens") or 0,
    )


def unwrapped(command: str) -> str:
    """A command line without the shell that Codex runs it in."""
    try:
        words = shlex.split(command)
    except ValueError:
        return command
    line = line_of(words)
    return line if len(words) == 3 and line == words[2] else command


def _count(change: Object, sign: str) -> int | None:
    """Lines that a diff adds or removes; of a file added or deleted, its lines."""
    diff = raw(change, "unified_diff")
    if diff:
        return sum(one.startswith(sign) and not one.startswith(sign * 3) for one in diff.splitlines())
    content = raw(change, "content")
    whole_file = raw(change, "type") == ("add" if sign == "+" else "delete")
    return len(content.splitlines()) if content and whole_file else None

"""The items of an app-server that are calls: commands, changes of files, and what other tools do."""

from __future__ import annotations

import re
from collections.abc import Sequence

from monitor.agents.codex import items
from monitor.agents.codex.pieces import Pieces
from monitor.agents.fields import Object, part, parts, raw, text, whole
from monitor.events import Change, Event, Failure, FileOutcome, Kind, Outcome, ToolCalled, ToolReturned
from monitor.text import clean

_OUTCOMES: dict[str, Outcome] = {"completed": "ok", "failed": "failed", "declined": "denied", "inProgress": "unknown"}
_KINDS: dict[str, Kind] = {
    "webSearch": "search", "imageView": "read", "collabAgentToolCall": "delegate", "plan": "plan", "mcpToolCall": "other",
    "dynamicToolCall": "other", "imageGeneration": "other", "sleep": "poll",
}  # fmt: skip
_QUIET = frozenset({"contextCompaction", "enteredReviewMode", "exitedReviewMode", "subAgentActivity", "plan"})
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def events(item: Object, pieces: Pieces, *, done: bool) -> Sequence[Event] | None:
    """The call of an item and, once it is done, its result; none where its type is not known."""
    kind = raw(item, "type")
    if kind in _QUIET:
        return ()
    call, outcome = text(item, "id"), _OUTCOMES.get(raw(item, "status"), "ok" if done else "unknown")
    message = pieces.open() if not done else ""
    match kind:
        case "commandExecution":
            command = items.unwrapped(text(item, "command"))
            made = ToolCalled(call=call, message=message, tool="exec_command", kind="shell", command=command)
            output, code = text(item, "aggregatedOutput"), whole(item, "exitCode")
            result = ToolReturned(call=call, outcome=outcome, exit=code, output=output)
        case "fileChange":
            return _change(item, call, message, outcome, done=done)
        case _ if kind in _KINDS:
            tool = text(item, "tool") or clean(kind)
            told = text(item, "query") or str(item.get("arguments") or "")
            made = ToolCalled(call=call, message=message, tool=tool, kind=_KINDS[kind], arguments=clean(told))
            result = ToolReturned(call=call, outcome=outcome, output=text(part(item, "error"), "message"), cut=True)
        case _:
            return None
    return (result,) if done else (made,)


def strings(item: Object, key: str) -> list[str]:
    """The texts of a list that may hold them bare."""
    found = item.get(key)
    return [clean(one) for one in found if isinstance(one, str)] if isinstance(found, list) else []


def snake(found: Object) -> Object:
    """The same with its names as a rollout writes them."""
    return {_CAPITAL.sub("_", key).lower(): value for key, value in found.items()}


def _change(item: Object, call: str, message: str, outcome: Outcome, *, done: bool) -> Sequence[Event]:
    told = parts(item, "changes")
    if not done:
        changes = tuple(
            Change(
                text(one, "path"), items.OPS.get(raw(part(one, "kind"), "type"), "edit"), cut=True,
                to=text(part(one, "kind"), "move_path"),
            )
            for one in told
        )  # fmt: skip
        return (ToolCalled(call=call, message=message, tool="apply_patch", kind="write", changes=changes),)
    failure: Failure = "other" if outcome == "failed" else ""
    files = tuple(
        FileOutcome(text(one, "path"), outcome, failure, added=_count(one, "+"), removed=_count(one, "-"))
        for one in told
    )
    return (ToolReturned(call=call, outcome=outcome, failure=failure, files=files),)


def _count(change: Object, sign: str) -> int | None:
    """Lines that a diff adds or removes; of a file added or deleted, its lines."""
    diff, kind = raw(change, "diff"), raw(part(change, "kind"), "type")
    if kind == "update":
        return sum(one.startswith(sign) and not one.startswith(sign * 3) for one in diff.splitlines())
    fits = kind == ("add" if sign == "+" else "delete")
    return len(diff.splitlines()) if fits else 0

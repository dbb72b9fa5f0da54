"""Decodes `codex exec --json`: the items of one turn, whose prompt is not in it."""

from __future__ import annotations

from collections.abc import Sequence

from monitor.agents.codex import delegating, items, started
from monitor.agents.codex.family import Family
from monitor.agents.codex.replies import Replies
from monitor.agents.fields import Object, count_type, part, parts, raw, stamped, text, whole
from monitor.events import (
    Change,
    Event,
    Failure,
    FileOutcome,
    Noticed,
    Prompted,
    RequestEnded,
    RunEnded,
    Said,
    Thought,
    ToolCalled,
    ToolReturned,
    Used,
)
from monitor.streams.record import Record

_QUIET = frozenset({"todo_list"})


class Stream:
    """The events of one turn, as they come."""

    def __init__(self, unknown: dict[str, int], family: Family) -> None:
        self._unknown = unknown
        self._family = family
        self._replies = Replies()
        self._answer = ""

    def feed(self, found: Object, record: Record) -> list[Event]:
        """The events of one line."""
        return stamped(list(enumerate(self._told(raw(found, "type"), found))), record, None)

    def copy(self, unknown: dict[str, int], family: Family) -> Stream:
        """Another that goes on from here."""
        other = Stream(unknown, family)
        other._replies, other._answer = self._replies.copy(), self._answer
        return other

    def _told(self, kind: str, found: Object) -> Sequence[Event]:
        match kind:
            case "thread.started":
                self._family.root = self._family.root or raw(found, "thread_id")
                return (started.streamed(found),)
            case "turn.started":
                self._answer = ""
                return (Prompted(text=""),)
            case "turn.completed":
                return self._completed(part(found, "usage"))
            case "turn.failed":
                why = text(part(found, "error"), "message")
                return (RequestEnded(how="error", text=why), RunEnded(status="turn.failed", reason=why))
            case "error":
                return (Noticed(name="error", text=text(found, "message")),)
            case "item.started" | "item.updated" | "item.completed":
                return self._item(part(found, "item"), done=kind == "item.completed")
        count_type(self._unknown, kind)
        return ()

    def _completed(self, usage: Object) -> Sequence[Event]:
        used = Used(scope="run", tokens=items.tokens(usage))
        end = RequestEnded(how="answered" if self._answer else "error", text=self._answer)
        return (used, *self._replies.close(), end, RunEnded(status="turn.completed"))

    def _item(self, item: Object, *, done: bool) -> Sequence[Event]:
        match raw(item, "type"):
            case "reasoning" if done:
                return (Thought(message=self._replies.open(), text=text(item, "text")),)
            case "agent_message" if done:
                self._answer = text(item, "text")
                return (Said(message=self._replies.open(says=True), text=self._answer),)
            case "command_execution":
                return self._command(item, done=done)
            case "file_change":
                return self._change(item, done=done)
            case "mcp_tool_call" | "web_search" | "collab_tool_call" as kind:
                return self._other(kind, item, done=done)
            case "error" if done:
                return (Noticed(name="item error", text=text(item, "message")),)
            case "reasoning" | "agent_message" | "error":
                return ()
            case kind if kind not in _QUIET:
                count_type(self._unknown, f"item {kind}")
        return ()

    def _command(self, item: Object, *, done: bool) -> Sequence[Event]:
        call = text(item, "id")
        made = ToolCalled(
            call=call,
            message=self._replies.open(calls=True) if not done else self._replies.message,
            tool="command_execution",
            kind="shell",
            command=items.unwrapped(text(item, "command")),
        )
        if not done:
            return (made,)
        self._replies.answered()
        outcome = items.OUTCOMES.get(raw(item, "status"), "unknown")
        output = text(item, "aggregated_output")
        result = ToolReturned(call=call, outcome=outcome, exit=whole(item, "exit_code"), output=output)
        return made, result

    def _change(self, item: Object, *, done: bool) -> Sequence[Event]:
        call, outcome = text(item, "id"), items.OUTCOMES.get(raw(item, "status"), "unknown")
        told = [(text(one, "path"), items.OPS.get(raw(one, "kind"), "edit")) for one in parts(item, "changes")]
        changes = tuple(Change(path, op, cut=True) for path, op in told)
        message = self._replies.open(calls=True) if not done else self._replies.message
        made = ToolCalled(call=call, message=message, tool="file_change", kind="write", changes=changes)
        if not done:
            return (made,)
        self._replies.answered()
        failure: Failure = "other" if outcome == "failed" else ""
        files = tuple(FileOutcome(path, outcome, failure) for path, _ in told)
        return made, ToolReturned(call=call, outcome=outcome, failure=failure, files=files)

    def _other(self, kind: str, item: Object, *, done: bool) -> Sequence[Event]:
        call, search = text(item, "id"), kind == "web_search"
        message = self._replies.open(calls=True) if not done else self._replies.message
        made = ToolCalled(
            call=call,
            message=message,
            tool=kind if search else text(item, "tool") or kind,
            kind="search" if search else "delegate" if kind == "collab_tool_call" else "other",
            arguments=text(item, "query") or str(item.get("arguments") or ""),
        )
        begun = [*delegating.started(item, self._family.root, self._family)]
        begun += [started.delegated()] if begun else []
        if not done:
            return (made, *begun)
        self._replies.answered()
        outcome = items.OUTCOMES.get(raw(item, "status"), "ok")
        output = text(part(item, "error"), "message")
        result = ToolReturned(call=call, outcome=outcome, output=output, cut=not output)
        return (made, result, *delegating.ended(item, self._family), *begun)

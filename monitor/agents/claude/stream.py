"""What only a stream tells: its turns, its results, its background tasks, and what it asks its host."""

from __future__ import annotations

import math

from msgspec import Struct

from monitor.agents.claude.calls import written
from monitor.agents.claude.memory import Memory
from monitor.agents.claude.notifications import Task, task_ended
from monitor.agents.claude.parse import part
from monitor.agents.claude.replies import How
from monitor.agents.claude.shape import Aside, Ask, Row, Uses
from monitor.agents.claude.speech import is_limit
from monitor.agents.claude.where import ENDED, PROMPT, Where, item, of_actor
from monitor.events import Event, Prompted, RunEnded, Tokens, Used, Waiting
from monitor.text import clean, line

_HOW: dict[str, How] = {
    "completed": "answered", "success": "answered", "stop_hook_prevented": "answered",
    "aborted_streaming": "interrupted", "aborted_tools": "interrupted", "background_requested": "interrupted",
    "hook_stopped": "limit", "max_turns": "limit", "error_max_turns": "limit", "error_max_budget_usd": "limit",
    "budget_exhausted": "limit", "blocking_limit": "limit",
}  # fmt: skip
"""How a request ended, by `terminal_reason`, or by the subtype where there is none; all others are errors."""
_MOST = 1 << 53
"""Tokens that a model may have used; no log counts further."""


def began(memory: Memory) -> list[Event]:
    """A turn begins, as `system/init` tells; the notification of a background task is its prompt, if there was one."""
    events = memory.replies.close("", final=True)
    memory.replies.ended, memory.over = False, ""
    memory.turn_told, memory.notified = memory.notified, False
    return events


def unseen(where: Where, memory: Memory) -> list[Event]:
    """The prompt of a turn, without its text, once the model speaks and the stream has not shown what it was told.

    A stream shows prompts only when it repeats what its host sends.
    """
    if memory.turn_told or memory.replays or where["actor"]:
        return []
    memory.turn_told = memory.prompted = True
    return [Prompted(text="", **item(where, PROMPT))]


def finished(row: Row, aside: Aside, where: Where, memory: Memory) -> list[Event]:
    """A `result` record: the end of a turn, and of the run unless a sub-agent goes on or more is asked."""
    events = unseen(where, memory) + memory.replies.close("", final=True)
    status = clean(aside.terminal_reason or row.subtype or "")
    text = clean(aside.result or "")
    why = clean("\n".join(error for error in aside.errors or () if not error.startswith("[ede_diagnostic]")))
    how = _HOW.get(status, "error")
    if how == "answered" and aside.is_error:
        how = "error"
    if how == "answered" and len(text) < 200 and is_limit(text) and memory.replies.of("") is None:
        how = "limit"
    if how != "answered" or text:
        events += memory.replies.settle(how, text or why or status, where)
    events += used(aside, memory.known.get("model", ""), where)
    if not memory.children.running and memory.over != status:
        memory.over = status
        events.append(RunEnded(status=status, reason=line(why)[:400], **item(where, ENDED)))
    return events


def used(aside: Aside, model: str, where: Where) -> list[Event]:
    """What the whole session has used so far."""
    cost = aside.total_cost_usd if aside.total_cost_usd is not None else aside.total_cost
    uses = aside.uses or {}
    if cost is None and not uses:
        return []
    tokens = Tokens(
        *(
            sum(min(max(count or 0, 0), _MOST) for count in counts)
            for counts in zip(*(_counts(one) for one in uses.values()), strict=True)
        )
    )
    main = uses.get(model) or max(uses.values(), key=lambda one: one.window or 0, default=Uses())
    return [
        Used(
            scope="run",
            tokens=tokens,
            cost=cost if cost is not None and math.isfinite(cost) else None,
            context_size=main.window if main.window is not None and 0 <= main.window < _MOST else None,
            **where,
        )
    ]


def asks(request: Ask, where: Where) -> list[Event]:
    """A `control_request` to the host: it waits when it asks for permission."""
    if request.subtype != "can_use_tool":
        return []
    told = part(_Command, request.input).command
    what = told or " ".join(filter(None, (request.tool_name, request.description))) or written(request.input)
    return [Waiting(on="approval", about=line(what)[:400], call=clean(request.tool_use_id or ""), **where)]


def task(row: Row, aside: Aside, where: Where, memory: Memory) -> list[Event]:
    """A `task_*` record: a sub-agent or a command in the background begins, or ends."""
    name, call = clean(aside.task_id or ""), clean(aside.tool_use_id or "")
    if row.subtype == "task_started":
        if not name or not (aside.subagent_type or "agent" in (aside.task_type or "")):
            return []
        known = memory.calls.get(call)
        parent = known.actor if known else ""
        told = clean(aside.description or "")
        events = memory.children.started(name, where, parent=parent, call=call, task=told)
        if aside.prompt:
            events.append(Prompted(text=clean(aside.prompt), by="harness", **of_actor(where, name, 0)))
        return events
    if row.subtype == "task_updated":
        status = (aside.patch.status if aside.patch else None) or ""
        return task_ended(Task(name, "", status, ""), where, memory)
    memory.notified = memory.notified or row.subtype == "task_notification"
    return task_ended(Task(name, call, aside.status or "", aside.summary or ""), where, memory)


class _Command(Struct, frozen=True, gc=False):
    command: str = ""


def _counts(one: Uses) -> tuple[int | None, ...]:
    return (one.input, one.output, one.cache_read, one.cache_write, one.thinking)

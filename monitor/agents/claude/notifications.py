"""Background work that has ended: sub-agents, and commands that ran on."""

from __future__ import annotations

import re
from typing import NamedTuple

from monitor.agents.claude.memory import Memory
from monitor.agents.claude.where import ENDED, Where, of_actor
from monitor.events import Event, Outcome, ToolReturned
from monitor.text import clean

_TAG = re.compile(r"<(task-id|tool-use-id|status|summary)>(.*?)</\1>", re.DOTALL)
_EXIT = re.compile(r"exit code (-?\d{1,9})\b")
_AGENT = re.compile(r"a[0-9a-f]{6,}")
"""The ids of sub-agents; those of commands begin with a b, of workflows with a w."""
_OUTCOMES: dict[str, Outcome] = {
    "completed": "ok", "failed": "failed", "killed": "cancelled", "stopped": "cancelled", "cancelled": "cancelled",
}  # fmt: skip
"""Of each status that is an end."""


class Task(NamedTuple):
    """What is told of a background task."""

    id: str
    call: str
    status: str
    summary: str


def notified(text: str, where: Where, memory: Memory) -> list[Event]:
    """The end that a `<task-notification>` tells of."""
    tags = dict(_TAG.findall(text[:20_000]))
    task = Task(*(tags.get(name, "") for name in ("task-id", "tool-use-id", "status", "summary")))
    return task_ended(task, where, memory)


def task_ended(told: Task, where: Where, memory: Memory) -> list[Event]:
    """The end of a background task: of a sub-agent its own, of a command the second result of its call."""
    task, call, status, summary = (clean(one) for one in told)
    if status not in _OUTCOMES:
        return []
    known = memory.calls.get(call)
    if memory.children.get(task) is None and known is None and _AGENT.fullmatch(task):
        memory.children.started(task, where, call=call)
    if memory.children.get(task) is not None:
        return memory.replies.close(task, final=True) + memory.children.end(task, status, summary, where)
    if known.kind != "shell" if known else not summary.startswith("Background command"):
        return []
    code = _EXIT.search(summary)
    return [
        ToolReturned(
            call=call,
            message=known.message if known else "",
            outcome=_OUTCOMES[status],
            exit=int(code[1]) if code else None,
            output=summary,
            **of_actor(where, known.actor if known else where["actor"], ENDED),
        )
    ]

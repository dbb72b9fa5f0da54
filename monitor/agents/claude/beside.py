"""The small files beside a transcript: a sub-agent's description, and what the process says of itself."""

from __future__ import annotations

import math

from msgspec import Struct, field

from monitor.agents.claude.memory import Memory
from monitor.agents.claude.parse import read
from monitor.agents.claude.registry import Registered, waited
from monitor.agents.claude.replies import STOPS
from monitor.agents.claude.where import Where
from monitor.events import Event
from monitor.text import clean


class Description(Struct, frozen=True, gc=False):
    """What stands beside a sub-agent's transcript."""

    description: str | None = None
    call: str | None = field(default=None, name="toolUseId")
    parent: str | None = field(default=None, name="parentAgentId")
    finished: bool | None = None


def described(data: bytes, where: Where, memory: Memory) -> list[Event]:
    """A sub-agent's `meta.json`: who started it, and whether it is finished."""
    told, actor = read(Description, data), where["actor"]
    call = clean(told.call or "")
    known = memory.calls.get(call)
    parent = clean(told.parent or "") or (known.actor if known else "")
    events = memory.children.started(actor, where, parent=parent, call=call, task=clean(told.description or ""))
    child = memory.children.get(actor)
    if child is not None:
        child.finished = told.finished is True
    return events + settled(where, memory)


def registered(data: bytes, where: Where, memory: Memory) -> list[Event]:
    """A session's `sessions/<pid>.json`: whether it waits."""
    told = read(Registered, data)
    if told.changed is not None and math.isfinite(told.changed):
        where["at"] = told.changed / 1000
    return waited(told, where, memory)


def settled(where: Where, memory: Memory) -> list[Event]:
    """The end of a sub-agent whose file says that it is finished, once its last reply has been read."""
    actor = where["actor"]
    child, reply = memory.children.get(actor), memory.replies.of(actor)
    if child is None or reply is None or not child.finished or not reply.told or STOPS.get(reply.raw) != "end":
        return []
    at = reply.where["at"] if where["at"] is None else where["at"]
    return memory.children.end(actor, "completed", "", {**where, "at": at})

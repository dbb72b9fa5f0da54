"""What Codex says of its sub-agents: who was started by which call, what they are told, how they end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from monitor.agents.codex.family import About, Family
from monitor.agents.codex.frame import Frame
from monitor.agents.codex.wire_items import snake, strings
from monitor.agents.fields import Object, part, parts, raw, text
from monitor.events import Event, Prompted, RequestEnded, RunEnded

_CALLS = ("CollabAgentToolCall", "collabAgentToolCall", "collab_tool_call")
_ACTIVITIES = ("SubAgentActivity", "subAgentActivity")
_SPAWNS = ("spawn_agent", "spawnAgent")
_ENDED = ("completed", "interrupted", "errored", "shutdown")
"""Codex's own words for a sub-agent that does not work any more."""
_STATUS: Mapping[str, str] = {"interrupted": "interrupted", "error": "errored"}
"""The same, by how its turn ended; completed where it ended otherwise."""
_TASK = "Message Type: NEW_TASK"
_HIDDEN = "encrypted_content"
_UNREAD = "(its words are encrypted)"


def joined(frame: Frame, family: Family) -> Iterator[Event]:
    """The sub-agents that a message of an app-server's shows to belong to the family."""
    params, thread = frame.params, raw(frame.params, "threadId")
    match frame.method:
        case "thread/started":
            told = part(params, "thread")
            parent = raw(told, "parentThreadId")
            if parent and family.actor(parent) is not None:
                about = About(model=text(told, "model"), cwd=text(told, "cwd"))
                yield from family.joins(raw(told, "id"), parent, about=about)
        case "turn/started":
            turn, actor = part(params, "turn"), family.actor(thread)
            if actor == "":
                family.turn = raw(turn, "id")
            elif actor is None and family.turn and raw(turn, "rootTurnId") == family.turn:
                yield from family.joins(thread, "")
        case "item/started" | "item/completed" if family.actor(thread) is not None:
            yield from started(part(params, "item"), thread, family)


def started(item: Object, by: str, family: Family) -> Iterator[Event]:
    """The sub-agents that an item of the thread `by` says were started."""
    kind, told = raw(item, "type"), snake(item)
    if kind in _ACTIVITIES and raw(told, "kind") == "started":
        about = About(text(told, "agent_path"), text(told, "model"))
        yield from family.joins(raw(told, "agent_thread_id"), by, text(told, "id"), about)
    elif kind in _CALLS and raw(told, "tool") in _SPAWNS:
        about = About(text(told, "prompt"), text(told, "model"))
        for thread in strings(told, "receiver_thread_ids"):
            yield from family.joins(thread, by, text(told, "id"), about)


def ended(item: Object, family: Family) -> Iterator[Event]:
    """The sub-agents that an item says have ended: told by who started them, where their own records are not there."""
    told = snake(item)
    states = {
        thread: raw(one, "status") for thread, one in part(told, "agents_states").items() if isinstance(one, dict)
    }
    if raw(item, "type") in _ACTIVITIES:
        states[raw(told, "agent_thread_id")] = raw(told, "kind")
    for thread, status in states.items():
        if status in _ENDED and (actor := family.actor(thread)):
            yield RunEnded(actor=actor, status=status)


def over(events: list[Event]) -> list[Event]:
    """The same, and that a sub-agent is over with its turn: told more, it works again."""
    end = next((one for one in events if isinstance(one, RequestEnded)), None)
    return [*events, RunEnded(status=_STATUS.get(end.how, "completed") if end is not None else "completed")]


def message(payload: Object) -> Prompted:
    """What one agent told another; what is meant for its model alone is encrypted."""
    content = parts(payload, "content")
    words = "\n".join(text(one, "text").strip() for one in content if raw(one, "type") != _HIDDEN)
    hidden = any(raw(one, "type") == _HIDDEN for one in content)
    into: Literal["new", "running"] = "new" if words.startswith(_TASK) else "running"
    return Prompted(text=f"{words}\n{_UNREAD}" if hidden else words, by="harness", into=into)

"""The model's replies: what belongs to one, when it is complete, and when it ends the request."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from monitor.agents.claude.where import REQUEST, Where, item
from monitor.events import Event, ReplyEnded, RequestEnded, Tokens

Stop = Literal["end", "tools", "length", "refusal", "stopped", "filter", "error", "other"]
How = Literal["answered", "asked", "refused", "error", "limit", "interrupted"]

STOPS: dict[str, Stop] = {
    "end_turn": "end",
    "stop_sequence": "end",
    "tool_use": "tools",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}
_ACTORS = 2_048
"""Actors whose latest reply is remembered."""


@dataclass(slots=True)
class Reply:
    """One API message of an actor, as far as it has been read."""

    message: str
    where: Where
    """Of its latest part."""
    raw: str = ""
    """The stop reason, once one was given."""
    text: bool = False
    """It holds text that is not blank."""
    call: bool = False
    answer: str = ""
    """Its latest text."""
    answered: Where | None = None
    parts: int = 0
    index: int | None = None
    """The content block that is streamed now."""
    told: bool = False
    """Its end was given out."""
    tokens: Tokens = field(default_factory=Tokens)


class Replies:
    """The latest reply of each actor, and whether the root's request has ended."""

    def __init__(self) -> None:
        self._latest: dict[str, Reply] = {}
        self.ended = False
        """The root has stopped working on its request."""

    def of(self, actor: str) -> Reply | None:
        """The actor's latest reply."""
        return self._latest.get(actor)

    def opened(self, message: str, where: Where) -> tuple[Reply, list[Event]]:
        """The reply that a message belongs to; what it follows is complete."""
        actor = where["actor"]
        reply = self._latest.get(actor)
        if reply is not None and reply.message == message:
            reply.where = where
            return reply, []
        events = self.close(actor)
        self._latest.pop(actor, None)
        reply = self._latest[actor] = Reply(message, where)
        if len(self._latest) > _ACTORS:
            del self._latest[next(iter(self._latest))]
        return reply, events

    def close(self, actor: str, *, final: bool = False, stopped: bool = False) -> list[Event]:
        """The end of the actor's latest reply, unless it was given out.

        `final` when what follows shows that the model had ended its turn: older transcripts never name a
        stop reason. `stopped` when it was interrupted.
        """
        reply = self._latest.get(actor)
        if reply is None or reply.told:
            return []
        reply.told = True
        stop = "stopped" if stopped and not reply.call else _stop(reply, final=final)
        empty = not reply.text and not reply.call and not stopped
        events: list[Event] = [ReplyEnded(message=reply.message, stop=stop, raw=reply.raw, empty=empty, **reply.where)]
        if stop == "refusal":
            return events + self.settle("refused", reply.answer, reply.answered or item(reply.where, REQUEST))
        if stop == "end" and reply.text and reply.answered is not None:
            return events + self.settle("answered", reply.answer, reply.answered)
        return events

    def settle(self, how: How, text: str, where: Where) -> list[Event]:
        """The end of the root's request, unless it was given out."""
        if self.ended or where["actor"]:
            return []
        self.ended = True
        return [RequestEnded(how=how, text=text, **where)]

    def interrupt(self, where: Where) -> list[Event]:
        """A person stopped the agent."""
        events = self.close(where["actor"], stopped=True)
        return events + self.settle("interrupted", "", item(where, REQUEST))

    def copy(self) -> Replies:
        """Another that goes on from here."""
        other = Replies()
        other._latest = {actor: replace(reply) for actor, reply in self._latest.items()}
        other.ended = self.ended
        return other


def _stop(reply: Reply, *, final: bool) -> Stop:
    if reply.raw:
        return STOPS.get(reply.raw, "other")
    if reply.call:
        return "tools"
    return "end" if final else "other"

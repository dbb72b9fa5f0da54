"""How a prompt was answered: the protocol's stop reasons, and what single agents mean by them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from monitor.agents.acp.talk import Talk
from monitor.agents.fields import Object, part, raw, text, whole
from monitor.events import (
    Event,
    Noticed,
    Outcome,
    ReplyEnded,
    RequestEnded,
    RunEnded,
    Tokens,
    ToolReturned,
    Used,
)
from monitor.text import clean, line, shorten

Item = tuple[int, Event]
_STOPS: Mapping[str, Literal["end", "length", "refusal", "stopped", "other"]] = {
    "end_turn": "end",
    "max_tokens": "length",
    "refusal": "refusal",
    "cancelled": "stopped",
    "max_turn_requests": "other",
}
_REPLY, _REQUEST, _USED, _NOTE, _LEFT = 0, 1, 2, 3, 10
_LIMITS = {
    "max_tokens": "max_tokens: the reply reached its limit of tokens",
    "max_turn_requests": "max_turn_requests: the agent's own limit of steps",
}


def answered(result: Object, talk: Talk, agent: str, number: str) -> Iterator[Item]:
    """The agent has stopped working on a prompt."""
    stop = raw(result, "stopReason")
    if used := _used(part(result, "usage"), number):
        yield _USED, used
    yield from _left_open(talk, stop)
    if talk.reply.open:
        yield _REPLY, ReplyEnded(message=talk.message, stop=_STOPS.get(stop, "other"), raw=clean(stop)[:60])
    ended = _ended(stop, talk, agent) if talk.active or stop != "end_turn" else None
    if ended is not None:
        yield _REQUEST, ended
    elif stop and stop not in _STOPS:
        told = "the prompt was answered for a reason this version does not know"
        yield _NOTE, Noticed(kind="status", name=shorten(line(stop), 60), text=told)
    talk.ended()
    if agent == "lcode" and not talk.prompts:
        talk.calls.forget()


def failed(error: Object, talk: Talk) -> Iterator[Item]:
    """A prompt was answered with an error."""
    yield from _left_open(talk, "")
    yield _REQUEST, RequestEnded(how="error", text=text(error, "message"))
    talk.ended()


def tokens_of(usage: Object) -> Tokens:
    """The protocol's counts of tokens."""
    names = ("inputTokens", "outputTokens", "cachedReadTokens", "cachedWriteTokens", "thoughtTokens")
    return Tokens(*(max(whole(usage, name) or 0, 0) for name in names))


def _used(usage: Object, number: str) -> Used | None:
    tokens = tokens_of(usage)
    return Used(scope="request", key=f"prompt {number}", tokens=tokens) if tokens != Tokens() else None


def _left_open(talk: Talk, stop: str) -> Iterator[Item]:
    """The calls that get no result any more."""
    for item, (name, call) in enumerate(list(talk.calls.open()), _LEFT):
        outcome: Outcome | Literal[""] = call.decision
        if stop == "cancelled" and not outcome:
            outcome = "cancelled" if call.began or not talk.tells_begin else "not_executed"
        if outcome:
            talk.close(name)
            yield item, ToolReturned(call=call.told.call, message=call.told.message, outcome=outcome)


def _ended(stop: str, talk: Talk, agent: str) -> RequestEnded | RunEnded | None:
    answer = talk.reply.answer.text
    if agent == "lcode" and (status := _lcode(stop, talk)):
        return RunEnded(status=status)
    match stop:
        case "end_turn":
            if talk.denied and not answer.strip():
                return RequestEnded(how="interrupted", text="it stopped when a person denied the call")
            return RequestEnded(how="answered", text=answer)
        case "cancelled":
            return RequestEnded(how="interrupted", text="cancelled by the client" if talk.cancelling else "cancelled")
        case "refusal":
            return RequestEnded(how="refused", text=answer)
        case "max_tokens" | "max_turn_requests":
            return RequestEnded(how="limit", text=_LIMITS[stop])
        case _:
            return None


def _lcode(stop: str, talk: Talk) -> str:
    """The status that lcode itself gives, where its stop reason hides it.

    It says `end_turn` of a request it stopped because a site is out of reach, and `max_turn_requests` of its
    limit of steps, after a result, as of a loop: after the call it stopped at, or after a reply without a call.
    """
    if stop not in ("end_turn", "max_turn_requests"):
        return ""
    if talk.stopped:
        return talk.stopped
    return "loop" if stop == "max_turn_requests" and talk.latest == "words" else ""

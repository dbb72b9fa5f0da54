"""What a whole message tells, in a session's file as in a stream."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from monitor.agents.fields import Object, moment, part, parts, raw, real, text, whole
from monitor.agents.pi.calls import Calls, called
from monitor.agents.pi.results import content, returned
from monitor.events import (
    Event,
    Noticed,
    Prompted,
    ReplyEnded,
    RequestEnded,
    RunStarted,
    Said,
    Thought,
    Tokens,
    Used,
)
from monitor.text import clean

Item = tuple[int, Event]
Stop = Literal["end", "tools", "length", "stopped", "error", "other"]
_STOPS: Mapping[str, Stop] = {
    "stop": "end",
    "toolUse": "tools",
    "length": "length",
    "aborted": "stopped",
    "error": "error",
}
_ENDED, _REQUEST, _USED, _MODEL = 900, 901, 902, 903
"""Items of what a message says beside its content blocks."""


class Talk:
    """What is known of a conversation while it goes on."""

    def __init__(self) -> None:
        self.calls = Calls()
        self.working = False
        """The agent has been asked something and has not answered yet."""
        self.timed = False
        """Results of this log tell how long they took."""
        self.error = ""
        """The error that the latest reply ended on."""
        self.model = ""

    def copy(self) -> Talk:
        """Another that goes on from here."""
        other = Talk()
        other.__dict__.update(self.__dict__)
        other.calls = self.calls.copy()
        return other

    def told(self, found: Object, message: str, *, stream: bool) -> Iterator[Item]:
        """What a message tells, each event with its item."""
        match raw(found, "role"):
            case "user":
                into: Literal["new", "running"] = "running" if self.working else "new"
                self.working = True
                yield 0, Prompted(text=clean(content(found)), into=into)
            case "assistant":
                yield from self._replied(found, message, stream=stream)
            case "toolResult":
                yield from self.returned(found)
            case "bashExecution":
                yield 0, Noticed(kind="status", name="user command", text=text(found, "command"))
            case "custom" | "hookMessage" if content(found).strip():
                yield 0, Prompted(text=clean(content(found)), by="hook", into="running")
            case "branchSummary" | "compactionSummary":
                yield 0, Noticed(kind="compaction", name="summary", text=text(found, "summary"))
            case _:
                pass

    def returned(self, found: Object) -> Iterator[Item]:
        """A result, the first time it is told."""
        name = raw(found, "toolCallId")
        self.timed = self.timed or "durationMs" in found
        if not self.calls.over(name):
            yield 0, returned(found, self.calls.get(name), name, timed=self.timed)
            self.calls.end(name)

    def ended(self) -> Iterator[Item]:
        """The agent stopped, and will not try again: an error is the end of the request."""
        error, self.error, self.working = self.error, "", False
        if error:
            yield _REQUEST, RequestEnded(how="error", text=error)

    def _replied(self, found: Object, message: str, *, stream: bool) -> Iterator[Item]:
        words: list[str] = []
        calls = 0
        broken = raw(found, "stopReason") in ("aborted", "error")
        for number, block in enumerate(parts(found, "content")):
            match raw(block, "type"):
                case "thinking" if raw(block, "thinking").strip():
                    yield number, Thought(message=message, part=number, text=text(block, "thinking"))
                case "text" if raw(block, "text").strip():
                    words.append(text(block, "text"))
                    yield number, Said(message=message, part=number, text=words[-1])
                case "toolCall":
                    calls += 1
                    call = called(
                        raw(block, "name"), block.get("arguments"), raw(block, "id") or f"{message}.{number}", message
                    )
                    if broken:  # pi makes no call of a reply that did not come to its end
                        call = msgspec.structs.replace(call, partial=True)
                    else:
                        self.calls.keep(call)
                    yield number, call
                case _:
                    pass
        if (model := text(found, "model")) and model != self.model:
            self.model = model
            yield _MODEL, RunStarted(model=model)
        raw_stop = raw(found, "stopReason")
        stop = _STOPS.get(raw_stop, "other")
        empty = not words and not calls and stop not in ("error", "stopped")
        yield _ENDED, ReplyEnded(message=message, stop=stop, raw=clean(raw_stop)[:60], empty=empty)
        yield from _used(found, message)
        yield from self._stopped(stop, "\n".join(words), calls, text(found, "errorMessage"), stream=stream)

    def _stopped(self, stop: Stop, words: str, calls: int, error: str, *, stream: bool) -> Iterator[Item]:
        """How the request ended with this reply, if it did."""
        self.error = error or "an error without words" if stop == "error" else ""
        if stop == "error":
            if not stream:
                yield from self.ended()
        elif stop == "stopped":
            self.working = False
            yield _REQUEST, RequestEnded(how="interrupted", text=error)
        elif not calls and stop in ("end", "length", "other"):
            self.working = False
            if words:
                yield _REQUEST, RequestEnded(how="answered", text=words)
            elif stop == "length":
                yield _REQUEST, RequestEnded(how="limit", text="the reply reached its limit of tokens")


def time_of(found: Object) -> float | None:
    """When a message was made; the time it took is added where that is told."""
    told = whole(found, "timestamp")
    return moment((told + max(whole(found, "durationMs") or 0, 0)) / 1000) if told is not None else None


def _used(found: Object, message: str) -> Iterator[Item]:
    usage = part(found, "usage")
    names = ("input", "output", "cacheRead", "cacheWrite", "reasoning")
    tokens = Tokens(*(max(whole(usage, name) or 0, 0) for name in names))
    if tokens != Tokens():
        yield _USED, Used(key=message, tokens=tokens, cost=real(part(usage, "cost").get("total")))

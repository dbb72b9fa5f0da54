"""Decodes the events of a conversation of OpenHands 1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from monitor.agents.fields import (
    Object,
    count_type,
    moment,
    part,
    parts,
    raw,
    read_object,
    real,
    stamped,
    text,
    unreadable,
)
from monitor.agents.openhands import executed
from monitor.agents.openhands.entry import tokens_of
from monitor.events import (
    Coverage,
    Event,
    Noticed,
    Prompted,
    ReplyEnded,
    RequestEnded,
    RunEnded,
    RunStarted,
    Said,
    Thought,
    Tokens,
    ToolCalled,
    ToolReturned,
    Used,
    Waiting,
)
from monitor.streams.record import Input, Record
from monitor.text import clean

_COVERAGE: Mapping[str, Coverage] = {
    "replies": Coverage("partial", "OpenHands keeps the events that replies became: one that became none is lost"),
    "stalls": Coverage("partial", "OpenHands writes an event when it is whole, and nothing while the model streams"),
}
_SILENT = (
    "SystemPromptEvent", "ConversationStateUpdateEvent", "TokenEvent", "StreamingDeltaEvent", "CondensationRequest",
    "CondensationSummaryEvent", "LLMCompletionLogEvent",
)  # fmt: skip
"""Events that tell nothing of their own."""
_OVER = ("finished", "error", "stuck")
_MOST = 4_096
"""Calls remembered."""
_THOUGHT, _SAID, _CALL, _ENDED, _REQUEST = range(5)


class ConversationDecoder:
    """Turns the events of one conversation into ours; total, pure and copyable."""

    def __init__(self) -> None:
        self.unknown_types: dict[str, int] = {}
        self._calls: dict[str, ToolCalled] = {}
        """The latest calls, whose results are to come."""
        self._working = False
        """The agent was asked something, and has not answered yet."""
        self._waits = False
        """A person is to allow a call."""

    def feed(self, record: Record) -> Sequence[Event]:
        """The events of one line."""
        found = record.problem or read_object(record.data)
        if isinstance(found, str):
            return (unreadable(record, found),)
        return stamped(list(self._told(found)), record, moment(found.get("timestamp")))

    def finish(self, inputs: Sequence[Input]) -> Sequence[Event]:
        """Nothing: a call without its result shows by itself."""
        del inputs
        return ()

    def copy(self) -> ConversationDecoder:
        """Another that goes on from here."""
        other = ConversationDecoder()
        other.__dict__.update(self.__dict__)
        other.unknown_types, other._calls = dict(self.unknown_types), dict(self._calls)
        return other

    def _told(self, found: Object) -> Iterator[tuple[int, Event]]:
        if "begins" in found:
            yield 0, _started(part(found, "begins"))
        elif "state" in found:
            yield from self._stood(part(found, "state"))
        else:
            yield from self._happened(raw(found, "kind"), found)

    def _happened(self, kind: str, found: Object) -> Iterator[tuple[int, Event]]:
        match kind:
            case "MessageEvent":
                yield from self._spoken(found)
            case "ActionEvent":
                yield from self._acted(found)
            case "ObservationEvent" | "UserRejectObservation" | "AgentErrorEvent":
                yield 0, self._returned(kind, found)
            case "ConversationErrorEvent":
                yield from self._broke(found)
            case "PauseEvent" | "InterruptEvent":
                yield 0, self._ended(RequestEnded(how="interrupted"))
            case "Condensation":
                yield 0, Noticed(kind="compaction", name="condensation", text=text(found, "summary"))
            case _ if kind not in _SILENT:
                count_type(self.unknown_types, kind)
            case _:
                pass

    def _spoken(self, found: Object) -> Iterator[tuple[int, Event]]:
        """A message: of the user, or the agent's answer."""
        said = part(found, "llm_message")
        words = executed.words_of(said)
        if raw(found, "source") != "agent":
            by_user = raw(found, "source") == "user"
            yield (
                0,
                Prompted(text=words, by="user" if by_user else "harness", into="running" if self._working else "new"),
            )
            self._working = True
            return
        message = _message(found)
        yield from _thinking(said, message)
        if words.strip():
            yield _SAID, Said(message=message, part=1, text=words)
        yield _ENDED, ReplyEnded(message=message, stop="end", empty=not words.strip())
        if words.strip():
            yield _REQUEST, self._ended(RequestEnded(how="answered", text=words))

    def _acted(self, found: Object) -> Iterator[tuple[int, Event]]:
        """A call, with what the model thought and said before it."""
        message = _message(found)
        yield from _thinking(found, message)
        words = "\n".join(text(one, "text") for one in parts(found, "thought"))
        if words.strip():
            yield _SAID, Said(message=message, part=1, text=words)
        call = executed.called(found, message)
        self._keep(call)
        yield _CALL, call
        yield _ENDED, ReplyEnded(message=message, stop="tools")
        if call.kind == "finish" and found.get("action") is not None:
            answer = text(part(found, "action"), "message") or words
            yield _REQUEST, self._ended(RequestEnded(how="answered", text=answer))

    def _returned(self, kind: str, found: Object) -> ToolReturned:
        name = clean(raw(found, "tool_call_id"))
        return executed.returned(kind, found, name, self._calls.pop(name, None))

    def _broke(self, found: Object) -> Iterator[tuple[int, Event]]:
        """The conversation could not go on."""
        code, why = raw(found, "code"), text(found, "detail")
        limit = "MaxIteration" in code or "Budget" in code
        yield 0, self._ended(RequestEnded(how="limit" if limit else "error", text=why or clean(code)))
        if limit:
            yield 1, RunEnded(status="max_budget" if "Budget" in code else "max_iterations")

    def _stood(self, state: Object) -> Iterator[tuple[int, Event]]:
        """The state as it is: what was used, and whether it goes on."""
        used = [(tokens_of(part(one, "tokens")), one.get("cost")) for one in parts(state, "usage")]
        tokens = Tokens(
            *(sum(counts) for counts in zip(*(msgspec.structs.astuple(one) for one, _ in used), strict=True))
        )
        costs = [cost for _, told in used if (cost := real(told)) is not None]
        if tokens != Tokens():
            yield 0, Used(scope="run", key="run", tokens=tokens, cost=sum(costs) if costs else None)
        status = raw(state, "status")
        waits = status == "waiting_for_confirmation"
        if waits or self._waits:
            yield 1, Waiting(on="approval", over=not waits)
        self._waits = waits
        if status in _OVER:
            yield 2, RunEnded(status=status)

    def _ended(self, event: RequestEnded) -> RequestEnded:
        self._working = False
        return event

    def _keep(self, call: ToolCalled) -> None:
        self._calls[call.call] = call
        if len(self._calls) > _MOST:
            del self._calls[next(iter(self._calls))]


def _started(state: Object) -> RunStarted:
    return RunStarted(
        agent="openhands",
        model=text(state, "model"),
        session=text(state, "id"),
        cwd=text(state, "folder"),
        lag="message",
        deltas=False,
        coverage=dict(_COVERAGE),
    )


def _message(found: Object) -> str:
    """The model's reply: several calls of one share it."""
    return text(found, "llm_response_id") or text(found, "id")


def _thinking(found: Object, message: str) -> Iterator[tuple[int, Event]]:
    told = text(found, "reasoning_content") or "\n".join(
        text(one, "thinking") for one in parts(found, "thinking_blocks")
    )
    if told.strip():
        yield _THOUGHT, Thought(message=message, text=told)

"""Decodes what an app-server tells its client: items as they begin and end, pieces of words, turns, and questions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from monitor.agents.codex import items, started, wire_items
from monitor.agents.codex.frame import Frame
from monitor.agents.codex.pieces import Pieces
from monitor.agents.codex.prompts import Prompts
from monitor.agents.fields import Object, count_type, part, parts, raw, text, truth, whole
from monitor.events import Event, Noticed, Prompted, ReplyEnded, RequestEnded, Said, Thought, Used, Waiting

_THOUGHTS = ("item/reasoning/summaryTextDelta", "item/reasoning/textDelta")
_APPROVALS = (
    "item/commandExecution/requestApproval",
    "item/fileChange/requestApproval",
    "item/permissions/requestApproval",
)
_QUESTIONS = ("item/tool/requestUserInput", "mcpServer/elicitation/request")
_QUIET = frozenset({
    "thread/status/changed", "thread/readState/changed", "thread/queue/changed", "thread/goal/cleared",
    "thread/goal/updated", "thread/name/updated", "thread/settings/updated", "thread/closed", "thread/archived",
    "turn/diff/updated", "turn/plan/updated", "item/commandExecution/outputDelta", "item/fileChange/outputDelta",
    "item/fileChange/patchUpdated", "item/commandExecution/terminalInteraction", "item/mcpToolCall/progress",
    "item/plan/delta", "item/autoApprovalReview/started", "item/autoApprovalReview/completed", "account/updated",
    "account/rateLimits/updated", "account/login/completed", "remoteControl/status/changed", "hook/started",
    "hook/completed", "mcpServer/startupStatus/updated", "mcpServer/oauthLogin/completed", "app/list/updated",
    "skills/changed", "rawResponseItem/completed", "model/verification", "fs/changed", "windowsSandbox/setupCompleted",
})  # fmt: skip
"""Told by other messages too, or of no weight."""
_NOTICES: dict[str, Literal["compaction", "status", "guard", "other"]] = {
    "thread/compacted": "compaction", "model/rerouted": "status", "guardianWarning": "guard", "warning": "other",
    "configWarning": "other", "deprecationNotice": "other",
}  # fmt: skip


class Wire:
    """The events of one thread.

    `beside` its rollout, which holds whole items and refused patches too, the wire adds what the rollout has not: words
    as they are written, questions, and notices; of `prompts`, which both tell, it tells those that it is the first to tell.
    """

    def __init__(self, unknown: dict[str, int], *, beside: bool, prompts: Prompts | None = None) -> None:
        self._unknown = unknown
        self._told_too = prompts
        self._beside = beside
        self._pieces = Pieces()
        self._answer = ""
        self._asked: dict[str | int, str] = {}
        """The call of each open question."""
        self._prompts = 0
        """Prompts of the turn that runs."""

    def told(self, frame: Frame) -> Sequence[Event]:
        """The events of one message."""
        return self._client(frame) if frame.from_client or not frame.method else self._server(frame)

    def copy(self, unknown: dict[str, int], prompts: Prompts | None = None) -> Wire:
        """Another that goes on from here."""
        other = Wire(unknown, beside=self._beside, prompts=prompts)
        other._pieces, other._asked = self._pieces.copy(), dict(self._asked)
        other._answer, other._prompts = self._answer, self._prompts
        return other

    def _client(self, frame: Frame) -> Sequence[Event]:
        """What its client says, and answers: a question that was answered is open no more."""
        if frame.from_client and not frame.method and frame.id is not None:
            return self._resolved(frame.id)
        return ()

    def _server(self, frame: Frame) -> Sequence[Event]:
        params, method = frame.params, frame.method
        match method:
            case "thread/started":
                return (started.served(part(params, "thread"), beside=self._beside),)
            case "turn/started":
                self._answer, self._prompts = "", 0
                return ()
            case "turn/completed":
                return self._ended(part(params, "turn"))
            case "thread/tokenUsage/updated":
                return self._used(part(params, "tokenUsage"))
            case "item/started" | "item/completed":
                return self._item(part(params, "item"), done=method == "item/completed")
            case "item/agentMessage/delta":
                return self._piece(Said, params, raw(params, "delta"))
            case "item/reasoning/summaryPartAdded":
                return self._piece(Thought, params, "\n") if params.get("summaryIndex") else ()
            case "serverRequest/resolved":
                return self._resolved(_number(params.get("requestId")))
            case "error":
                return self._error(params)
        if method in _THOUGHTS:
            return self._piece(Thought, params, raw(params, "delta"))
        if frame.id is not None:
            return self._question(frame)
        if (notice := _NOTICES.get(method)) is not None:
            words = text(params, "message") or text(params, "summary")
            return (Noticed(kind=notice, name=method, text=words),)
        if method not in _QUIET:
            count_type(self._unknown, method)
        return ()

    def _item(self, item: Object, *, done: bool) -> Sequence[Event]:
        match raw(item, "type"):
            case "userMessage":
                return self._prompted(item) if done else ()
            case "reasoning" | "agentMessage" as kind:
                return self._spoken(kind, item, done=done)
            case "hookPrompt":
                words = "\n".join(text(one, "text") for one in parts(item, "fragments"))
                return (Prompted(text=words, by="hook", into="running"),) if done and not self._beside else ()
        told = wire_items.events(item, self._pieces, done=done)
        if told is None:
            count_type(self._unknown, f"item {raw(item, 'type')}")
        return () if self._beside else told or ()

    def _prompted(self, item: Object) -> Sequence[Event]:
        self._prompts += 1
        words = "\n".join(text(one, "text") for one in parts(item, "content"))
        into: Literal["new", "running"] = "new" if self._prompts == 1 else "running"
        told = self._told_too is not None and not self._told_too.first("wire", words)
        return () if told else (Prompted(text=words, into=into),)

    def _spoken(self, kind: str, item: Object, *, done: bool) -> Sequence[Event]:
        message, place = self._pieces.spoken(raw(item, "id"))
        if not done:
            return ()
        if kind == "agentMessage":
            self._answer = words = text(item, "text")
            return (Said(message=message, part=place, text=words),) if words.strip() else ()
        words = "\n".join(wire_items.strings(item, "content") or wire_items.strings(item, "summary"))
        return (Thought(message=message, part=place, text=words),) if words.strip() else ()

    def _piece(self, made: type[Said | Thought], params: Object, words: str) -> Sequence[Event]:
        message, place = self._pieces.spoken(raw(params, "itemId"))
        return (made(message=message, part=place, text=words, delta=True),) if words else ()

    def _used(self, usage: Object) -> Sequence[Event]:
        message = self._pieces.used()
        total = part(usage, "total")
        if self._beside or not total:
            return ()
        return (
            ReplyEnded(message=message),
            Used(
                scope="run",
                tokens=items.tokens(wire_items.snake(total)),
                context_used=whole(part(usage, "last"), "totalTokens"),
                context_size=whole(usage, "modelContextWindow"),
            ),
        )

    def _ended(self, turn: Object) -> Sequence[Event]:
        message = self._pieces.turn_over()
        over: list[Event] = [one for number in list(self._asked) for one in self._resolved(number)]
        if self._beside:
            return over
        over += [ReplyEnded(message=message)] if message else []
        why = text(part(turn, "error"), "message")
        match raw(turn, "status"):
            case "interrupted":
                return (*over, RequestEnded(how="interrupted", text=why))
            case "failed":
                return (*over, RequestEnded(how="error", text=why))
        return (*over, RequestEnded(how="answered" if self._answer else "error", text=self._answer))

    def _error(self, params: Object) -> Sequence[Event]:
        again = truth(params, "willRetry")
        words = text(part(params, "error"), "message")
        return (Noticed(kind="retry" if again else "other", name="error", text=words),)

    def _resolved(self, number: str | int) -> Sequence[Event]:
        """A question was answered, or is over with its turn: its call waits no longer."""
        call = self._asked.pop(number, None)
        return (Waiting(call=call, over=True),) if call is not None else ()

    def _question(self, frame: Frame) -> Sequence[Event]:
        """A request of the server's to its client: nothing goes on before it is answered."""
        params = frame.params
        if frame.id is None or frame.method not in (*_APPROVALS, *_QUESTIONS):
            count_type(self._unknown, frame.method)
            return ()
        call = text(params, "itemId")
        self._asked[frame.id] = call
        about = items.unwrapped(text(params, "command")) or text(params, "reason") or text(params, "message")
        on: Literal["approval", "user"] = "approval" if frame.method in _APPROVALS else "user"
        return (Waiting(on=on, about=about or frame.method, call=call),)


def _number(value: object) -> str | int:
    return value if isinstance(value, str | int) else ""

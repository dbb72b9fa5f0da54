"""The messages of a trajectory: what each of them tells."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Literal

from monitor.agents.fields import Object, raw
from monitor.agents.mini_swe_agent import ending, started
from monitor.agents.mini_swe_agent.message import Message, blocks_in, only_submits, submits, words_in
from monitor.agents.mini_swe_agent.observed import new_task, observe
from monitor.events import (
    Event,
    Noticed,
    Prompted,
    ReplyEnded,
    Said,
    Thought,
    Tokens,
    ToolCalled,
    ToolReturned,
    Used,
)
from monitor.text import clean

_ROLES = ("system", "user", "assistant", "tool", "exit")
_BACK = 100
"""Messages looked back at for the call of a result."""
_STOPS: dict[str, Literal["length", "filter"]] = {"length": "length", "content_filter": "filter"}


class Trajectory:
    """One state of the document."""

    def __init__(self, info: Object, messages: Sequence[Object]) -> None:
        self._info = info
        self._found = messages
        self._all = [Message(one) for one in messages]
        self.epoch = 0

    def marks(self) -> list[str]:
        """The words of each message; its other fields may be filled in later."""
        return [f"{one.role}\0{one.text}" for one in self._all]

    def line(self, index: int) -> int:
        """The message's index."""
        return index

    def head(self) -> Iterator[Event]:
        """Which agent and model, and what this source cannot show."""
        yield started.started(self._info, self._all)

    def told(self, index: int) -> Iterator[Event]:
        """What a message tells."""
        one = self._all[index]
        if one.role == "assistant":
            yield from self._replied(one, index)
        elif one.role in ("user", "tool"):
            yield from self._heard(one, index)

    def tail(self) -> Iterator[Event]:
        """How it ended, and what it used."""
        replies = [index for index, one in enumerate(self._all) if one.role == "assistant"]
        last = replies[-1] if replies else -1
        reply = self._all[last] if replies else None
        submission = [call for call in self._calls(last) if submits(call.command)] if replies else []
        heard = any(self._all[at].role in ("user", "tool") for at in range(last + 1, len(self._all)))
        told = ending.status(self._info, self._all)
        if not told and not self._info and len(submission) == 1 and heard:
            told = "Submitted"
        if told == "Submitted" and submission and not self._has_result(last):
            yield ToolReturned(call=submission[-1].call, message=submission[-1].message, outcome="ok")
        tokens = [one.tokens for one in self._all if one.role == "assistant"]
        yield from ending.used(self._info, tokens)
        yield from ending.ended(told, ending.submission(self._info, self._all), words_in(reply.text) if reply else "")

    def unknown(self) -> Iterator[str]:
        """Roles of messages that nobody knows."""
        for one in self._found:
            if raw(one, "role") not in _ROLES and "object" not in one and "type" not in one:
                yield f"role {raw(one, 'role')}"

    def _has_result(self, reply: int) -> bool:
        """Whether a message after the reply tells what its command printed."""
        following = self._all[reply + 1 : reply + 2]
        return bool(following) and (following[0].role == "user")

    def _replied(self, one: Message, index: int) -> Iterator[Event]:
        message, words = self._message(index), clean(one.text)
        calls = self._calls(index)
        if one.thinking.strip():
            yield Thought(message=message, text=one.thinking, at=one.at)
        if words.strip():
            yield Said(message=message, part=1, text=words, at=one.at)
        yield from calls
        stop = _STOPS.get(one.finish) or ("tools" if calls else "end")
        empty = not calls and not words.strip()
        yield ReplyEnded(message=message, stop=stop, raw=clean(one.finish), empty=empty, at=one.at)
        if one.tokens != Tokens() or one.cost is not None:
            yield Used(key=message, tokens=one.tokens, cost=one.cost, at=one.at)

    def _heard(self, one: Message, index: int) -> Iterator[Event]:
        """What the model is told: the task, a result, or that its reply was refused."""
        call, calls, text = self._call_of(index), self._calls(index - 1), one.text
        if one.role == "tool" or (calls and self._all[index - 1].role == "assistant"):
            yield from self._returned(one, (call,) if call is not None else tuple(calls), index)
        elif not any(before.role == "assistant" for before in self._all[:index]):
            yield Prompted(text=clean(text), at=one.at)
        elif "raw_output" in one.extra:
            yield Noticed(kind="status", name="human command", text=clean(text), at=one.at)
        elif task := new_task(text):
            yield Prompted(text=clean(task), at=one.at)
        elif text.strip():
            yield from self._refused(one, index)

    def _refused(self, one: Message, index: int) -> Iterator[Event]:
        """A reply without a command that can be taken; later versions keep it only beside the refusal."""
        if said := clean(raw(one.extra, "model_response")):
            message = self._message(index)
            yield Said(message=message, text=said, at=one.at)
            yield ReplyEnded(message=message, at=one.at)
        person = raw(one.extra, "interrupt_type").startswith("User") or "actions" in one.extra
        yield Prompted(text=clean(one.text), by="user" if person else "harness", into="running", at=one.at)

    def _returned(self, one: Message, calls: Sequence[ToolCalled], index: int) -> Iterator[Event]:
        text, said = one.text, ""
        alone = one.role == "tool" or blocks_in(self._all[index - 1].text) <= 1
        for call in calls:
            seen = observe(text, one.extra, call.command, alone=alone)
            if seen.outcome == "not_executed" and one.role == "tool" and submits(call.command):
                continue  # the command that submits ends the run before it is told as run
            said = seen.said
            yield ToolReturned(
                call=call.call,
                message=call.message,
                outcome=seen.outcome,
                exit=seen.exit,
                output=clean(seen.output),
                cut=seen.cut,
                at=one.at,
            )
        if said.strip():
            yield Prompted(text=clean(said), into="running", at=one.at)

    def _message(self, index: int) -> str:
        return f"{self.epoch}m{index}"

    def _calls(self, index: int) -> list[ToolCalled]:
        """The commands that a reply asks for."""
        if index < 0 or self._all[index].role != "assistant":
            return []
        one, message = self._all[index], self._message(index)
        return [
            ToolCalled(
                call=f"{message}.{number}",
                message=message,
                tool="bash",
                kind="finish" if only_submits(command) else "shell",
                arguments=clean(json.dumps({"command": command}, ensure_ascii=False)),
                command=clean(command),
                at=one.at,
            )
            for number, (_, command) in enumerate(one.commands)
        ]

    def _call_of(self, index: int) -> ToolCalled | None:
        """The call that a tool's result belongs to: by its id, else by its place among the results."""
        one = self._all[index]
        if one.role != "tool":
            return None
        before = 0
        for at in range(index - 1, max(index - _BACK, -1), -1):
            if self._all[at].role == "assistant":
                calls, names = self._calls(at), [name for name, _ in self._all[at].commands]
                number = names.index(one.answers) if one.answers in names else before
                return calls[number] if number < len(calls) else None
            before += self._all[at].role == "tool"
        return None

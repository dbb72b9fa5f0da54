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
    RequestEnded,
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
        """The words and commands of each message; its other fields may be filled in later."""
        return ["\0".join((one.role, one.text, *one.listed)) for one in self._all]

    def given(self) -> int:
        """The messages before the first reply."""
        return next((at for at, one in enumerate(self._all) if one.role == "assistant"), len(self._all))

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
        told = ending.status(self._info, self._all)
        if not told and not self._info and self._submitted(last):
            told = "Submitted"
        if told == "Submitted":
            for call in self._unheard(len(self._all))[:1]:
                yield ToolReturned(call=call.call, message=call.message, outcome="ok")
        tokens = [one.tokens for one in self._all if one.role == "assistant"]
        yield from ending.used(self._info, tokens)
        yield from ending.ended(told, ending.submission(self._info, self._all), words_in(reply.text) if reply else "")

    def unknown(self) -> Iterator[str]:
        """Roles of messages that nobody knows."""
        for one in self._found:
            if raw(one, "role") not in _ROLES and "object" not in one and "type" not in one:
                yield f"role {raw(one, 'role')}"

    def _submission(self, reply: int) -> list[ToolCalled]:
        """The calls of a reply that may submit the work."""
        return [call for call in self._calls(reply) if submits(call.command)]

    def _submitted(self, reply: int) -> bool:
        """Whether the message after a reply is what its command submitted: no result, no refusal, no new task."""
        calls, following = self._submission(reply), self._all[reply + 1 : reply + 2]
        if len(calls) != 1 or not following or following[0].role != "user" or new_task(following[0].text):
            return False
        seen = observe(following[0].text, following[0].extra, calls[0].command, alone=self._alone(reply))
        return seen.outcome == "ok" and seen.exit is None

    def _alone(self, reply: int) -> bool:
        """Whether a reply in words held no more than the one command that can be taken."""
        return blocks_in(self._all[reply].text) <= 1

    def _unheard(self, index: int) -> list[ToolCalled]:
        """The submission of the reply before a message, where nothing between them tells what became of it."""
        reply = self._reply_before(index)
        between = range(reply + 1, index)
        if any(self._all[at].role not in ("tool", "exit") for at in between):
            return []
        heard = {call.call for at in between if (call := self._call_of(at)) is not None and not self._kept(at, call)}
        return [call for call in self._submission(reply) if call.call not in heard]

    def _kept(self, index: int, call: ToolCalled) -> bool:
        """Whether a result is what is written of every call whose results were lost, the submission's too."""
        one = self._all[index]
        return (
            submits(call.command) and observe(one.text, one.extra, call.command, alone=True).outcome == "not_executed"
        )

    def _reply_before(self, index: int) -> int:
        """The index of the reply before a message; -1 where there is none near."""
        near = range(index - 1, max(index - _BACK, -1), -1)
        return next((at for at in near if self._all[at].role == "assistant"), -1)

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
        task = new_task(text) if one.role == "user" and "raw_output" not in one.extra else ""
        if task:
            yield from self._asked_again(one, index, task)
        elif one.role == "tool" or calls:
            yield from self._returned(one, (call,) if call is not None else tuple(calls), index)
        elif not any(before.role == "assistant" for before in self._all[:index]):
            yield Prompted(text=clean(text), at=one.at)
        elif "raw_output" in one.extra:
            yield Noticed(kind="status", name="human command", text=clean(text), at=one.at)
        elif text.strip():
            yield from self._refused(one, index)

    def _asked_again(self, one: Message, index: int, task: str) -> Iterator[Event]:
        """A task that a person gave where the agent wanted to stop: what it had submitted was its claim."""
        for call in self._unheard(index)[:1]:
            yield ToolReturned(call=call.call, message=call.message, outcome="ok", at=one.at)
            yield RequestEnded(how="answered", text=words_in(self._all[self._reply_before(index)].text), at=one.at)
        yield Prompted(text=clean(task), at=one.at)

    def _refused(self, one: Message, index: int) -> Iterator[Event]:
        """A reply that was not taken, by a person or for its form; later versions keep such a one only beside the refusal."""
        seen = observe(one.text, one.extra, "", alone=True)
        if seen.outcome in ("denied", "corrected", "cancelled"):
            for call in self._unheard(index):
                yield ToolReturned(call=call.call, message=call.message, outcome=seen.outcome, at=one.at)
        if said := clean(raw(one.extra, "model_response")):
            message = self._message(index)
            yield Said(message=message, text=said, at=one.at)
            yield ReplyEnded(message=message, at=one.at)
        person = raw(one.extra, "interrupt_type").startswith("User") or "actions" in one.extra
        yield Prompted(text=clean(one.text), by="user" if person else "harness", into="running", at=one.at)

    def _returned(self, one: Message, calls: Sequence[ToolCalled], index: int) -> Iterator[Event]:
        text, said = one.text, ""
        alone = one.role == "tool" or self._alone(index - 1)
        for call in calls:
            if one.role == "tool" and self._kept(index, call):
                continue  # the command that submits ends the run before it is told as run
            seen = observe(text, one.extra, call.command, alone=alone)
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
                number = names.index(one.answers) if one.answers and one.answers in names else before
                return calls[number] if number < len(calls) else None
            before += self._all[at].role == "tool"
        return None

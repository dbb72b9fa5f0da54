"""The history of a run: what each of its entries tells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from monitor.agents.fields import Object, raw, text, truth
from monitor.agents.openhands import ending, started
from monitor.agents.openhands.actions import KINDS, SILENT, called
from monitor.agents.openhands.entry import Entry
from monitor.agents.openhands.observed import OBSERVATIONS, returned
from monitor.agents.openhands.observed import SILENT as UNASKED
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
    Waiting,
)
from monitor.text import clean

Stop = Literal["end", "tools", "length", "filter"]
_STOPS: Mapping[str, Stop] = {"length": "length", "content_filter": "filter"}
_NAG = ("Please continue working on the task", "Please continue on whatever approach you think is suitable")
"""How the harness answers an agent that would wait for a person."""


class History:
    """One state of a history; `about` is what stands around it."""

    def __init__(self, entries: Sequence[Entry], about: Object) -> None:
        self._all = entries
        self._about = about
        self._by_id = {one.id: at for at, one in enumerate(entries) if one.id is not None and one.action}
        self.epoch = 0

    def __len__(self) -> int:
        return len(self._all)

    def marks(self) -> list[str]:
        """Which entry each is, when it was written, and the beginning of what it says."""
        return [
            f"{one.id}\0{raw(one.found, 'timestamp')}\0{one.action}\0{one.observation}\0{raw(one.found, 'content')[:2_000]}"
            for one in self._all
        ]

    def given(self) -> int:
        """None: the times of their entries tell runs apart from the first on."""
        return 0

    def line(self, index: int) -> int:
        """The entry's place in the history."""
        return self._all[index].number

    def head(self) -> Iterator[Event]:
        """The run, as far as anything tells."""
        yield started.started(self._all, self._about)

    def told(self, index: int) -> Iterator[Event]:
        """What an entry tells."""
        one = self._all[index]
        if one.observation or (not one.action and "content" in one.found):
            yield from self._observed(one, index)
        elif one.action == "message":
            yield from self._spoken(one, index)
        elif one.action == "condensation":
            yield Noticed(kind="compaction", name="condensation", at=one.at)
        elif one.action not in SILENT:
            yield from self._acted(one, index)

    def tail(self) -> Iterator[Event]:
        """How it ended, and what it used."""
        yield from ending.used(self._all, self._about)
        yield from ending.ended(self._all, self._about)

    def unknown(self) -> Iterator[str]:
        """Types of entries that nobody knows."""
        for index, one in enumerate(self._all):
            if one.action and one.action not in KINDS and one.action not in SILENT:
                yield f"action {one.action}"
            elif one.observation not in OBSERVATIONS and self._asked(one, index) is None:
                yield f"observation {one.observation}"

    def _acted(self, one: Entry, index: int) -> Iterator[Event]:
        message = self._message(index)
        yield from self._said(one, message)
        call = self._call(index)
        yield call
        stop: Stop = _STOPS.get(one.stop, "tools")
        yield ReplyEnded(message=message, stop=stop, raw=clean(one.stop)[:60], at=one.at)
        yield from self._used(one, message)
        if one.action in ("finish", "reject"):
            yield ToolReturned(call=call.call, message=message, outcome="ok", at=one.at)
            how: Literal["answered", "refused"] = "answered" if one.action == "finish" else "refused"
            yield RequestEnded(how=how, text=_answer(one), at=one.at)

    def _said(self, one: Entry, message: str) -> Iterator[Event]:
        if one.thinking.strip():
            yield Thought(message=message, text=one.thinking, at=one.at)
        if one.action == "think":
            yield Thought(message=message, part=2, text=text(one.arguments, "thought"), at=one.at)
        if one.words.strip():
            yield Said(message=message, part=1, text=one.words, at=one.at)

    def _used(self, one: Entry, message: str) -> Iterator[Event]:
        if one.tokens != Tokens():
            yield Used(key=message, tokens=one.tokens, at=one.at)

    def _spoken(self, one: Entry, index: int) -> Iterator[Event]:
        """A message: of the user, or of the agent, which then may wait for an answer."""
        words = text(one.arguments, "content")
        if not _by_agent(one, index):
            nag = words.startswith(_NAG)
            into: Literal["new", "running"] = "running" if nag or self._working(index) else "new"
            yield Prompted(text=words, by="harness" if nag else "user", into=into, at=one.at)
            return
        message = self._message(index)
        if one.thinking.strip():
            yield Thought(message=message, text=one.thinking, at=one.at)
        if words.strip():
            yield Said(message=message, part=1, text=words, at=one.at)
        stop: Stop = _STOPS.get(one.stop, "end")
        yield ReplyEnded(message=message, stop=stop, raw=clean(one.stop)[:60], empty=not words.strip(), at=one.at)
        yield from self._used(one, message)
        if truth(one.arguments, "wait_for_response") and words.strip():
            yield RequestEnded(how="answered", text=words, at=one.at)

    def _observed(self, one: Entry, index: int) -> Iterator[Event]:
        at = self._asked(one, index)
        if at is not None and one.observation not in UNASKED:
            if self._all[at].action not in ("finish", "reject"):
                yield returned(self._call(at), one)
        elif one.observation == "error":
            yield Prompted(text=text(one.found, "content"), by="harness", into="running", at=one.at)
        elif one.observation == "agent_state_changed":
            yield from self._changed(one)

    def _changed(self, one: Entry) -> Iterator[Event]:
        """The agent's state became another: it may wait for a person."""
        match raw(one.extras, "agent_state"):
            case "awaiting_user_confirmation":
                yield Waiting(on="approval", at=one.at)
            case "user_confirmed" | "user_rejected":
                yield Waiting(on="approval", over=True, at=one.at)
            case "paused" | "rate_limited" as state:
                yield Noticed(kind="rate_limit" if state == "rate_limited" else "status", name=state, at=one.at)
            case _:
                pass

    def _asked(self, one: Entry, index: int) -> int | None:
        """The action that an observation answers: the one it names, else the one right before it."""
        if one.cause is not None:
            at = self._by_id.get(one.cause)
            return at if at is not None and self._calls(at) else None
        before = index - 1
        plain = one.id is None and before >= 0 and self._calls(before)
        return before if plain and one.observation != "error" else None

    def _calls(self, index: int) -> bool:
        action = self._all[index].action
        return action != "" and action not in SILENT

    def _working(self, index: int) -> bool:
        """Whether the agent had something to do when the user spoke."""
        for at in range(index - 1, -1, -1):
            one = self._all[at]
            if one.action == "message":
                return _by_agent(one, at) and not truth(one.arguments, "wait_for_response")
            if self._calls(at):
                return one.action not in ("finish", "reject")
        return False

    def _call(self, index: int) -> ToolCalled:
        return called(self._all[index], f"{self.epoch}e{index}", self._message(index))

    def _message(self, index: int) -> str:
        """The model's reply: several calls of one share it."""
        return f"{self.epoch}{self._all[index].response or f'h{index}'}"


def _by_agent(one: Entry, index: int) -> bool:
    """Whether a message is the agent's; where its source is not kept, the first is the user's."""
    return one.source == "agent" if one.source else index > 0


def _answer(one: Entry) -> str:
    """The final answer of an agent that has finished."""
    asked = one.arguments
    told = text(asked, "final_thought") or text(asked, "message") or text(asked, "reason")
    return told or one.words or text(one.found, "message")

"""The steps of a trajectory: what each of them tells."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from monitor.agents.atif import started
from monitor.agents.atif.results import content, returned
from monitor.agents.atif.tools import FINISH, called, written
from monitor.agents.fields import Object, moment, part, parts, raw, real, text, truth, whole
from monitor.agents.mini_swe_agent.message import only_submits, submits, words_in
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

_SOURCES = ("system", "user", "agent")
_MINI = "mini-swe-agent"
_HARNESSED = (_MINI, "terminus")
"""Agents whose replies are no answers: only a call says that they are done."""


class Trajectory:
    """One state of the document."""

    def __init__(self, found: Object) -> None:
        self._found = found
        self._agent = part(found, "agent")
        self._name = raw(self._agent, "name")
        self._steps = parts(found, "steps")
        self.epoch = 0

    def marks(self) -> list[str]:
        """Who says what in each step, what is called, and what came of it."""
        return [
            "\0".join((str(one.get("step_id")), raw(one, "source"), _words(one), *_asked(one), *_heard(one)))
            for one in self._steps
        ]

    def given(self) -> int:
        """The steps before the agent's first."""
        return next((at for at, one in enumerate(self._steps) if raw(one, "source") == "agent"), len(self._steps))

    def line(self, index: int) -> int:
        """The step's own number."""
        told = whole(self._steps[index], "step_id")
        return told if told is not None and 0 <= told < 2**31 else index + 1

    def head(self) -> Iterator[Event]:
        """The run, and its agent."""
        yield started.started(self._found, self._steps)

    def told(self, index: int) -> Iterator[Event]:
        """What a step tells."""
        one = self._steps[index]
        copied = truth(one, "is_copied_context") is True
        for event in self._told(one, index):
            yield msgspec.structs.replace(event, copied=True) if copied else event

    def tail(self) -> Iterator[Event]:
        """What it used; how it ended is never told."""
        metrics = part(self._found, "final_metrics")
        tokens = Tokens(
            _count(metrics, "total_prompt_tokens"), _count(metrics, "total_completion_tokens"),
            _count(metrics, "total_cached_tokens"),
        )  # fmt: skip
        if tokens != Tokens():
            yield Used(scope="run", key="run", tokens=tokens, cost=_cost(metrics, "total_cost_usd"))

    def unknown(self) -> Iterator[str]:
        """Sources of steps that nobody knows."""
        for one in self._steps:
            if raw(one, "source") not in _SOURCES:
                yield f"source {raw(one, 'source')}"

    def _told(self, one: Object, index: int) -> Iterator[Event]:
        at, words = moment(one.get("timestamp")), clean(_words(one))
        match raw(one, "source"):
            case "user":
                yield Prompted(text=words, at=at)
            case "agent":
                yield from self._replied(one, index, words, at)
            case "system" if any(raw(before, "source") == "agent" for before in self._steps[:index]):
                yield Noticed(kind="other", name="system", text=words, at=at)
            case _:
                pass

    def _replied(self, one: Object, index: int, words: str, at: float | None) -> Iterator[Event]:
        message = f"{self.epoch}s{index}"
        if thinking := text(one, "reasoning_content").strip():
            yield Thought(message=message, text=thinking, at=at)
        if words.strip():
            yield Said(message=message, part=1, text=words, at=at)
        calls = [
            self._called(call, f"{message}.{number}", message, at)
            for number, call in enumerate(parts(one, "tool_calls"))
        ]
        yield from calls
        empty = not calls and not words.strip()
        yield ReplyEnded(message=message, stop="tools" if calls else "end", empty=empty, at=at)
        metrics = part(one, "metrics")
        if metrics:
            tokens = Tokens(
                _count(metrics, "prompt_tokens"), _count(metrics, "completion_tokens"), _count(metrics, "cached_tokens")
            )
            yield Used(key=message, tokens=tokens, cost=_cost(metrics, "cost_usd"), at=at)
        results = list(returned(calls, one, self._name, at))
        yield from results
        yield from self._after(one, calls, results, words, at)

    def _after(
        self, one: Object, calls: list[ToolCalled], results: list[ToolReturned], words: str, at: float | None
    ) -> Iterator[Event]:
        """A claim of done, or what the harness says to a reply that called nothing."""
        if not calls:
            heard = "\n".join(_heard(one))
            if heard.strip():
                yield Prompted(text=clean(heard), by="harness", into="running", at=at)
            elif words.strip() and not self._name.startswith(_HARNESSED):
                yield RequestEnded(how="answered", text=words, at=at)
        elif self._claims(calls, results):
            yield RequestEnded(how="answered", text=words_in(words), at=at)

    def _called(self, found: Object, call: str, message: str, at: float | None) -> ToolCalled:
        """A call; mini-swe-agent alone submits its work by a command."""
        asked = called(found, call, message, at)
        ends = self._name == _MINI and asked.kind == "shell" and only_submits(asked.command)
        return msgspec.structs.replace(asked, kind="finish") if ends else asked

    def _claims(self, calls: list[ToolCalled], results: list[ToolReturned]) -> bool:
        """Whether a step says that all is done, and the harness took it."""
        told = {one.call: one for one in results}
        for call in calls:
            result = told.get(call.call)
            done = call.kind == "finish" or (self._name == _MINI and submits(call.command))
            if done and (result.outcome == "ok" and result.exit is None if result else call.tool != FINISH):
                return True
        return False


def _asked(step: Object) -> Iterator[str]:
    """What a step calls, as it is written."""
    for call in parts(step, "tool_calls"):
        yield f"{raw(call, 'function_name')} {written(part(call, 'arguments'))}"


def _heard(step: Object) -> Iterator[str]:
    """What came of a step."""
    return (content(result) for result in parts(part(step, "observation"), "results"))


def _words(step: Object) -> str:
    """A step's message, which may be in parts."""
    told = step.get("message")
    if isinstance(told, list):
        return "\n".join(raw(one, "text") for one in told if isinstance(one, dict))
    return told if isinstance(told, str) else ""


def _count(metrics: Object, key: str) -> int:
    return max(whole(metrics, key) or 0, 0)


def _cost(metrics: Object, key: str) -> float | None:
    return real(metrics.get(key))

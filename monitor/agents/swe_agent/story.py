"""The steps of a trajectory: what each of them tells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from monitor.agents.fields import Object, part, parts, raw, text
from monitor.agents.swe_agent import ending, folders, started
from monitor.agents.swe_agent.actions import called
from monitor.agents.swe_agent.observed import returned
from monitor.events import Event, Prompted, ReplyEnded, RequestEnded, Said, ToolCalled, ToolReturned
from monitor.text import clean

_NONE = ("", "n/a")
"""What stands for no open file."""


class Trajectory:
    """One state of the document."""

    def __init__(self, found: Object) -> None:
        self._found = found
        self._steps = parts(found, "trajectory")
        self.epoch = 0

    def marks(self) -> list[str]:
        """The action and what came of it."""
        return [f"{raw(one, 'action')}\0{raw(one, 'observation')}\0{raw(one, 'response')}" for one in self._steps]

    def given(self) -> int:
        """None: each part is a step."""
        return 0

    def line(self, index: int) -> int:
        """The step's index."""
        return index

    def head(self) -> Iterator[Event]:
        """The run, and its task."""
        call = self._call(0) if self._steps else None
        outcome = self._returned(0, call).outcome if call else "unknown"
        folder = folders.began(self._steps, call, outcome)
        yield started.started(self._found, folder)
        yield Prompted(text=_task(parts(self._found, "history")))

    def told(self, index: int) -> Iterator[Event]:
        """What a step tells: the reply, its action, and what came of it."""
        one, message = self._steps[index], f"{self.epoch}s{index}"
        action, observation = raw(one, "action"), raw(one, "observation")
        if ending.is_harness(action, raw(one, "response")):
            return
        words = raw(one, "response") or raw(one, "thought")
        if words.strip():
            yield Said(message=message, text=clean(words))
        call = self._call(index)
        if call is not None:
            yield call
        yield ReplyEnded(message=message, stop="tools" if call else "end", empty=call is None and not words.strip())
        if call is None:
            if observation.strip():
                yield Prompted(text=clean(observation), by="harness", into="running")
            return
        result = self._returned(index, call)
        yield result
        if _submits(result, call):
            yield RequestEnded(how="answered", text=_words(one))

    def tail(self) -> Iterator[Event]:
        """How it ended, and what it used."""
        info = part(self._found, "info")
        yield from ending.used(info)
        last = len(self._steps) - 1
        call = self._call(last) if self._steps else None
        claimed = call is not None and _submits(self._returned(last, call), call)
        yield from ending.ended(info, _words(self._steps[last]) if call is not None else "", claimed=claimed)

    def unknown(self) -> tuple[str, ...]:
        """Nothing: a step has no type."""
        return ()

    def _call(self, index: int) -> ToolCalled | None:
        one, message = self._steps[index], f"{self.epoch}s{index}"
        action = raw(one, "action")
        if not action.strip() or ending.is_harness(action, raw(one, "response")):
            return None
        return called(action, self._opened(index), f"{message}.0", message)

    def _returned(self, index: int, call: ToolCalled) -> ToolReturned:
        one = self._steps[index]
        result = returned(call, raw(one, "observation"), self._opened(index))
        return msgspec.structs.replace(result, cwd=folders.after(one, call, result.outcome))

    def _opened(self, index: int) -> str:
        """The file in the window when a step was taken: earlier versions write the state before it, later ones after."""
        told = folders.state(self._steps[index], "open_file")
        return "" if told in _NONE else told


def _submits(result: ToolReturned, call: ToolCalled) -> bool:
    """Whether a call submitted the work, taken or sent back."""
    return call.tool == "submit" and result.outcome in ("ok", "failed")


def _words(step: Object) -> str:
    """What the model says beside its action."""
    return clean(raw(step, "thought") or raw(step, "response")).strip()


def _task(history: Sequence[Object]) -> str:
    """The first prompt that is no demonstration."""
    for one in history:
        if raw(one, "role") == "user" and not one.get("is_demo"):
            content = one.get("content")
            if isinstance(content, list):
                return "\n".join(text(piece, "text") for piece in content if isinstance(piece, dict))
            return text(one, "content")
    return ""

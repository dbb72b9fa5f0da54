"""The calls of one model reply, and the results that come for them."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from itertools import islice

from monitor.agents.dirtywork.arguments import RESULT_LIMIT
from monitor.events import Event, ToolCalled

_AHEAD = 64
"""Calls looked at for a result that does not fit the next one; dirtywork takes 32 in a reply."""


@dataclass(frozen=True, slots=True)
class _Expected:
    """A call without its result."""

    call: ToolCalled
    tool: str
    arguments: str
    """The beginning, as the result will repeat it."""


@dataclass(slots=True)
class Batch:
    """Pairs results with calls by their order: dirtywork logs no call ids."""

    message: str = ""
    claimed: bool = False
    """The reply was told as a claim of done."""
    held: list[Event] = field(default_factory=list)
    """What a `finish` amounts to, until its neighbours have their results."""
    _open: deque[_Expected] = field(default_factory=deque)

    def expect(self, call: ToolCalled, tool: str, arguments: str) -> None:
        """A result will come, naming this tool and the beginning of these arguments."""
        self._open.append(_Expected(call, tool, (arguments or "{}")[:RESULT_LIMIT]))

    def take(self, tool: str, arguments: str) -> ToolCalled | None:
        """The call that a result belongs to: the next that fits, past any whose result is lost."""
        if not tool:
            return None
        ahead = list(islice(self._open, _AHEAD))
        named = [index for index, one in enumerate(ahead) if one.tool == tool]
        exact = [index for index in named if ahead[index].arguments == arguments]
        for index in (*exact, *named)[:1]:
            for _ in range(index + 1):
                self._open.popleft()
            return ahead[index].call
        return None

    @property
    def waiting(self) -> bool:
        """Whether a result is still to come."""
        return bool(self._open)

    def release(self) -> list[Event]:
        """What was held, now that the batch is complete."""
        held, self.held = self.held, []
        return held

    def close(self) -> list[ToolCalled]:
        """The calls that will have no result, in order."""
        left = [one.call for one in self._open]
        self._open.clear()
        return left

    def copy(self) -> Batch:
        """Another that goes on from here."""
        return Batch(self.message, self.claimed, list(self.held), deque(self._open))

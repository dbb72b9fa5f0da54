"""Calls of the shell and of fetch tools that wait for their result."""

from __future__ import annotations

import json
from collections import OrderedDict
from dataclasses import dataclass

from monitor.detectors.hosts import urls
from monitor.events import ToolCalled, ToolReturned

_MOST = 200
_LONGEST = 70_000
"""Characters of a command or of arguments that are remembered."""


@dataclass(frozen=True, slots=True)
class OpenCall:
    """What was asked, and what makes it a different call."""

    kind: str
    asked: str
    """The command, or the address to fetch."""
    tool: str
    arguments: str

    @property
    def key(self) -> int:
        """The same for the same tool and arguments, in whatever order they are written."""
        try:
            arguments = json.dumps(json.loads(self.arguments), sort_keys=True)
        except (ValueError, RecursionError):
            arguments = self.arguments
        return hash((self.tool, arguments))


class OpenCalls:
    """The calls without a result, the last 200."""

    def __init__(self) -> None:
        self._calls: OrderedDict[tuple[str, str], OpenCall] = OrderedDict()

    def add(self, event: ToolCalled) -> None:
        """Remember a call; one that is told again replaces what was told before."""
        key = event.actor, event.call
        self._calls.pop(key, None)
        if event.kind not in ("shell", "fetch"):
            return
        asked = event.command or event.arguments
        if event.kind == "fetch":
            asked = event.url or next(iter(urls(event.arguments[:_LONGEST])), "")
        arguments = event.arguments or asked
        if len(arguments) > _LONGEST:
            arguments = f"{hash(arguments)} {arguments[:100]}"
        self._calls[key] = OpenCall(event.kind, asked[:_LONGEST], event.tool, arguments)
        if len(self._calls) > _MOST:
            self._calls.popitem(last=False)

    def take(self, event: ToolReturned) -> OpenCall | None:
        """The call that this result ends; none when it is not known, or goes on in the background."""
        return None if event.background else self._calls.pop((event.actor, event.call), None)

    def copy(self) -> OpenCalls:
        """Another that goes on from here."""
        other = OpenCalls()
        other._calls = self._calls.copy()
        return other

"""How the scripted agent tells what it does: one JSON line per event, as it happens."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Literal

from monitor.demo.tools import Call

_PIECE = re.compile(r"(?:\S+\s*){1,4}")
"""A delta: up to four words."""
_PAUSE = 0.2
"""Seconds between two deltas."""
_LATENCY = 1.8
"""Seconds before a reply begins."""
_CONTEXT = 200_000
_BEFORE = 6_000
"""Tokens of context before the first reply."""


class Voice:
    """Speaks the monitor's own event format; what it does between two pauses is one step.

    Its generators yield the seconds to rest, and go on from there.
    """

    def __init__(self, out: BinaryIO, project: Path) -> None:
        self._out = out
        self._project = project
        self._message = 0
        self._call = 0
        self._context = _BEFORE

    def tell(self, event: str, **fields: object) -> None:
        """Write one event and let it go at once."""
        row = {"event": event, "at": round(time.time(), 3), **fields}
        self._out.write(json.dumps(row).encode() + b"\n")
        self._out.flush()

    def turn(self, thought: str, *calls: Call, said: str = "") -> Iterator[float]:
        """One reply with its calls, which are then carried out one after the other."""
        message = self._begin()
        yield _LATENCY
        yield from self._stream("Thought", message, 0, thought)
        if said:
            yield from self._stream("Said", message, 1, said)
        pending = {self._announce(message, call): call for call in calls}
        self._end(message, "tools", thought + said)
        try:
            for name, call in tuple(pending.items()):
                yield call.seconds
                self.tell("ToolReturned", call=name, message=message, **call.perform(self._project))
                del pending[name]
        finally:
            for name in pending:
                self.tell("ToolReturned", call=name, message=message, outcome="not_executed", output="Interrupted")

    def answer(self, thought: str, text: str) -> Iterator[float]:
        """The last reply of a request."""
        message = self._begin()
        yield _LATENCY
        yield from self._stream("Thought", message, 0, thought)
        yield from self._stream("Said", message, 1, text)
        self._end(message, "end", thought + text)
        self.tell("RequestEnded", how="answered", text=text)

    def _begin(self) -> str:
        self._message += 1
        return f"m{self._message}"

    def _stream(self, event: Literal["Thought", "Said"], message: str, part: int, text: str) -> Iterator[float]:
        for piece in _PIECE.findall(text):
            self.tell(event, message=message, part=part, text=piece, delta=True)
            yield _PAUSE
        self.tell(event, message=message, part=part, text=text)

    def _announce(self, message: str, call: Call) -> str:
        self._call += 1
        name = f"c{self._call}"
        arguments = json.dumps(call.arguments)
        self.tell(
            "ToolCalled", call=name, message=message, tool=call.tool, kind=call.kind, arguments=arguments, **call.about
        )
        return name

    def _end(self, message: str, stop: Literal["tools", "end"], text: str) -> None:
        """The reply's end; its tokens are counted as four characters each."""
        written = len(text) // 4 + 40
        tokens = {"input": self._context, "output": written}
        self._context += written + 400
        self.tell("ReplyEnded", message=message, stop=stop)
        self.tell("Used", key=message, tokens=tokens, context_used=self._context, context_size=_CONTEXT)

"""What a reply of the model says: its thinking, its words, and whether it is an answer."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Literal

from monitor.agents.dirtywork.arguments import CALL_LIMIT, Arguments, read_arguments
from monitor.agents.dirtywork.calls import FINISH, MARKERS, called, tool_name
from monitor.agents.fields import Object, parts, raw
from monitor.events import Event, ReplyEnded, RequestEnded, Said, Thought, ToolCalled
from monitor.text import clean

_THINKING = re.compile(r"<think>(.*?)(?:</think>|\Z)", re.DOTALL)
_CUT_AT = 64_000
"""Characters of a reply's text that the log keeps."""
_CUT_NOTE = re.compile(r"\n\[truncated at \d+ chars in the transcript\b[^\n]*\Z")
_TRIES = 200
"""Braces of a text at which a call is looked for."""
_DECODER = json.JSONDecoder()
Stop = Literal["end", "tools", "length", "refusal", "stopped", "filter", "error", "other"]
_STOPS: dict[str, Stop] = {
    "stop": "end",
    "tool_calls": "tools",
    "function_call": "tools",
    "length": "length",
    "content_filter": "filter",
}


class Reply:
    """One `assistant` record: what it says and the calls it makes."""

    def __init__(self, found: Object, line: int) -> None:
        self.message = f"t{line}"
        self._raw_stop = raw(found, "finish_reason")
        self.stop: Stop = _STOPS.get(self._raw_stop, "other")
        self._entries = parts(found, "tool_calls")
        self.spoken = _spoken(raw(found, "text"), self.message)
        self.calls = [self._call(number, entry) for number, entry in enumerate(self._entries, 1)]
        self.answer = self._answer()
        """What it gives as its answer: its words, or the summary of a `finish` beside which it calls nothing."""

    def events(self) -> list[tuple[int, Event]]:
        """All of it in order, each with its number within the record."""
        said = any(isinstance(one, Said) for one in self.spoken)
        ended = ReplyEnded(
            message=self.message,
            stop=self.stop,
            raw=clean(self._raw_stop),
            empty=not said and not self.calls and self.stop != "tools",
        )
        events: list[Event] = [*self.spoken, *self.calls, ended]
        if self.answer is not None:
            events.append(RequestEnded(how="answered", text=self.answer))
        return list(enumerate(events))

    def arguments(self, index: int) -> tuple[str, str]:
        """The tool and the arguments of a call as they stand in the log."""
        return tool_name(raw(self._entries[index], "name")), raw(self._entries[index], "arguments")

    def _call(self, number: int, entry: Object) -> ToolCalled:
        call = f"{self.message}.{number}"
        return called(raw(entry, "name"), raw(entry, "arguments"), CALL_LIMIT, call, self.message)

    def _answer(self) -> str | None:
        if not self.calls:
            words = "\n".join(one.text for one in self.spoken if isinstance(one, Said))
            return words if words and self.stop not in ("length", "tools") and not _written_call(words) else None
        if len(self.calls) > 1 or self.calls[0].tool != FINISH:
            return None
        return summary(read_arguments(raw(self._entries[0], "arguments"), CALL_LIMIT), cut_off=self.stop == "length")


def summary(arguments: Arguments, *, cut_off: bool) -> str | None:
    """The summary of a `finish` that dirtywork will take, or none; `cut_off` when the reply ended too early."""
    told = arguments.fields.get("summary")
    if arguments.whole:
        accepted = isinstance(told, str) or (told is None and not (cut_off and "summary" not in arguments.fields))
        return clean(told if isinstance(told, str) else "") if accepted else None
    if not arguments.cut or cut_off:
        return None
    return clean(told) + "…" if isinstance(told, str) else ""


def _spoken(text: str, message: str) -> Sequence[Thought | Said]:
    """A reply's text in its order, the thinking that the model wrote into it told apart."""
    cut = len(text) >= _CUT_AT and _CUT_NOTE.search(text) is not None
    pieces: list[tuple[type[Thought | Said], str]] = []
    end = 0
    for found in _THINKING.finditer(text):
        pieces += [(Said, text[end : found.start()]), (Thought, found[1])]
        end = found.end()
    pieces.append((Said, text[end:]))
    kept = [(kind, piece.strip("\n")) for kind, piece in pieces if piece.strip()]
    return [
        kind(message=message, part=part, text=clean(piece), cut=cut and part == len(kept) - 1)
        for part, (kind, piece) in enumerate(kept)
    ]


def _written_call(words: str) -> bool:
    """Whether the text holds a call written as text, by dirtywork's rule."""
    return any(marker in words for marker in MARKERS) or _holds_call(words)


def _holds_call(words: str) -> bool:
    if '"name"' not in words or '"arguments"' not in words:
        return False
    words = words[:_CUT_AT]
    start = words.find("{")
    for _ in range(_TRIES):
        if start == -1:
            break
        found: Any = None
        with suppress(ValueError, RecursionError):
            found, _ = _DECODER.raw_decode(words, start)
        if isinstance(found, dict) and isinstance(found.get("name"), str) and "arguments" in found:
            return True
        start = words.find("{", start + 1)
    return False

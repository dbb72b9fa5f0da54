"""Decodes `lcode -p … --output stream-json`: one request, whose words are not in it, an event a line."""

from __future__ import annotations

from monitor.agents.fields import Object, parts, raw, stamped, text, truth
from monitor.agents.lcode import ending, notes
from monitor.agents.lcode.results import KEPT, returned
from monitor.agents.lcode.started import streamed
from monitor.agents.lcode.tools import called
from monitor.events import Event, Prompted, ReplyEnded, RequestEnded, Said, ToolCalled
from monitor.streams.record import Record

_UNCALLED = 901
"""The item of a call that is known only by its result."""
_NOTES = 910
TYPES = ("start", "assistant", "tool_result", "result")


class Stream:
    """The events of one request, as they come."""

    def __init__(self) -> None:
        self._open: tuple[tuple[str, ToolCalled], ...] = ()
        """The calls of the latest reply that have no result yet, with their ids, which a model server may use twice."""
        self._claimed = False
        """The latest reply was told as an answer."""

    def feed(self, kind: str, found: Object, record: Record) -> list[Event]:
        """The events of one line of a known type."""
        match kind:
            case "start":
                events: list[tuple[int, Event]] = [(0, streamed(found)), (1, Prompted(text=""))]
            case "assistant":
                events = self._replied(found, record.line)
            case "tool_result":
                events = self._returned(found, record.line)
            case _:
                events = self._ended(found)
        return stamped(events, record, None)

    def copy(self) -> Stream:
        """Another that goes on from here."""
        other = Stream()
        other._open, other._claimed = self._open, self._claimed
        return other

    def _replied(self, found: Object, line: int) -> list[tuple[int, Event]]:
        """A reply: without a call it is an answer, even if lcode's checks send it back and the request goes on."""
        message = f"s{line}"
        words = text(found, "text")
        words = words if words.strip() else ""
        made = parts(found, "tool_calls")
        calls = [
            called(raw(one, "name"), one.get("arguments"), f"{message}.{index}", message)
            for index, one in enumerate(made)
        ]
        self._open = tuple((raw(one, "id"), call) for one, call in zip(made, calls, strict=True))
        self._claimed = bool(words) and not calls
        said: list[Event] = [Said(message=message, text=words)] if words else []
        end = ReplyEnded(
            message=message, stop="tools" if calls else "end" if words else "other", empty=not words and not calls
        )
        claim: list[Event] = [RequestEnded(how="answered", text=words)] if self._claimed else []
        return list(enumerate((*said, *calls, end, *claim)))

    def _returned(self, found: Object, line: int) -> list[tuple[int, Event]]:
        events: list[tuple[int, Event]] = []
        call = self._take(raw(found, "id"))
        if call is None:
            call = called(raw(found, "name"), None, f"s{line}", "")
            events.append((_UNCALLED, call))
        output = raw(found, "output")
        result = returned(call, output, error=truth(found, "error") is True, kept=KEPT)
        return [*events, (0, result), *enumerate(notes.on_result(output), _NOTES)]

    def _ended(self, found: Object) -> list[tuple[int, Event]]:
        left = ending.left_open([call for _, call in self._open], raw(found, "status"))
        claimed, self._open, self._claimed = self._claimed, (), False
        return [*left, *ending.ended(found, claimed=claimed)]

    def _take(self, name: str) -> ToolCalled | None:
        """The call with this id that has waited longest for its result."""
        taken = next((index for index, (known, _) in enumerate(self._open) if known == name), None)
        if taken is None:
            return None
        call = self._open[taken][1]
        self._open = self._open[:taken] + self._open[taken + 1 :]
        return call

"""The parts of a session's messages: each is told again and again, fuller, and the last replaces those before."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import TypeVar

import msgspec

from monitor.agents.fields import Object, part, raw, real, text, whole
from monitor.agents.opencode.tools import call_of, called
from monitor.events import Event, Noticed, Said, Thought, Tokens, ToolCalled, Used

Item = tuple[int, Event]
THOUGHT, SAID, PROMPT, CALL, RESULT, USED, NOTE = range(7)
"""Items of what a record says, by their kind: one alone gives them the same numbers."""
_MOST = 4_096
_LARGEST = 1 << 30
_Value = TypeVar("_Value")


def keep(known: dict[str, _Value], key: str, value: _Value) -> None:
    """Remember it; the oldest is forgotten when there are too many."""
    known[key] = value
    if len(known) > _MOST:
        del known[next(iter(known))]


class Parts:
    """What was told of each part so far."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        """Of each part, which of its message it is."""
        self._counts: dict[str, int] = {}
        self._kinds: dict[str, type[Thought | Said]] = {}
        self._told: dict[str, Hashable] = {}
        """Of each part, what would be no news."""
        self._over: dict[str, None] = {}
        """The calls that have their results."""

    def copy(self) -> Parts:
        """Another that goes on from here."""
        other = Parts()
        other.__dict__.update({name: dict(value) for name, value in self.__dict__.items()})
        return other

    def is_new(self, name: str, value: Hashable) -> bool:
        """Whether this was not told of the part before; it is from now on."""
        if name in self._told and self._told[name] == value:
            return False
        keep(self._told, name, value)
        return True

    def spoken(self, told: Object, delta: str | None) -> Iterator[Item]:
        """Thinking, or words of a reply: whole, or the piece that is new."""
        name, message = raw(told, "id"), text(told, "messageID")
        made = Thought if raw(told, "type") == "reasoning" else Said
        keep(self._kinds, name, made)
        number = self._number(name, message)
        words = text({"text": delta}, "text") if delta is not None else text(told, "text")
        if not words or not self.is_new(name, (len(words), hash(words), delta is None)):
            return
        yield (
            THOUGHT if made is Thought else SAID,
            made(message=message, part=number, text=words, delta=delta is not None),
        )

    def piece(self, data: Object, *, alone: bool) -> Iterator[Item]:
        """One more piece; of a part that nothing was told of, none, unless the record is read `alone`."""
        words, name, message = text(data, "delta"), raw(data, "partID"), text(data, "messageID")
        if raw(data, "field") not in ("", "text") or not words:
            return
        made = self._kinds.get(name)
        for kind, item in ((Thought, THOUGHT), (Said, SAID)):
            if made is kind or (made is None and alone):
                number = self._number(name, message)
                yield item, kind(message=message, part=number, text=words, delta=True)

    def kind(self, name: str) -> type[Thought | Said] | None:
        """Whether a part is thinking or words of a reply, where that was told."""
        return self._kinds.get(name)

    def call(self, told: Object) -> tuple[ToolCalled, bool, bool]:
        """A call, whether what is told of it is news, and whether its result was told already."""
        call = called(told, text(told, "messageID"))
        news = self.is_new(call.call, hash((call.tool, call.arguments, call.partial)))
        return call, news, call.call in self._over

    def end(self, call: str) -> None:
        """Its result was told."""
        self._over[call] = None
        if len(self._over) > _MOST:
            del self._over[next(iter(self._over))]

    def _number(self, name: str, message: str) -> int:
        if name not in self._numbers:
            keep(self._numbers, name, self._counts.get(message, 0))
            keep(self._counts, message, self._counts.get(message, 0) + 1)
        return self._numbers[name]


def used(told: Object) -> Iterator[Item]:
    """What a step consumed."""
    tokens = part(told, "tokens")
    cache = part(tokens, "cache")
    names = ((tokens, "input"), (tokens, "output"), (cache, "read"), (cache, "write"), (tokens, "reasoning"))
    counts = Tokens(*(min(max(whole(found, name) or 0, 0), _LARGEST) for found, name in names))
    if counts == Tokens():
        return
    total = whole(tokens, "total") or sum(msgspec.structs.astuple(counts))
    yield USED, Used(key=call_of(told), tokens=counts, cost=real(told.get("cost")), context_used=total)


def noted(told: Object) -> Iterator[Item]:
    """What a part notes of the run itself."""
    match raw(told, "type"):
        case "retry":
            yield NOTE, Noticed(kind="retry", name="retry", text=text(part(part(told, "error"), "data"), "message"))
        case "compaction":
            yield NOTE, Noticed(kind="compaction", name="compaction", text="the conversation is summed up")
        case _:
            pass

"""The messages of a saved session: what each of them tells, and whether it is still what it was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b

import msgspec

from monitor.agents.fields import Object, parts, raw, text
from monitor.agents.lcode import notes, prompts
from monitor.agents.lcode.outcome import INTERRUPTED, removed
from monitor.agents.lcode.results import returned
from monitor.agents.lcode.tools import called, written
from monitor.events import Event, ReplyEnded, RequestEnded, RunEnded, Said, Thought, ToolCalled

_INTERRUPTED = "[interrupted by user]"
"""How an answer ends that the user cut short."""
_GOT_IT = "Got it — I have the context from the summary"
_BACK = 200
"""Messages looked back at for the call of a result."""
_THOUGHT, _SAID, _REPLY_ENDED, ENDED, _CALLS = 0, 1, 2, 3, 4
"""Items of a reply. A result is item 0, and lcode's notes on it follow from 4."""

Item = tuple[int, Event]


class Messages:
    """The messages of one state of the document."""

    def __init__(self, told: Sequence[Object], epoch: int = 0) -> None:
        self._all = told
        self.epoch = epoch
        """How often the conversation was rewritten: a place in it is then another message."""

    def __len__(self) -> int:
        return len(self._all)

    @property
    def summarised(self) -> bool:
        """Whether a summary stands in the place of older messages."""
        return len(self._all) > 1 and notes.told(raw(self._all[1], "content")).kind == "summary"

    def digests(self) -> tuple[bytes, ...]:
        """What each message is, whatever lcode later adds to it or takes out."""
        return tuple(_digest(one) for one in self._all)

    def removed(self, before: int) -> int:
        """The results before a message that lcode has taken out since."""
        return sum(raw(one, "role") == "tool" and removed(raw(one, "content")) for one in self._all[:before])

    def is_request(self, index: int) -> bool:
        """Whether a request begins here."""
        found = notes.told(raw(self._all[index], "content")) if self.role(index) == "user" else None
        return found is not None and found.by == "user" and not found.steered

    def role(self, index: int) -> str:
        """Whose message it is; empty where there is none."""
        return raw(self._all[index], "role") if 0 <= index < len(self._all) else ""

    def told(self, index: int, asked: str) -> Iterator[Item]:
        """What a message tells, each event with its item; `asked` is the latest request known."""
        one = self._all[index]
        match self.role(index):
            case "user":
                yield from prompts.told(raw(one, "content"), f"{self.epoch}d{index}", asked)
            case "assistant":
                yield from self._replied(one, index)
            case "tool":
                yield from self._returned(one, index)
            case _:
                pass

    def _replied(self, one: Object, index: int) -> Iterator[Item]:
        message = f"{self.epoch}m{index}"
        thinking, content = text(one, "thinking"), text(one, "content")
        if content.startswith(_GOT_IT) and index == 2 and self.summarised:
            yield _SAID, Said(message=message, part=1, text=content, synthetic="filler")
            return
        cut_short = content.endswith(_INTERRUPTED)
        words = content.removesuffix(_INTERRUPTED).removesuffix("\n") if cut_short else content
        calls = self._calls(index)
        if thinking.strip():
            yield _THOUGHT, Thought(message=message, text=thinking)
        if words.strip():
            yield _SAID, Said(message=message, part=1, text=words)
        yield from enumerate(calls, _CALLS)
        if cut_short:
            yield _REPLY_ENDED, ReplyEnded(message=message, stop="stopped")
            yield ENDED, RequestEnded(how="interrupted", text=words)
            return
        empty = not calls and not words.strip()
        yield _REPLY_ENDED, ReplyEnded(message=message, stop="tools" if calls else "end", empty=empty)
        if not calls and not empty:
            yield ENDED, RequestEnded(how="answered", text=words)

    def _calls(self, index: int) -> list[ToolCalled]:
        message = f"{self.epoch}m{index}"
        made = [one.get("function") for one in parts(self._all[index], "tool_calls")]
        functions: list[Object] = [one if isinstance(one, dict) else {} for one in made]
        return [
            called(raw(one, "name"), one.get("arguments"), f"{message}.{number}", message)
            for number, one in enumerate(functions)
        ]

    def _returned(self, one: Object, index: int) -> Iterator[Item]:
        output = raw(one, "content")
        call = self._call_of(index) or called(raw(one, "tool_name"), None, f"{self.epoch}t{index}", "")
        result = returned(call, output)
        if output == INTERRUPTED and self.role(index - 1) == "tool" and self._content_at(index - 1) == INTERRUPTED:
            result = msgspec.structs.replace(result, outcome="not_executed")
        yield 0, result
        yield from enumerate(notes.on_result(output), _CALLS)
        if self.role(index + 1) != "tool" and (end := self._end_at(index)) is not None:
            yield ENDED, end

    def _end_at(self, index: int) -> Event | None:
        """How the request ended with this last result of a batch, if it did."""
        following = self._content_at(index + 1)
        if self.role(index + 1) == "assistant" or following.startswith(notes.MARK):
            return None
        if self._content_at(index) == INTERRUPTED:
            return RequestEnded(how="interrupted")
        while self.role(index) == "tool":
            if status := notes.stopped(self._content_at(index)):
                return RunEnded(status=status)
            index -= 1
        return None

    def _call_of(self, index: int) -> ToolCalled | None:
        """The call that a result belongs to: by its id, else by its place among the results of its reply."""
        wanted = raw(self._all[index], "tool_call_id")
        before = 0
        for at in range(index - 1, max(index - _BACK, -1), -1):
            role = self.role(at)
            before += role == "tool"
            made = parts(self._all[at], "tool_calls") if role == "assistant" else ()
            if not made:
                continue
            named = [number for number, one in enumerate(made) if wanted and raw(one, "id") == wanted]
            if wanted and not named:
                continue
            number = named[0] if len(named) == 1 else before
            calls = self._calls(at)
            return calls[number] if number < len(calls) else None
        return None

    def _content_at(self, index: int) -> str:
        return raw(self._all[index], "content") if 0 <= index < len(self._all) else ""


def _digest(one: Object) -> bytes:
    """A message's own words and calls; of a result only whose it is, since lcode takes old ones out."""
    role, content = raw(one, "role"), raw(one, "content")
    told = [role]
    if role == "user":
        told.append(notes.own_words(content))
    elif role == "assistant":
        calls = [written(call.get("function")) for call in parts(one, "tool_calls")]
        told += [content, raw(one, "thinking"), *calls]
    elif role == "tool":
        told.append(raw(one, "tool_name"))
    total = blake2b(digest_size=16)
    for part in told:
        data = part.encode("utf-8", "surrogatepass")
        total.update(len(data).to_bytes(8, "big") + data)
    return total.digest()

"""Decodes a saved session: one document, rewritten whole before each step, of which only what is new is told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from monitor.agents.fields import Object, count_type, parts, place_of, raw, text, whole
from monitor.agents.lcode.messages import Item, Messages
from monitor.agents.lcode.started import About, saved
from monitor.events import Event, Noticed, Prompted, TreeMeasured
from monitor.streams.record import Record

_STARTED, _REMOVED, _REWOUND, _MEASURED = 0, 1, 2, 8
"""Items of what no message tells; they stand at index 0, where the system prompt is, of which nothing is told."""
_EACH = 64
"""Items kept for each message, so that an item names its message too."""
_ROLES = ("system", "user", "assistant", "tool")


class Session:
    """Tells what each state of the document adds to the last one.

    lcode appends messages, but also takes old results out, puts a summary in the place of all of them, and
    goes back when the user undoes a request: what was told once is not told again.
    """

    def __init__(self, about: About, unknown_types: dict[str, int]) -> None:
        self._about = about
        self._unknown_types = unknown_types
        self._begun = False
        self._known: tuple[bytes, ...] = ()
        """A digest of each message told."""
        self._epoch = 0
        """How often messages were replaced."""
        self._asked = ""
        """The beginning of the latest request."""
        self._removed = 0
        """Old results taken out."""
        self._measured = 0
        """Checkpoints told."""

    def feed(self, found: Object, record: Record) -> list[Event]:
        """The news in this state of the document."""
        messages = Messages(parts(found, "messages"), self._epoch)
        digests = messages.digests()
        same = _common(self._known, digests)
        events = [_placed(0, item, record) for item in self._before(found, messages, same)]
        messages.epoch = self._epoch
        checkpoints = [one for one in parts(found, "checkpoints") if raw(one, "after")]
        for index in range(same, len(messages)):
            if messages.is_request(index):
                events += [_placed(0, item, record) for item in self._measures(checkpoints, before=index)]
            events += [_placed(index, item, record) for item in self._told(messages, index)]
        events += [_placed(0, item, record) for item in self._measures(checkpoints, before=None)]
        self._known, self._removed = digests, messages.removed(len(messages))
        return events

    def copy(self, unknown_types: dict[str, int]) -> Session:
        """Another that goes on from here."""
        other = Session(self._about, unknown_types)
        other.__dict__.update(self.__dict__)
        other._unknown_types = unknown_types
        return other

    def _before(self, found: Object, messages: Messages, same: int) -> Iterator[Item]:
        """What is to be said before the new messages: of the run, and of messages told before."""
        if not self._begun:
            self._begun = True
            yield _STARTED, saved(found, self._about, summarised=messages.summarised)
        if messages.removed(same) > self._removed:
            told = "lcode took old results out of the conversation, to make room"
            yield _REMOVED, Noticed(kind="compaction", name="removed", text=told)
        if same < len(self._known):
            self._epoch += 1
            if same > 1 or not messages.summarised:
                told = "the conversation went back to an earlier point"
                yield _REWOUND, Noticed(kind="status", name="rewound", text=told)

    def _told(self, messages: Messages, index: int) -> Iterator[Item]:
        role = messages.role(index)
        if role not in _ROLES:
            count_type(self._unknown_types, f"role {role}")
        for item, event in messages.told(index, self._asked):
            if isinstance(event, Prompted) and event.by == "user" and event.into == "new":
                self._asked = event.text[:2_000]
            yield item, event

    def _measures(self, checkpoints: Sequence[Object], before: int | None) -> Iterator[Item]:
        """What lcode found changed by each request that is over: those that began before a message, or all."""
        while self._measured < len(checkpoints):
            one = checkpoints[self._measured]
            index = whole(one, "message_index")
            if before is not None and (index is None or index >= before):
                return
            files = tuple(name for change in parts(one, "changes") if (name := text(change, "path")))
            if files:
                yield (
                    _MEASURED + self._measured,
                    TreeMeasured(when="end", by="agent", changed=True, since_start=True, files=files),
                )
            self._measured += 1


def _common(old: Sequence[bytes], new: Sequence[bytes]) -> int:
    """How many messages from the first are what they were."""
    pairs = enumerate(zip(old, new, strict=False))
    return next((at for at, (one, other) in pairs if one != other), min(len(old), len(new)))


def _placed(index: int, item: Item, record: Record) -> Event:
    """An event at its message: the index in the document, and the item within the whole of it."""
    number, event = item
    place = msgspec.structs.replace(place_of(record, index * _EACH + number), line=index)
    return msgspec.structs.replace(event, place=place, seen=record.seen)

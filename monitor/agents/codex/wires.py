"""The wire of an app-server: whose each message is, by its thread, where sub-agents work beside the root."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from monitor.agents.codex import delegating
from monitor.agents.codex.family import Family
from monitor.agents.codex.frame import Frame, read
from monitor.agents.codex.prompts import Prompts
from monitor.agents.codex.wire import Wire
from monitor.agents.fields import Object, part, raw, stamped, text
from monitor.events import Event, Noticed, Prompted, RequestEnded, RunEnded, RunStarted, Waiting
from monitor.streams.record import Record

_BEGINS = ("thread/start", "turn/start")
_MOST = 100
"""Requests that are remembered until they are answered."""


class Wires:
    """Each thread of the run is decoded as one of its own; threads of other runs are left out.

    Beside rollouts the wire adds what those have not; one that was listened to too `late` leaves words to them.
    """

    def __init__(
        self,
        unknown: dict[str, int],
        family: Family,
        *,
        beside: bool,
        late: bool = False,
        prompts: dict[str, Prompts] | None = None,
    ) -> None:
        self._unknown = unknown
        self._family = family
        self._beside = beside
        self._late = late
        self._prompts = prompts
        self._known: dict[str, Wire] = {}
        self._begun = False
        """Its first thread was told of: the root."""
        self._begins: dict[str | int, None] = {}
        """The requests by which its client wants to begin, while no turn has begun."""
        self._turned = False

    def feed(self, found: Object, record: Record) -> list[Event] | None:
        """The events of one line; none where it holds no message."""
        frame = read(found)
        if frame is None:
            return None
        if frame.from_client or not frame.method:
            told = [_of(event, actor) for actor, wire in self._known.items() for event in wire.told(frame)]
            told += self._refused(frame)
        else:
            told = list(self._told(frame))
        if self._late:
            told = [
                one for one in told if isinstance(one, Waiting | Noticed) or (isinstance(one, RunStarted) and one.actor)
            ]
        return stamped(list(enumerate(told)), record, frame.at)

    def copy(self, unknown: dict[str, int], family: Family, prompts: dict[str, Prompts] | None = None) -> Wires:
        """Another that goes on from here."""
        other = Wires(unknown, family, beside=self._beside, late=self._late, prompts=prompts)
        other._begun, other._begins, other._turned = self._begun, dict(self._begins), self._turned
        other._known = {
            actor: wire.copy(unknown, prompts.get(actor) if prompts is not None else None)
            for actor, wire in self._known.items()
        }
        return other

    def _refused(self, frame: Frame) -> Iterator[Event]:
        """Codex gives no thread, or takes no task: nothing will be done."""
        if frame.id is None or self._turned:
            return
        if frame.from_client and frame.method in _BEGINS and len(self._begins) < _MOST:
            self._begins[frame.id] = None
        elif not frame.from_client and frame.error is not None and self._begins.pop(frame.id, "") is None:
            yield RequestEnded(how="error", text=text(frame.error, "message"))

    def _told(self, frame: Frame) -> Iterator[Event]:
        """What a thread of the family tells; who joins by it comes last, that no other event's place depends on it."""
        self._turned = self._turned or frame.method == "turn/started"
        first = frame.method == "thread/started" and not self._begun
        if first:
            self._begun = True
            self._family.root = self._family.root or raw(part(frame.params, "thread"), "id")
        joined = list(delegating.joined(frame, self._family))
        thread = raw(frame.params, "threadId")
        actor = self._family.actor(thread) if thread else ""
        if actor is not None and (first or frame.method != "thread/started"):
            yield from (_of(event, actor) for event in self._wire(actor).told(frame))
            yield from self._over(frame, actor)
        yield from joined

    def _over(self, frame: Frame, actor: str) -> Iterator[Event]:
        """A sub-agent is over with its turn, where no rollout says so."""
        if frame.method == "turn/completed" and actor and not self._beside:
            status = raw(part(frame.params, "turn"), "status")
            yield RunEnded(actor=actor, status="errored" if status == "failed" else status)

    def _wire(self, actor: str) -> Wire:
        if actor not in self._known:
            prompts = self._prompts.setdefault(actor, Prompts()) if self._prompts is not None else None
            self._known[actor] = Wire(self._unknown, beside=self._beside, prompts=prompts)
        return self._known[actor]


def _of(event: Event, actor: str) -> Event:
    """As an actor's: what a sub-agent was told, the agent told it that started it."""
    if isinstance(event, Prompted) and event.by == "user" and actor:
        return msgspec.structs.replace(event, actor=actor, by="harness")
    return msgspec.structs.replace(event, actor=actor) if actor else event

"""Decodes what OpenCode tells: its server's events, `run --format json`, exports, and the rows of its database."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from monitor.agents.fields import count_type, part, place_of, raw, read_json, text, unreadable
from monitor.agents.opencode import started
from monitor.agents.opencode.document import frames_of
from monitor.agents.opencode.frame import Frame, Shape, frame_of, time_in
from monitor.agents.opencode.notices import NEWER, QUIET, noticed, waited, waits
from monitor.agents.opencode.parts import Item, keep
from monitor.agents.opencode.session import Session
from monitor.agents.opencode.tools import call_of, child_of
from monitor.agents.opencode.tree import Tree
from monitor.events import Event, Noticed, RunStarted, SourceChanged
from monitor.streams.record import Input, Record
from monitor.text import clean

_SOURCE, _CHILD, _GAP, _STRANGERS, _WAIT, _NEWER = 13, 14, 15, 16, 17, 18
_ITEMS = 20
"""Items that one event of a document takes."""
_IDS = 20_000
"""Ids of events that are remembered: what lasts is told twice on the stream of all folders, and again after a gap."""
_TOLD = frozenset((
    "message.part.updated", "message.part.delta", "message.updated", "session.created", "session.updated", "session.error",
    "session.idle", "session.status",
))  # fmt: skip
"""Events of a session of which each is told in its own way."""
_OTHERS = "the server works on other sessions too; they are not shown here"


class OpenCodeDecoder:
    """Turns the records of one run into events; total, pure and copyable.

    A run is a session and the sessions of its sub-agents; the first that is met, unless `root` names it. With `ends` it is
    over as soon as it has answered: nobody else talks to that session.
    """

    def __init__(self, root: str = "", *, ends: bool = False) -> None:
        self.unknown_types: dict[str, int] = {}
        self._tree = Tree(root, ends=ends)
        self._ids: dict[str, None] = {}
        self._numbers: dict[str, int] = {}
        """Of each session, the number of the latest event that lasts."""
        self._near: float | None = None
        self._shape: Shape | None = None
        self._met = False
        """Anything was read before."""
        self._calls: dict[str, str] = {}
        """What each question is about, by its id, and each call by the model's id for it."""

    def feed(self, record: Record) -> Sequence[Event]:
        """The events of one line, or of one document."""
        if record.problem:
            return (unreadable(record, record.problem),)
        if record.input.shape == "document":
            return self._document(record)
        frame = frame_of(record.data)
        if isinstance(frame, str):
            return (unreadable(record, frame),)
        if frame is None:
            return ()
        items = list(self._framed(frame))
        return self._placed(items, record, self._near)

    def finish(self, inputs: Sequence[Input]) -> Sequence[Event]:
        """The end of a request that was told, while what it had still to say never came."""
        source = inputs[0] if inputs else Input(0, "", "stream")
        record = Record(source, 0, 0, 0, b"")
        return [
            event for one in self._tree.sessions() for event in self._placed(self._of(one, one.settle()), record, None)
        ]

    def copy(self) -> OpenCodeDecoder:
        """Another that goes on from here."""
        other = OpenCodeDecoder()
        other.__dict__.update(self.__dict__)
        other.unknown_types = dict(self.unknown_types)
        other._tree, other._ids = self._tree.copy(), dict(self._ids)
        other._numbers, other._calls = dict(self._numbers), dict(self._calls)
        return other

    def _document(self, record: Record) -> Sequence[Event]:
        try:
            frames = frames_of(read_json(record.data))
        except ValueError as error:
            frames = str(error)
        if isinstance(frames, str):
            return (unreadable(record, frames),)
        events: list[Event] = []
        for order, (number, frame) in enumerate(frames):
            items = [(item + _ITEMS * order, event) for item, event in self._framed(frame)]
            events += [_at_line(one, number) for one in self._placed(items, record, frame.at)]
        return events

    def _framed(self, frame: Frame) -> Iterator[Item]:
        """What an event says, unless it was said before."""
        alone, self._met = not self._met, True
        if frame.seq is not None:
            yield from self._counted(frame.session, frame.seq)
        if frame.id and frame.shape != "document":
            if frame.id in self._ids:
                return
            self._ids[frame.id] = None
            if len(self._ids) > _IDS:
                del self._ids[next(iter(self._ids))]
        self._near = time_in(frame.id, frame.at or self._near) or frame.at or self._near
        if frame.type == "server.heartbeat":
            for one in self._tree.sessions():
                yield from self._of(one, one.settle())
            return
        self._adopt(frame)
        yield from self._dispatched(frame, alone=alone)

    def _dispatched(self, frame: Frame, *, alone: bool) -> Iterator[Item]:
        """What an event says of the session it is of."""
        known = self._tree.strangers
        begins = (
            alone or frame.shape != "event" or frame.type.startswith(("message.", "session.created", "permission."))
        )
        session = self._tree.session(frame.session, begins=begins)
        if session is not None:
            yield from self._source(frame.shape)
            yield from self._of(session, self._told(frame, session, alone=alone))
        elif self._tree.strangers and not known:
            yield _STRANGERS, Noticed(kind="status", name="other sessions", text=_OTHERS)
        elif (not frame.session or not self._tree.root) and self._unknown(frame):
            count_type(self.unknown_types, frame.type)

    def _told(self, frame: Frame, session: Session, *, alone: bool) -> Iterable[Item]:
        match frame.type:
            case "message.part.updated":
                return self._part(frame, session)
            case "message.part.delta":
                return session.piece(frame.data, alone=alone)
            case "message.updated":
                return session.message(frame)
            case "session.created" | "session.updated":
                return self._entry(frame, session)
            case "session.error":
                return session.failed(frame)
            case "session.idle":
                return session.idle(again=True, alone=alone)
            case "session.status":
                return self._status(frame, session, alone=alone)
        waiting = waited(frame, self._calls)
        if waiting is not None:
            return [(_WAIT, waiting)]
        note = noticed(frame)
        if self._unknown(frame):
            count_type(self.unknown_types, frame.type)
        if frame.type == NEWER and note is not None:
            return [(_WAIT, note), (_NEWER, started.newer())]
        return [(_WAIT, note)] if note is not None else ()

    @staticmethod
    def _unknown(frame: Frame) -> bool:
        """Whether its type is one that nobody knows."""
        known = frame.type in QUIET or frame.type in _TOLD or waits(frame.type)
        return not known and noticed(frame) is None

    def _part(self, frame: Frame, session: Session) -> Iterator[Item]:
        told = part(frame.data, "part")
        if raw(told, "callID"):
            keep(self._calls, f"{raw(told, 'messageID')} {raw(told, 'callID')}", call_of(told))
        yield from session.part(frame)
        child, call = child_of(told), call_of(told)
        if self._tree.started(child, call):
            task = text(part(part(told, "state"), "input"), "prompt")
            parent = self._tree.parent(child)
            yield _CHILD, RunStarted(actor=child, parent=parent, parent_call=call, session=clean(child), task=task)

    def _entry(self, frame: Frame, session: Session) -> Iterator[Item]:
        if self._tree.started(session.actor, ""):
            yield _CHILD, RunStarted(parent=self._tree.parent(session.actor), session=clean(session.actor))
        yield from session.entry(part(frame.data, "info"))

    def _status(self, frame: Frame, session: Session, *, alone: bool) -> Iterator[Item]:
        status = part(frame.data, "status")
        match raw(status, "type"):
            case "idle":
                yield from session.idle(alone=alone)
            case "retry":
                session.retrying()
                yield _WAIT, noticed(frame) or Noticed(kind="retry", name="retry")
            case _:
                pass

    def _adopt(self, frame: Frame) -> None:
        """Learn who started whom."""
        if frame.type in ("session.created", "session.updated"):
            info = part(frame.data, "info")
            self._tree.adopt(raw(info, "id"), raw(info, "parentID"))
        elif frame.type == "message.part.updated":
            self._tree.adopt(child_of(part(frame.data, "part")), frame.session)

    def _source(self, shape: Shape) -> Iterator[Item]:
        if self._shape is None:
            self._shape = shape
            yield _SOURCE, started.source(shape, clean(self._tree.root))

    def _counted(self, session: str, number: int) -> Iterator[Item]:
        """Whether events are missing between this one and the one before."""
        before = self._numbers.get(session)
        if before is None or number > before:
            keep(self._numbers, session, number)
        if before is not None and number > before + 1 and self._tree.member(session):
            missing = number - before - 1
            yield _GAP, SourceChanged(what="gap", text=f"{missing:,} events of the session are missing here")

    def _of(self, session: Session, items: Iterable[Item]) -> Iterator[Item]:
        """What a session's actor did."""
        for item, event in items:
            yield item, msgspec.structs.replace(event, actor=event.actor or session.actor)

    def _placed(self, items: Iterable[Item], record: Record, at: float | None) -> list[Event]:
        events = []
        for item, event in items:
            when = event.at if event.at is not None else at
            made = msgspec.structs.replace(event, place=place_of(record, item), seen=record.seen, at=when)
            if isinstance(made, SourceChanged):
                made = msgspec.structs.replace(made, input=record.input.index)
            events.append(made)
        return events


def _at_line(event: Event, line: int) -> Event:
    return msgspec.structs.replace(event, place=msgspec.structs.replace(event.place, line=line))

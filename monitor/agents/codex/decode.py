"""Decodes Codex's records: the lines of a rollout file, of `codex exec --json`, or of the wire of an app-server."""

from __future__ import annotations

from collections.abc import Sequence

from monitor.agents.codex import started
from monitor.agents.codex.family import Family
from monitor.agents.codex.prompts import Prompts
from monitor.agents.codex.rollouts import Rollouts
from monitor.agents.codex.stream import Stream
from monitor.agents.codex.wires import Wires
from monitor.agents.fields import raw, read_object, unreadable
from monitor.events import Event
from monitor.streams.record import Input, Record

ROLLOUT, STREAM, WIRE, BESIDE, ATTACHED = "rollout", "stream", "wire", "beside", "attached"
"""The roles of the inputs: `beside` is a wire whose thread's rollout is an input too, `attached` one that came late."""


class CodexDecoder:
    """Turns the records of one run into events: a thread with its sub-agents; total, pure and copyable."""

    def __init__(self) -> None:
        self.unknown_types: dict[str, int] = {}
        self._family = Family()
        self._prompts: dict[str, Prompts] = {}
        self._rollouts = Rollouts(self.unknown_types, self._family, self._prompts)
        self._stream = Stream(self.unknown_types, self._family)
        self._wire = Wires(self.unknown_types, self._family, beside=False)
        self._beside = Wires(self.unknown_types, self._family, beside=True, prompts=self._prompts)
        self._attached = Wires(self.unknown_types, self._family, beside=True, late=True)

    def feed(self, record: Record) -> Sequence[Event]:
        """The events of one record."""
        found = record.problem or read_object(record.data)
        if isinstance(found, str):
            return (unreadable(record, found),)
        if (wire := self._served(record.input.role)) is not None:
            told = wire.feed(found, record)
            return told if told is not None else (unreadable(record, "no message of an app-server"),)
        if not raw(found, "type"):
            return (unreadable(record, "a record without its kind"),)
        written = record.input.role == ROLLOUT or isinstance(found.get("payload"), dict)  # one may be piped in, too
        return (self._rollouts if written else self._stream).feed(found, record)

    def _served(self, role: str) -> Wires | None:
        return {WIRE: self._wire, BESIDE: self._beside, ATTACHED: self._attached}.get(role)

    def finish(self, inputs: Sequence[Input]) -> Sequence[Event]:
        """That sub-agents worked whose rollouts are not there; a call without its result shows by itself."""
        read = {one.actor for one in inputs if one.role == ROLLOUT}
        missing = sum(1 for actor in self._family.actors() if actor not in read)
        return (started.unread(missing),) if read and missing else ()

    def copy(self) -> CodexDecoder:
        """Another that goes on from here."""
        other = CodexDecoder()
        other.unknown_types.update(self.unknown_types)
        unknown, family = other.unknown_types, self._family.copy()
        prompts = {actor: told.copy() for actor, told in self._prompts.items()}
        other._family, other._prompts = family, prompts
        other._rollouts = self._rollouts.copy(unknown, family, prompts)
        other._stream = self._stream.copy(unknown, family)
        other._wire = self._wire.copy(unknown, family)
        other._beside = self._beside.copy(unknown, family, prompts)
        other._attached = self._attached.copy(unknown, family)
        return other

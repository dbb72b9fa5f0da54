"""Turns Claude Code's records into events: transcripts, their sub-agents' files, and streams."""

from __future__ import annotations

from collections.abc import Sequence

from monitor.agents.claude.beside import described, registered
from monitor.agents.claude.conversation import TYPES, conversed
from monitor.agents.claude.memory import Memory
from monitor.agents.claude.notices import limited, noted
from monitor.agents.claude.parse import NotARecordError, read
from monitor.agents.claude.shape import Aside, Ask, Row
from monitor.agents.claude.source import actor_of, introduced, is_copied
from monitor.agents.claude.speech import streamed
from monitor.agents.claude.stream import asks, began, finished, task, used
from monitor.agents.claude.where import ENDED, Where, item, moment
from monitor.agents.fields import unreadable
from monitor.events import Event, Place, RunEnded
from monitor.streams.record import Input, Record
from monitor.text import clean

_KNOWN = {
    "summary", "custom-title", "ai-title", "agent-name", "agent-color", "agent-setting", "last-prompt", "mode",
    "permission-mode", "file-history-snapshot", "file-history-delta", "atis-latch", "bridge-session", "tools-used",
    "api-request", "api-request-shape", "api-request-blob", "pr-link", "tag", "progress", "frame-link",
    "command_lifecycle", "control_response", "control_cancel_request", "keep_alive", "tool_progress",
    "tool_use_summary", "auth_status", "prompt_suggestion", "attribution-snapshot", "content-replacement",
}  # fmt: skip
"""Types that say nothing of what happened."""


class ClaudeDecoder:
    """Decodes one run; total, pure and copyable. A record's own fields tell a transcript from a stream."""

    def __init__(self) -> None:
        self._memory = Memory()

    @property
    def unknown_types(self) -> dict[str, int]:
        """Record types this version does not know, counted."""
        return self._memory.unknown_types

    def feed(self, record: Record) -> Sequence[Event]:
        """The events of one record."""
        place = Place(record.input.index, record.line, record.offset, record.length)
        if record.problem:
            return (unreadable(record, record.problem),)
        if not record.data or record.data.isspace():
            return ()
        try:
            if record.input.role in ("meta", "process"):
                return self._beside(record, place)
            return self._row(read(Row, record.data), record, place)
        except NotARecordError as error:
            return (unreadable(record, str(error)),)

    def finish(self, inputs: Sequence[Input]) -> Sequence[Event]:
        """The last reply's end, where only the end of the log shows that it was the last."""
        actors = ["", *dict.fromkeys(source.actor for source in inputs if source.role == "subagent")]
        final = not self._memory.stops
        return [event for actor in actors for event in self._memory.replies.close(actor, final=final)]

    def copy(self) -> ClaudeDecoder:
        """Another that goes on from here."""
        other = ClaudeDecoder()
        other._memory = self._memory.copy()
        return other

    def _beside(self, record: Record, place: Place) -> list[Event]:
        where: Where = {
            "at": None, "seen": record.seen, "actor": record.input.actor, "place": place, "copied": False,
        }  # fmt: skip
        read_as = described if record.input.role == "meta" else registered
        return read_as(record.data, where, self._memory)

    def _row(self, row: Row, record: Record, place: Place) -> list[Event]:
        memory = self._memory
        at = moment(row.timestamp) if row.timestamp else None
        talk = row.type in TYPES and (row.type != "system" or not row.live)
        copied = talk and is_copied(row, record.input, at, memory)
        actor = actor_of(row, record.input, memory)
        where: Where = {"at": at, "seen": record.seen, "actor": actor, "place": place, "copied": copied}
        if row.type == "stream_event":
            events = introduced(row, where, memory, streamed=True) if memory.deltas is not True else []
            return events + streamed(row, row.event, where, memory) if row.event is not None else events
        if not talk:
            return self._aside(row, record, where)
        memory.begun = True
        if row.uuid and memory.repeated(row.uuid):
            return []
        events = introduced(row, where, memory)
        if where["actor"]:
            memory.children.worked(where["actor"], at)
            model = clean(row.message.model or "") if row.message and row.type == "assistant" else ""
            events += memory.children.started(where["actor"], where, call=clean(row.parent_call or ""), model=model)
        return events + conversed(row, record.data, where, memory)

    def _aside(self, row: Row, record: Record, where: Where) -> list[Event]:
        """The types that are no part of the conversation."""
        memory = self._memory
        match row.type:
            case "system" | "result" | "control_request" | "rate_limit_event" | "cost-state":
                return _told(row, read(Aside, record.data), where, memory)
            case "queue-operation":
                if not memory.begun and memory.born is None:
                    memory.born = where["at"]
            case kind if kind not in _KNOWN:
                memory.unknown(clean(kind)[:60] or "without a type")
            case _:
                pass
        return []


def _told(row: Row, aside: Aside, where: Where, memory: Memory) -> list[Event]:
    match row.type, row.subtype:
        case "system", "init":
            events = began(memory)
            return events + introduced(row, where, memory, version=aside.version, model=aside.model)
        case "system", "task_started" | "task_updated" | "task_notification":
            return task(row, aside, where, memory)
        case "system", _:
            return noted(row, aside, where, memory)
        case "result", _:
            return finished(row, aside, where, memory)
        case "control_request", _:
            return asks(aside.request or Ask(), where)
        case "rate_limit_event", _:
            return limited(aside, where)
        case _:
            events = memory.replies.close("") + used(aside, memory.known.get("model", ""), where)
            return [*events, RunEnded(reason="the session was closed", **item(where, ENDED))]

"""Where a thread of Codex comes from: the thread that started it, the root of both, and what it copied from another."""

from __future__ import annotations

import re
from dataclasses import dataclass

from monitor.agents.fields import Object, part, raw, read_object, whole

_UUID = rb"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
_TOLD = re.compile(rb'"(id|session_id|parent_thread_id|cwd|cli_version)"\s*:\s*("(?:[^"\\]|\\.)*")')
"""Fields at the beginning of a first line; a quote within a text is escaped, so none can be made up by one."""
BEGINNING = 8 << 10
"""Bytes of a first line in which they stand: instructions, which may be long, come after."""
_IN_TIME = re.compile(rf"(?=.{{14}}7){_UUID.decode()}")
"""Ids that begin with their moment, so that the later of two is the greater."""


@dataclass(frozen=True, slots=True)
class Lineage:
    """What the first line of a rollout says of this."""

    thread: str = ""
    parent: str = ""
    """The thread that started it as a sub-agent; empty for one that a user began."""
    root: str = ""
    """The thread at the top of them all; empty in older versions."""
    name: str = ""
    """What the agents call it among themselves; empty where it has no such name."""
    forked: bool = False
    """It began with the history of another thread."""
    begins: int | None = None
    """The number of the first line of its own, where copied lines come before it."""


def lineage(meta: Object) -> Lineage:
    """As the payload of a first line tells it."""
    source = part(part(part(meta, "source"), "subagent"), "thread_spawn")
    return Lineage(
        raw(meta, "id"),
        raw(meta, "parent_thread_id") or raw(source, "parent_thread_id"),
        raw(meta, "session_id"),
        raw(meta, "agent_path") or raw(source, "agent_path"),
        forked=bool(raw(meta, "forked_from_id")),
        begins=whole(meta, "subagent_history_start_ordinal"),
    )


def meta_of(head: bytes) -> Object:
    """The payload of the first line; of a line longer than the head, those fields that stand in it."""
    line, ends, _ = head.partition(b"\n")
    found = read_object(line) if ends else ""
    if not isinstance(found, str):
        return part(found, "payload")
    told: Object = {}
    for name, value in _TOLD.findall(line[:BEGINNING]):
        words = read_object(b'{"value": %s}' % value)
        told.setdefault(name.decode(), "" if isinstance(words, str) else raw(words, "value"))
    return told


def later(one: str, other: str) -> bool:
    """Whether one thread or turn began after another, as far as their ids tell."""
    return bool(_IN_TIME.fullmatch(one) and _IN_TIME.fullmatch(other)) and one > other


class Copied:
    """Which lines of one rollout were copied from another thread's."""

    def __init__(self) -> None:
        self._own = ""
        self._begins: int | None = None
        self._until_later = False

    def __call__(self, found: Object) -> bool:
        """Whether this line was; lines are asked about in their order."""
        payload, kind = part(found, "payload"), raw(found, "type")
        if kind == "session_meta" and not self._own:
            told = lineage(payload)
            self._own, self._begins = told.thread, told.begins
            return False
        if kind == "session_meta" and raw(payload, "id") != self._own:
            self._until_later = self._begins is None
            return True
        if self._begins is not None:
            number = whole(found, "ordinal")
            return number is not None and number < self._begins
        if self._until_later and raw(payload, "type") in ("task_started", "turn_started"):
            self._until_later = not later(raw(payload, "turn_id"), self._own)
        return self._until_later

    def copy(self) -> Copied:
        """Another that goes on from here."""
        other = Copied()
        other.__dict__.update(self.__dict__)
        return other

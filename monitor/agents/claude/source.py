"""What kind of source a record stands in: whose it is, how late it tells, and what it cannot show."""

from __future__ import annotations

import re

from monitor.agents.claude.memory import Memory
from monitor.agents.claude.shape import NOTHING, Row
from monitor.agents.claude.speech import SYNTHETIC
from monitor.agents.claude.where import STARTED, Where, of_actor
from monitor.events import Coverage, Event, RunStarted
from monitor.streams.record import Input
from monitor.text import clean

AGENT = "claude"
_SESSION = re.compile(r"([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\.jsonl\Z")
_CLOCK = 1.0
"""Seconds a row may seem older than the file it stands in."""
_TRANSCRIPT = {
    "thinking": Coverage("partial", "a transcript holds thinking when its message has ended, and it may be abridged"),
    "stalls": Coverage("partial", "a transcript holds a message only when it has ended"),
}
_STREAM = {
    "thinking": Coverage("partial", "the thinking that is passed on may be abridged"),
    "folder": Coverage("partial", "a stream does not name the folder the agent works in"),
}
_WHOLE = {
    "thinking": Coverage("partial", "without --include-partial-messages thinking comes when it has ended"),
    "stalls": Coverage("partial", "without --include-partial-messages a message comes only when it has ended"),
}


def introduced(
    row: Row,
    where: Where,
    memory: Memory,
    *,
    streamed: bool = False,
    version: str | None = None,
    model: str | None = None,
) -> list[Event]:
    """What a record says of the run that was not known yet."""
    model = model or (row.message.model if row.message and row.type == "assistant" else None)
    session = None if where["copied"] else row.session or row.stream_session
    key = (session, version or row.version, model or memory.named[2], row.cwd is None, streamed)
    if where["actor"] or key == memory.named:
        return []
    memory.named = key
    first = not memory.known
    cwd = memory.known.get("cwd") or row.cwd
    told = {"session": session, "version": key[1], "model": None if model == SYNTHETIC else model, "cwd": cwd}
    news = {name: text for name, one in told.items() if (text := clean(one or "")) and text != memory.known.get(name)}
    deltas = _deltas(row, memory, streamed=streamed)
    if not news and deltas is None:
        return []
    memory.known |= news
    memory.deltas = memory.deltas if deltas is None else deltas
    return [
        RunStarted(
            agent=AGENT,
            version=news.get("version", ""),
            model=news.get("model", ""),
            session=news.get("session", ""),
            cwd=news.get("cwd", ""),
            lag="event" if deltas else "message" if first or deltas is False else "",
            deltas=deltas,
            coverage=_coverage(row, deltas, first=first),
            **of_actor(where, "", STARTED),
        )
    ]


def actor_of(row: Row, source: Input, memory: Memory) -> str:
    """The sub-agent that a record is of; empty for the root session, and in a sub-agent's file read alone."""
    if source.role == "alone":
        return ""
    if row.live:
        if row.stream_agent:
            return clean(row.stream_agent)
        return memory.children.named(clean(row.parent_call)) if row.parent_call else ""
    if not row.sidechain:
        return source.actor
    return clean(row.agent or "") or source.actor or memory.chained(clean(row.uuid or ""), clean(row.parent_uuid or ""))


def is_copied(row: Row, source: Input, at: float | None, memory: Memory) -> bool:
    """Whether a row was copied from an older session: it says so, names another, or is older than its file."""
    if row.forked is not NOTHING:
        return True
    if source.role == "subagent" or row.live:
        return False
    if memory.home is None:
        named = _SESSION.search(source.name)
        memory.home = named[1] if named else ""
    if memory.home and row.session and row.session != memory.home:
        return True
    if memory.born is None or at is None:
        return False
    if at >= memory.born - _CLOCK:
        memory.born = None
        return False
    return True


def _coverage(row: Row, deltas: bool | None, *, first: bool) -> dict[str, Coverage]:
    """What the source cannot show, as far as that is new."""
    blind = _STREAM if first and row.live else {}
    if deltas is False:
        blind = blind | (_WHOLE if row.live else _TRANSCRIPT)
    return blind


def _deltas(row: Row, memory: Memory, *, streamed: bool) -> bool | None:
    """Whether the source streams pieces, once that shows."""
    if streamed:
        return True if memory.deltas is not True else None
    if memory.deltas is not None:
        return None
    return False if not row.live or row.type == "assistant" else None

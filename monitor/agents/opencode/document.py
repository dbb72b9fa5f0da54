"""The events that an export, or a list of messages or of events, would have been told by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from monitor.agents.fields import Object, part, parts, raw
from monitor.agents.opencode.frame import Frame, begun, framed, seconds


def frames_of(found: Any) -> Sequence[tuple[int, Frame]] | str:
    """Each event with the number of its message, from 0, in the order of time; or why there is none."""
    if isinstance(found, dict) and isinstance(found.get("messages"), list):
        info = part(found, "info")
        first = Frame("session.updated", {"info": info}, raw(info, "id"), shape="document")
        return [(0, first), *_told(found["messages"])]
    if not isinstance(found, list):
        return "no export of OpenCode"
    rows = [(number, framed(one)) for number, one in enumerate(found) if isinstance(one, dict) and "seq" in one]
    if rows:
        return [(number, frame) for number, frame in rows if isinstance(frame, Frame)]
    return _told(found) if any(isinstance(one, dict) and "info" in one for one in found) else "no list of messages"


def _told(messages: Sequence[Any]) -> Sequence[tuple[int, Frame]]:
    """A prompt that came while a reply was written stands behind that reply: time puts it where it was said."""
    found = [
        (at, number, frame)
        for number, message in enumerate(messages)
        if isinstance(message, dict)
        for at, frame in _message(message)
    ]
    return [(number, frame) for _, number, frame in sorted(found, key=lambda one: one[0])]


def _message(message: Object) -> Iterator[tuple[float, Frame]]:
    """A message begun, its parts, and the message again as it ended."""
    info = part(message, "info")
    session, times = raw(info, "sessionID"), part(info, "time")
    at = seconds(times.get("created")) or 0.0
    yield at, Frame("message.updated", {"info": begun(info)}, session, at=at or None, shape="document")
    for one in parts(message, "parts"):
        at = max(at, _begin(one) or at)
        yield at, Frame("message.part.updated", {"part": one}, session, at=at or None, shape="document")
    ended = seconds(times.get("completed"))
    if raw(info, "role") == "assistant" and (ended is not None or "error" in info):
        at = max(at, ended or at)
        yield at, Frame("message.updated", {"info": info}, session, at=at or None, shape="document")


def _begin(told: Object) -> float | None:
    """When a part began."""
    times = part(told, "time") or part(part(told, "state"), "time")
    return seconds(times.get("start"))

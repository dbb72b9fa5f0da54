"""Takes one event out of whatever holds it: OpenCode tells the same events in seven shapes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from monitor.agents.fields import Object, moment, part, raw, read_object, real, whole

Shape = Literal["event", "row", "run", "document"]
"""An event of a running server; a row of its table of events, which holds only what lasts; a line of
`run --format json`; a message of an export."""
_RUN = {
    "step_start": "step-start", "step_finish": "step-finish", "reasoning": "reasoning", "tool_use": "tool", "text": "text",
}  # fmt: skip
"""The lines of `run --format json` that hold a part, and the type of that part."""
_ENDING = ("error", "finish", "time")
_FIELD = (b":", b"event:", b"id:", b"retry:")
"""How the lines of a stream of events begin that hold no event."""
_WRAP = 1 << 36
"""Milliseconds after which the time within an id begins anew: two years."""
_NEAR = 30 * 86_400_000
"""Milliseconds that the time within an id may lie from the time told last."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One event."""

    type: str
    data: Object
    session: str = ""
    id: str = ""
    seq: int | None = None
    """Its number among the events of its session that last; dense, from 0."""
    at: float | None = None
    shape: Shape = "event"


def frame_of(line: bytes) -> Frame | str | None:
    """The event in a line; why it cannot be read; none for what holds no event."""
    data = line.strip()
    if not data or data.startswith(_FIELD):
        return None
    found = read_object(data[5:] if data.startswith(b"data:") else data)
    return found if isinstance(found, str) else framed(found)


def framed(found: Object) -> Frame | str | None:
    """The event in an object."""
    if isinstance(found.get("payload"), dict):
        found = part(found, "payload")
    if raw(found, "type") == "sync":
        event = part(found, "syncEvent")
        return _row({**event, "aggregate_id": event.get("aggregateID")}, "event")
    if isinstance(found.get("event"), dict):
        return framed(part(found, "event"))
    if "bridge" in found or "hook" in found:
        return None
    kind = raw(found, "type")
    if not kind:
        return "no event of OpenCode"
    if raw(found, "aggregate_id") or raw(found, "aggregateID"):
        return _row(found, "row")
    if isinstance(found.get("part"), dict) or (kind == "error" and "sessionID" in found):
        return _run(kind, found)
    told = _timely(kind, raw(found, "id"), part(found, "properties") or part(found, "data"))
    return Frame(kind, told, _session(told), raw(found, "id"), whole(part(found, "durable"), "seq"), _at(kind, told))


def time_in(name: str, near: float | None) -> float | None:
    """When an id was made: OpenCode writes it into its first letters, of which the highest are cut off.

    `near` is a time told shortly before; without one, or far from it, nothing is known.
    """
    letters = name.partition("_")[2][:12]
    if near is None or len(letters) < 12:
        return None
    try:
        low = int(letters, 16) >> 12
    except ValueError:
        return None
    known = int(near * 1000)
    ahead = (low - known) % _WRAP
    ahead = ahead - _WRAP if ahead > _WRAP // 2 else ahead
    return (known + ahead) / 1000 if abs(ahead) < _NEAR else None


def begun(info: Object) -> Object:
    """What a message's own entry says of it before it has ended."""
    return {name: value for name, value in info.items() if name not in _ENDING}


def seconds(value: object) -> float | None:
    """Milliseconds since the epoch as seconds."""
    told = real(value)
    return moment(told / 1000) if told is not None else None


def _row(found: Object, shape: Shape) -> Frame:
    """A row of the table of events, or what the stream of all folders says of it; its type carries a version."""
    kind, _, version = raw(found, "type").rpartition(".")
    kind = kind if version.isdecimal() else raw(found, "type")
    told = part(found, "data")
    if shape == "event":
        told = _timely(kind, raw(found, "id"), told)
    session = raw(found, "aggregate_id") or raw(found, "aggregateID") or _session(told)
    return Frame(kind, told, session, raw(found, "id"), whole(found, "seq"), _at(kind, told), shape)


def _run(kind: str, found: Object) -> Frame:
    session, at = raw(found, "sessionID"), seconds(found.get("timestamp"))
    if kind == "error":
        return Frame("session.error", found, session, at=at, shape="run")
    inner = dict(part(found, "part"))
    inner.setdefault("type", _RUN.get(kind, kind))
    return Frame("message.part.updated" if kind in _RUN else kind, {"part": inner}, session, at=at, shape="run")


def _timely(kind: str, name: str, told: Object) -> Object:
    """What an event says, without what happened after it.

    A busy OpenCode (seen with 1.18.33) writes down that a reply began only when that reply has ended, and then with its end.
    """
    if kind != "message.updated":
        return told
    info = part(told, "info")
    ended = seconds(part(info, "time").get("completed"))
    made = time_in(name, ended)
    if ended is None or made is None or made >= ended:
        return told
    return {**told, "info": begun(info)}


def _session(told: Object) -> str:
    named = raw(told, "sessionID") or raw(part(told, "part"), "sessionID") or raw(part(told, "info"), "sessionID")
    own = raw(part(told, "info"), "id")
    return named or (own if own.startswith("ses") else "")


def _at(kind: str, told: Object) -> float | None:
    """When it happened, as far as the event itself tells."""
    if kind == "message.part.updated":
        return seconds(told.get("time"))
    times = part(part(told, "info"), "time")
    if kind == "message.updated":
        return seconds(times.get("completed")) or seconds(times.get("created"))
    return seconds(times.get("created" if kind == "session.created" else "updated"))

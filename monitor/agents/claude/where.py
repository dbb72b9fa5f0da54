"""Where and when an event was read: what all events of one record share."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TypedDict

from monitor.events import Place

STARTED, CHILD, ENDED, REQUEST, WAITING, PROMPT = range(65_535, 65_529, -1)
"""`Place.item` of what a record says beside its content blocks, so that no two texts of a record share one."""


class Where(TypedDict):
    """The fields of `Seen` that a record gives all its events."""

    at: float | None
    seen: float
    actor: str
    place: Place
    copied: bool


def item(where: Where, index: int) -> Where:
    """The same for another part of the record."""
    if index == where["place"].item:
        return where
    place = where["place"]
    return {**where, "place": Place(place.input, place.line, place.offset, place.length, index)}


def of_actor(where: Where, actor: str, index: int) -> Where:
    """The same for another actor, at another part of the record."""
    return {**item(where, index), "actor": actor}


def moment(stamp: str) -> float | None:
    """An ISO time as seconds since the epoch; none when it is no time. Without a zone it is taken as UTC."""
    if not stamp:
        return None
    try:
        time = datetime.fromisoformat(stamp)
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None

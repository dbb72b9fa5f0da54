"""Reads one JSON object of a log, whatever is wrong with it, and takes typed, clean fields out of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from monitor.events import Event, Place, Unreadable
from monitor.streams.record import Record
from monitor.text import clean, shorten

Object = dict[str, Any]
_FIRST, _LAST = -62_135_596_800, 253_402_300_800
"""The years 1 to 9999, in seconds since the epoch."""
_BEYOND = 1 << 63
_TYPES = 100
"""Names of unknown types counted apart; the rest are counted together."""


def read_json(data: bytes) -> Any:
    """The JSON value in these bytes.

    Where the strict reader refuses (a lone surrogate, a byte order mark, NaN) the standard one is asked.
    Raises `ValueError` with a short reason.
    """
    try:
        return msgspec.json.decode(data)
    except (msgspec.MsgspecError, RecursionError):
        pass
    try:
        return json.loads(data)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except UnicodeDecodeError:
        raise ValueError("not UTF-8") from None
    except ValueError as error:
        at = f" at character {error.pos + 1}" if isinstance(error, json.JSONDecodeError) else ""
        raise ValueError(f"not JSON{at}") from None


def read_object(data: bytes) -> Object | str:
    """The JSON object in these bytes, or why there is none."""
    try:
        found = read_json(data)
    except ValueError as error:
        return str(error)
    return found if isinstance(found, dict) else "JSON, but no object"


def text(found: Mapping[str, Any], key: str) -> str:
    """A text, cleaned; empty when there is none."""
    return clean(raw(found, key))


def raw(found: Mapping[str, Any], key: str) -> str:
    """A text as it stands, not fit to be shown; empty when there is none."""
    value = found.get(key)
    return value if isinstance(value, str) else ""


def whole(found: Mapping[str, Any], key: str) -> int | None:
    """A whole number of at most 64 bits: no log counts further, and no reckoning with it can fail."""
    value = found.get(key)
    within = isinstance(value, int) and not isinstance(value, bool) and -_BEYOND <= value < _BEYOND
    return value if within else None


def real(value: object) -> float | None:
    """A number, whole or not, within the same bounds."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) < _BEYOND else None


def truth(found: Mapping[str, Any], key: str) -> bool | None:
    """True or false; none for anything else."""
    value = found.get(key)
    return value if isinstance(value, bool) else None


def part(found: Mapping[str, Any], key: str) -> Object:
    """An object within the object; empty when there is none."""
    value = found.get(key)
    return value if isinstance(value, dict) else {}


def parts(found: Mapping[str, Any], key: str) -> Sequence[Object]:
    """The objects of a list within the object."""
    value = found.get(key)
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def texts(found: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """The texts of a list within the object, cleaned."""
    value = found.get(key)
    return tuple(clean(one) for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def moment(value: object) -> float | None:
    """Seconds since the epoch, from such a number or from an ISO 8601 time; without a zone it is UTC.

    None for anything else, and for what no calendar holds.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value) if _FIRST <= value < _LAST else None
    if not isinstance(value, str):
        return None
    try:
        told = datetime.fromisoformat(value)
        return (told if told.tzinfo else told.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def place_of(record: Record, item: int = 0) -> Place:
    """Where a part of the record stands."""
    return Place(record.input.index, record.line, record.offset, record.length, item)


def stamped(events: Sequence[tuple[int, Event]], record: Record, at: float | None) -> list[Event]:
    """Events with the place of their item, the time they arrived and, where they have none, the record's time."""
    return [
        msgspec.structs.replace(
            event, place=place_of(record, item), seen=record.seen, at=at if event.at is None else event.at
        )
        for item, event in events
    ]


def unreadable(record: Record, why: str) -> Unreadable:
    """A record of which nothing can be told, with the reason."""
    return Unreadable(why=clean(why), place=place_of(record), seen=record.seen)


def count_type(unknown: dict[str, int], name: str) -> None:
    """Count a record type nobody knows; a log that makes up names cannot fill the memory."""
    name = shorten(clean(name[:60]), 40) or "(none)"
    if name not in unknown and len(unknown) >= _TYPES:
        name = "(others)"
    unknown[name] = unknown.get(name, 0) + 1

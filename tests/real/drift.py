"""What stands in an agent's records, as a set of names, and which of the known ones are gone."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from known_events import Known

from monitor.streams.record import Record

_TAGS = ("type", "method", "event", "role", "status")
"""The keys by which agents say what kind of thing an object is; the first that an object has is its kind."""
STRANGE = "of-a-kind-that-nobody-knows"


def gone(known: Known, records: Iterable[Record]) -> list[str]:
    """The known kinds and fields that none of the records has; of a kind that is gone, the kind alone."""
    seen = names(records)
    missing: list[str] = []
    for kind in known:
        if kind not in seen:
            missing.append(kind)
        else:
            missing += [name for name in fields(known, kind) if name not in seen]
    return missing


def fields(known: Known, kind: str) -> list[str]:
    """The whole names of a kind's known fields."""
    return [f"{kind}.{field}" for field in known[kind].split()]


def names(records: Iterable[Record]) -> set[str]:
    """Every kind and field in these records: `[user].message[user].content[tool_result].is_error`."""
    return {name for record in records for name in _fields(_read(record), _root(record))}


def without(records: Sequence[Record], name: str) -> list[Record]:
    """The same records in which things of that kind are of a kind that nobody knows, or have no field of that name."""
    return [_changed(record, name) for record in records]


def _changed(record: Record, name: str) -> Record:
    told = _read(record)
    return dataclasses.replace(record, data=_wrapped(record, told)) if _drop(told, _root(record), name) else record


def _drop(told: Any, way: str, name: str) -> bool:
    """Rename or remove what has that name, all over an object or list that stands at `way`; whether anything has it."""
    if isinstance(told, list):
        return sum(_drop(one, f"{way}{_kind(one)}", name) for one in told) > 0
    if not isinstance(told, dict):
        return False
    if way == name and _kind(told):
        told[_tag(told)] = STRANGE
        return True
    dropped = [key for key in told if _below(way, key) == name and not _kind(told[key])]
    for key in dropped:
        del told[key]
    below = sum(_drop(value, f"{_below(way, key)}{_kind(value)}", name) for key, value in told.items())
    return bool(dropped) or below > 0


def _fields(told: Any, way: str) -> Iterator[str]:
    """What stands at `way`, and all below it."""
    yield way
    if isinstance(told, list):
        for one in told:
            yield from _fields(one, f"{way}{_kind(one)}")
    elif isinstance(told, dict):
        for key, value in told.items():
            yield _below(way, key)
            yield from _fields(value, f"{_below(way, key)}{_kind(value)}")


def _below(way: str, key: str) -> str:
    """The name of a field; one that is called by a path or a model's name is like any other of its sort."""
    name = key if key.isidentifier() else "*"
    return f"{way}.{name}" if way else name


def _kind(told: Any) -> str:
    """What kind an object says it is, in brackets; nothing where it does not say."""
    tag = _tag(told)
    below = told.get("subtype") if tag else None
    return f"[{told[tag]}/{below}]" if isinstance(below, str) else f"[{told[tag]}]" if tag else ""


def _tag(told: Any) -> str:
    return next((key for key in _TAGS if isinstance(told.get(key), str)), "") if isinstance(told, Mapping) else ""


def _root(record: Record) -> str:
    """The name of a record: its kind, or of a document what it is to its decoder."""
    return record.input.role if record.input.shape == "document" else _kind(_read(record))


def _read(record: Record) -> Any:
    """The JSON of a record; of a server's event what stands behind `data:`, of its other lines nothing."""
    head, brace, rest = record.data.partition(b"{")
    return json.loads(brace + rest) if brace and head.strip() in (b"", b"data:") else {}


def _wrapped(record: Record, told: Any) -> bytes:
    head, _, _ = record.data.partition(b"{")
    return head + json.dumps(told).encode()

"""One message of the protocol, whatever the log wraps it in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from monitor.agents.fields import Object, moment, part, raw, read_object, real

Side = Literal["client", "agent", ""]

CLIENT = frozenset({
    "initialize", "authenticate", "logout", "session/new", "session/load", "session/resume", "session/fork",
    "session/list", "session/delete", "session/close", "session/prompt", "session/cancel", "session/set_mode",
    "session/set_model", "session/set_config_option",
})  # fmt: skip
"""What a client sends."""
AGENT = frozenset({
    "session/update", "session/request_permission", "fs/read_text_file", "fs/write_text_file", "terminal/create",
    "terminal/output", "terminal/release", "terminal/wait_for_exit", "terminal/kill",
})  # fmt: skip
"""What an agent sends."""
KNOWN = CLIENT | AGENT
_TIMES = ("t", "ts", "at", "time", "timestamp")
_SIDES = ("dir", "direction", "from", "sender", "source", "side")
_SIDE = re.compile(r"client|editor|agent|server")
_MILLISECONDS = 100_000_000_000
"""A number of seconds beyond which it counts milliseconds: the year 5138."""
_EPOCH = 1_000_000_000
"""A smaller number of seconds counts from the start of the log, and is no time of day."""
_NOTED = re.compile(r"(?:-> )?(?:\w+ )?(initialize|authenticate|(?:session|fs|terminal)/\w+)[^>]*?(->)?")
"""How a client's notes name a message: `-> method` was sent, `method->` was answered, `method` came."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One message: a request or notification by its method, or an answer by its result or error."""

    method: str = ""
    params: Object = field(default_factory=dict)
    id: str = ""
    """As it is written; empty for a notification, and where the log leaves it out."""
    result: Object | None = None
    error: Object | None = None
    sender: Side = ""
    answers: str = ""
    """The method that is answered, where the log names it."""
    at: float | None = None


def read(found: Object) -> Frame | None:
    """The message in a record; none when there is none."""
    if (noted := _noted(found)) is not None:
        return noted
    inner = found if _is_message(found) else _wrapped(found)
    if inner is None:
        return None
    method, number = raw(inner, "method"), inner.get("id")
    at = _time(found) if inner is not found else None
    told = "" if number is None else repr(number)[:200]
    if method:
        sender: Side = "client" if method in CLIENT else "agent" if method in AGENT else _sender(found)
        return Frame(method, part(inner, "params"), told, sender=sender, at=at)
    error = part(inner, "error") if inner.get("error") is not None else None
    result = None if error is not None else part(inner, "result")
    return Frame(id=told, result=result, error=error, sender=_sender(found), at=at)


def _is_message(found: Mapping[str, Any]) -> bool:
    """Whether this is a message of JSON-RPC; some logs leave its version out."""
    if isinstance(found.get("method"), str):
        return "jsonrpc" in found or isinstance(found.get("params"), dict)
    return "id" in found and ("result" in found or "error" in found)


def _wrapped(found: Object) -> Object | None:
    """The message within a log's record, as an object or as the line that was sent."""
    for value in found.values():
        held = _parsed(value) if isinstance(value, str) else value
        if isinstance(held, dict) and _is_message(held):
            return held
    return None


def _parsed(line: str) -> Object | str:
    return read_object(line.encode("utf-8", "surrogatepass")) if line.lstrip().startswith("{") else ""


def _noted(found: Object) -> Frame | None:
    """A message as a client notes it, without the frame it was sent in."""
    kind = raw(found, "kind")
    if not kind or not isinstance(found.get("data"), dict):
        return None
    data, at = part(found, "data"), _time(found)
    told = _NOTED.fullmatch(kind)
    if told is None:
        return Frame(kind, data, at=at)
    method, answered = told.groups()
    if answered:
        failed = "message" in data and "code" in data
        return Frame(
            result=None if failed else data, error=data if failed else None, sender="agent", answers=method, at=at
        )
    if method == "session/update":
        return Frame(method, {"update": data}, sender="agent", at=at)
    number = "noted" if method in ("session/prompt", "session/request_permission") else ""
    return Frame(method, data, number, sender="client" if method in CLIENT else "agent", at=at)


def _sender(found: Object) -> Side:
    """Who sent it, where the log says so, as in `client->agent`, `from: agent` or `to agent`."""
    for key in _SIDES:
        value = raw(found, key).lower()
        if named := _SIDE.search(value):
            client = (named[0] in ("client", "editor")) != value.lstrip().startswith(("to", ">", "->"))
            return "client" if client else "agent"
    return ""


def _time(found: Object) -> float | None:
    for key in _TIMES:
        value = real(found.get(key))
        if value is not None:
            seconds = value / 1000 if value > _MILLISECONDS else value
            return moment(seconds) if seconds >= _EPOCH else None
        if (told := moment(found.get(key))) is not None:
            return told
    return None

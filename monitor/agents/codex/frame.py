"""One message of Codex's app-server, whatever a log wraps it in."""

from __future__ import annotations

from dataclasses import dataclass, field

from monitor.agents.fields import Object, moment, part, raw, real

_EPOCH = 1_000_000_000
"""A smaller number of seconds counts from the start of a log, and is no time of day."""
_OURS = ("out", "client")
"""How a log names what the client said, at the beginning of its word for the direction."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A request or notification by its method, or an answer by its result or error."""

    method: str = ""
    params: Object = field(default_factory=dict)
    id: str | int | None = None
    """None for a notification."""
    result: Object | None = None
    error: Object | None = None
    from_client: bool = False
    at: float | None = None


def read(found: Object) -> Frame | None:
    """The message in a record; none where there is none."""
    inner = found if _is_message(found) else part(found, "msg")
    if not _is_message(inner):
        return None
    number = inner.get("id")
    ident = number if isinstance(number, str | int) and not isinstance(number, bool) else None
    ours = raw(found, "dir").startswith(_OURS)
    at = _time(found, inner)
    if method := raw(inner, "method"):
        return Frame(method, part(inner, "params"), ident, from_client=ours, at=at)
    error = part(inner, "error") if inner.get("error") is not None else None
    result = part(inner, "result") if error is None else None
    return Frame(id=ident, result=result, error=error, from_client=ours, at=at)


def _is_message(found: Object) -> bool:
    return bool(raw(found, "method")) or ("id" in found and ("result" in found or "error" in found))


def _time(found: Object, inner: Object) -> float | None:
    """When Codex sent it, else when the log's keeper had it."""
    sent, noted = real(inner.get("emittedAtMs")), real(found.get("t"))
    if sent is not None:
        return moment(sent / 1000)
    return moment(noted) if noted is not None and noted >= _EPOCH else None

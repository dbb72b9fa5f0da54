"""Small logs in monitor's own event format, for tests of what comes after the decoders."""

from __future__ import annotations

import json


def lines(*events: dict) -> bytes:
    """A log of these events, a line each."""
    return b"".join(json.dumps(event).encode() + b"\n" for event in events)


def started(**more) -> dict:
    return {"event": "RunStarted", "agent": "tester", "session": "s1", "cwd": "/p", "project": "/p", "at": 1.0} | more


def prompted(text="Mend it", at=2.0, **more) -> dict:
    return {"event": "Prompted", "text": text, "at": at} | more


def edited(call, file="a.py", old="x", new="y", at=3.0, message="", **more) -> dict:  # noqa: PLR0917 - a call in a few words
    change = {"file": file, "op": "edit", "old": old, "new": new}
    return {
        "event": "ToolCalled", "call": call, "tool": "edit", "kind": "write", "message": message or f"m{call}",
        "changes": [change], "at": at,
    } | more  # fmt: skip


def failed(call, failure="not_found", at=4.0, **more) -> dict:
    output = "old text not found"
    return {
        "event": "ToolReturned", "call": call, "outcome": "failed", "failure": failure, "output": output, "at": at,
    } | more  # fmt: skip


def worked(call, at=4.0, **more) -> dict:
    return {"event": "ToolReturned", "call": call, "outcome": "ok", "output": "done", "at": at} | more


def answered(text="Done.", at=9.0) -> list[dict]:
    said = {"event": "Said", "message": "last", "text": text, "at": at}
    return [said, {"event": "RequestEnded", "how": "answered", "text": text, "at": at}]


def ended(status="completed", at=10.0) -> dict:
    return {"event": "RunEnded", "status": status, "at": at}


FALSE_DONE = (
    started(),
    prompted(),
    edited("1"),
    failed("1"),
    edited("2", at=5.0),
    failed("2", at=6.0),
    *answered(),
    ended(),
)
"""Two failed writes, and a claim of done."""

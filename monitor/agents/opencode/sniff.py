"""Recognises what OpenCode tells, in each of its shapes, by how it begins."""

from __future__ import annotations

import re
from typing import Literal

from monitor.agents.fields import part, raw, read_object
from monitor.agents.opencode.frame import Frame, frame_of
from monitor.streams.record import Shape

_LOOKED = 12
"""Lines looked at where the first does not tell."""
_EXPORT = re.compile(rb'\s*\{\s*"info"\s*:\s*\{\s*"id"\s*:\s*"ses_')
_MESSAGES = re.compile(rb'\s*\[\s*\{\s*"info"\s*:\s*\{[^\[\]]{0,4000}?"(?:sessionID|id)"\s*:\s*"(?:ses|msg)_')
_ROWS = re.compile(rb'\s*\[\s*\{\s*"id"\s*:\s*"evt_\w+"\s*,\s*"aggregate_id"\s*:\s*"ses_')
_DATABASE = b"SQLite format 3\0"
_CUT = re.compile(
    rb'(?:data:\s*)?\{"(?:id":"evt_|directory":"[^"]*","(?:project":"[^"]*",")?payload":\{"|payload":\{"id":"evt_)'
)
"""How an event begins that is longer than the head."""
_ASIDE = re.compile(rb'\{"bridge":"start","pid":\d+,"directory":')


def shape_of(head: bytes) -> Shape | Literal["database"] | None:
    """Whether it holds lines, is one document, or a database; none where it is not OpenCode's."""
    if head.startswith(_DATABASE):
        return "database"
    if _EXPORT.match(head) or _MESSAGES.match(head) or _ROWS.match(head):
        return "document"
    lines = [line for line in head.splitlines() if line.strip()][:_LOOKED]
    return "lines" if any(_is_event(line) for line in lines[:1]) or _follows(lines) else None


def _follows(lines: list[bytes]) -> bool:
    """A stream may begin with lines of its format that hold no event."""
    blank = (b":", b"event:", b"id:", b"retry:")
    rest = [line for line in lines if not line.startswith(blank)]
    begins = bool(lines) and (lines[0].startswith(blank) or _ASIDE.match(lines[0]) is not None)
    rest = rest[1:] if rest and _ASIDE.match(rest[0]) else rest
    return begins and bool(rest) and _is_event(rest[0])


def _is_event(line: bytes) -> bool:
    frame = frame_of(line)
    if isinstance(frame, Frame):
        return _is_ours(frame, line)
    return isinstance(frame, str) and _CUT.match(line) is not None


def _is_ours(frame: Frame, line: bytes) -> bool:
    """By its ids: each kind of them has a beginning of its own."""
    if frame.shape == "run":
        told = part(frame.data, "part")
        return frame.session.startswith("ses_") and (not told or raw(told, "id").startswith("prt_"))
    if frame.id:
        return frame.id.startswith("evt_")
    found = read_object(line.removeprefix(b"data:").strip())
    return isinstance(found, dict) and raw(found, "type") == "server.connected" and "properties" in found

"""What a server holds of one session, as the events that would have told it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from monitor.agents.fields import Object, part, raw
from monitor.agents.opencode.document import frames_of
from monitor.agents.opencode.frame import Frame, seconds

_START = 30.0
"""Seconds within which a session has begun to work on a prompt that it holds."""
_TAKEN = 120.0
"""Seconds within which a new session holds its first prompt: what the server is set up with begins before that."""


@dataclass(frozen=True, slots=True)
class Held:
    """A session's own entry and its messages."""

    session: str
    info: Object
    messages: Sequence[Object]

    @property
    def unanswered(self) -> bool:
        """Whether no reply stands behind what it was asked last."""
        return not self.messages or raw(part(self.messages[-1], "info"), "role") == "user"

    def begins_within(self, now: float) -> float:
        """Seconds for which it may be about to begin though it does nothing yet; 0 where it rests."""
        if not self.unanswered:
            return 0.0
        info, limit = (part(self.messages[-1], "info"), _START) if self.messages else (self.info, _TAKEN)
        since = seconds(part(info, "time").get("created"))
        return max(limit - abs(now - since), 0.0) if since is not None else 0.0

    def lines(self) -> Sequence[bytes]:
        """All of it."""
        frames = frames_of(self.messages) if self.messages else ()
        kept = [_kept(self.session, frame) for _, frame in frames] if not isinstance(frames, str) else []
        return [line("session.updated", {"sessionID": self.session, "info": self.info}), *kept]

    def idle(self) -> bytes:
        """That it does nothing."""
        return line("session.status", {"sessionID": self.session, "status": {"type": "idle"}})


def line(kind: str, data: Mapping[str, Any]) -> bytes:
    """An event as a server streams it."""
    told = {"type": kind, "properties": data}
    return b"data: " + json.dumps(told, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _kept(session: str, frame: Frame) -> bytes:
    """As the database would tell it: what is kept of a request shows its end, where the stream has a word of its own."""
    when = {} if frame.at is None else {"time": frame.at * 1000}
    row = {"id": "", "aggregate_id": session, "type": f"{frame.type}.1", "data": {**frame.data, **when}}
    return json.dumps(row, ensure_ascii=False).encode("utf-8", "surrogatepass")

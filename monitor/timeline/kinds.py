"""Which kind of row an event makes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from monitor.events import (
    Checked,
    Event,
    Noticed,
    Prompted,
    RunEnded,
    SourceChanged,
    Thought,
    ToolCalled,
    TreeMeasured,
    Unreadable,
)
from monitor.timeline.rows import RowKind

CALLS: Final[Mapping[str, RowKind]] = {
    "read": "read", "write": "write", "shell": "shell", "fetch": "fetch", "search": "search", "delegate": "delegate",
    "poll": "poll", "ask": "ask", "plan": "plan", "finish": "finish", "other": "call",
}  # fmt: skip
"""By the kind of a call."""
DOERS: Final[Mapping[str, RowKind]] = {"operator": "you", "policy": "policy", "monitor": "notice"}
"""Whose an action is, by the row's kind."""
PLAIN: Final[Mapping[type, RowKind]] = {
    Noticed: "notice",
    Checked: "check",
    RunEnded: "ended",
    SourceChanged: "source",
    TreeMeasured: "measure",
    Unreadable: "unread",
}
"""Of what is always a row of its own."""


def goes_on(event: Event) -> bool:
    """Whether the root works on, or is asked anew: what it said before is no answer then."""
    match event:
        case Thought(actor="") | ToolCalled(actor="") | RunEnded(actor=""):
            return True
        case Prompted(actor="", by="user" | "operator"):
            return True
        case _:
            return False

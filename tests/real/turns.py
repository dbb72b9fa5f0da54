"""What a scripted model says: turn by turn, in no dialect."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

PATIENCE = 30.0
"""Seconds a held turn waits at most."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One reply of the model: its words, and the calls it makes."""

    text: str = ""
    thinking: tuple[str, ...] = ()
    """Pieces of thinking before it, in dialects that stream them; they are sent before the reply is held."""
    calls: tuple[tuple[str, Mapping[str, Any] | str], ...] = ()
    """Each tool with its arguments; a text for a tool that takes no JSON, in dialects that have such.

    A tool of a namespace, in dialects that have such, stands behind it and a slash.
    """
    stop: str = ""
    """In the dialect's own word; empty for the usual one."""
    until: threading.Event | None = None
    """The reply is held until this is set."""
    asked: threading.Event = field(default_factory=threading.Event)
    """Set when the agent has asked for it."""
    begins: str = ""
    """The beginning of its words, sent before the reply is held."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What goes back to the agent."""

    body: Mapping[str, Any] = field(default_factory=dict)
    status: int = 200
    pieces: Iterable[Mapping[str, Any]] | None = None
    """Sent one after another, a line each, instead of a body."""
    events: bool = False
    """The pieces are sent as server-sent events, each named by its `type`."""


def hold(turn: Turn) -> None:
    """Wait until the reply may go on."""
    if turn.until is not None:
        turn.until.wait(PATIENCE)

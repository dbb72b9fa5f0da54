"""The file in which a running session says what it does: `sessions/<pid>.json`."""

from __future__ import annotations

from msgspec import Struct, field

from monitor.agents.claude.memory import Memory
from monitor.agents.claude.where import Where
from monitor.events import Event, Waiting
from monitor.text import line


class Registered(Struct, frozen=True, gc=False):
    """What a session says of its process."""

    pid: int = 0
    session: str | None = field(default=None, name="sessionId")
    started: str | None = field(default=None, name="procStart")
    """Field 22 of the process's `stat`."""
    domain: str | None = field(default=None, name="pidDomain")
    """Ends with the namespace that the pid belongs to."""
    status: str | None = None
    """`busy`, `idle` or `waiting`."""
    waiting: str | None = field(default=None, name="waitingFor")
    changed: float | None = field(default=None, name="statusUpdatedAt")
    """Milliseconds since the epoch."""
    begun: float | None = field(default=None, name="startedAt")
    """As `changed`."""
    version: str | None = None


def waited(told: Registered, where: Where, memory: Memory) -> list[Event]:
    """Whether the session waits for a person; its transcript never says so."""
    if told.status == "waiting":
        memory.waits = True
        about = line(told.waiting or "")[:400]
        return [Waiting(on="approval" if "permission" in about.lower() else "user", about=about, **where)]
    if not memory.waits:
        return []
    memory.waits = False
    return [Waiting(over=True, **where)]

"""The rollouts of a run: the root's and those of its sub-agents, each decoded as a thread of its own."""

from __future__ import annotations

import msgspec

from monitor.agents.codex.family import Family
from monitor.agents.codex.lineage import Copied
from monitor.agents.codex.prompts import Prompts
from monitor.agents.codex.rollout import Rollout
from monitor.agents.fields import Object, raw
from monitor.events import Event, Prompted, RunEnded, RunStarted
from monitor.streams.record import Record

_COPIES = frozenset({"session_meta", "turn_context"})
"""Lines that say nothing of this thread where they were copied."""


class Rollouts:
    """Tells whose line it is by its input, and what another thread wrote by the thread's own first line."""

    def __init__(self, unknown: dict[str, int], family: Family, prompts: dict[str, Prompts]) -> None:
        self._unknown = unknown
        self._family = family
        self._prompts = prompts
        """By actor, those that the wire tells too."""
        self._known: dict[str, tuple[Rollout, Copied]] = {}

    def feed(self, found: Object, record: Record) -> list[Event]:
        """The events of one line."""
        actor = record.input.actor
        rollout, copies = self._of(actor)
        copied = copies(found)
        if copied and raw(found, "type") in _COPIES:
            return []
        events = rollout.feed(found, record)
        if not actor and not copied:
            return events
        return [_marked(one, actor, copied=copied) for one in events if not (copied and _bounds(one))]

    def copy(self, unknown: dict[str, int], family: Family, prompts: dict[str, Prompts]) -> Rollouts:
        """Another that goes on from here."""
        other = Rollouts(unknown, family, prompts)
        for actor, (rollout, copies) in self._known.items():
            other._known[actor] = rollout.copy(unknown, family, prompts.get(actor)), copies.copy()
        return other

    def _of(self, actor: str) -> tuple[Rollout, Copied]:
        if actor not in self._known:
            prompts = self._prompts.setdefault(actor, Prompts())
            self._known[actor] = Rollout(self._unknown, self._family, prompts, actor), Copied()
        return self._known[actor]


def _marked(event: Event, actor: str, *, copied: bool) -> Event:
    """As the sub-agent's whose file it stands in: what it was told, the agent told it that started it."""
    if isinstance(event, Prompted) and event.by == "user" and actor:
        event = msgspec.structs.replace(event, by="harness")
    return msgspec.structs.replace(event, actor=event.actor or actor, copied=copied)


def _bounds(event: Event) -> bool:
    """Whether it says that something began or ended: copied, it did so elsewhere."""
    return isinstance(event, RunStarted | RunEnded)

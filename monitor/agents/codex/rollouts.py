"""The rollouts of a run: the root's and those of its sub-agents, each decoded as a thread of its own."""

from __future__ import annotations

from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class _Both:
    """What a thread did, and what it was handed of another's doings, which is none of its own."""

    own: Rollout
    before: Rollout
    copies: Copied


class Rollouts:
    """Tells whose line it is by its input, and what another thread wrote by the thread's own first line."""

    def __init__(self, unknown: dict[str, int], family: Family, prompts: dict[str, Prompts]) -> None:
        self._unknown = unknown
        self._family = family
        self._prompts = prompts
        """By actor, those that the wire tells too."""
        self._known: dict[str, _Both] = {}

    def feed(self, found: Object, record: Record) -> list[Event]:
        """The events of one line."""
        actor = record.input.actor
        both = self._of(actor)
        copied = both.copies(found)
        if copied and raw(found, "type") in _COPIES:
            return []
        events = (both.before if copied else both.own).feed(found, record)
        if not actor and not copied:
            return events
        return [_marked(one, actor, copied=copied) for one in events if not (copied and _bounds(one))]

    def copy(self, unknown: dict[str, int], family: Family, prompts: dict[str, Prompts]) -> Rollouts:
        """Another that goes on from here."""
        other = Rollouts(unknown, family, prompts)
        for actor, both in self._known.items():
            own = both.own.copy(unknown, family, prompts.get(actor))
            other._known[actor] = _Both(own, both.before.copy(unknown, Family()), both.copies.copy())
        return other

    def _of(self, actor: str) -> _Both:
        if actor not in self._known:
            own = Rollout(self._unknown, self._family, self._prompts.setdefault(actor, Prompts()), actor)
            before = Rollout(self._unknown, Family(), actor=actor, name="copied")
            self._known[actor] = _Both(own, before, Copied())
        return self._known[actor]


def _marked(event: Event, actor: str, *, copied: bool) -> Event:
    """As the sub-agent's whose file it stands in: what it was told, the agent told it that started it."""
    if isinstance(event, Prompted) and event.by == "user" and actor:
        event = msgspec.structs.replace(event, by="harness")
    return msgspec.structs.replace(event, actor=event.actor or actor, copied=copied)


def _bounds(event: Event) -> bool:
    """Whether it says that something began or ended: copied, it did so elsewhere."""
    return isinstance(event, RunStarted | RunEnded)

"""Sub-agents: who started them, and whether they still run."""

from __future__ import annotations

from dataclasses import dataclass, replace

from monitor.agents.claude.where import CHILD, ENDED, Where, of_actor
from monitor.events import Event, RunEnded, RunStarted

_MOST = 2_048
"""Sub-agents remembered."""


@dataclass(slots=True)
class Child:
    """One sub-agent."""

    parent: str = ""
    call: str = ""
    model: str = ""
    open: bool = True
    """It has not ended, or works again."""
    ended: float | None = None
    finished: bool = False
    """Its own file says that it is finished; without a time."""


class Children:
    """The sub-agents of a run by their id, and by the call that started each."""

    def __init__(self) -> None:
        self._known: dict[str, Child] = {}
        self._called: dict[str, str] = {}

    @property
    def running(self) -> bool:
        """Whether any has not ended."""
        return any(child.open for child in self._known.values())

    def get(self, actor: str) -> Child | None:
        """The sub-agent with this id."""
        return self._known.get(actor)

    def named(self, call: str) -> str:
        """The id of the sub-agent that a call started; the call's own where no other is known."""
        return self._called.get(call, call)

    def started(
        self, actor: str, where: Where, *, parent: str | None = None, call: str = "", task: str = "", model: str = ""
    ) -> list[Event]:
        """What is new about a sub-agent."""
        child = self._known.get(actor)
        new = child is None
        if child is None:
            child = self._known[actor] = Child()
            if len(self._known) > _MOST:
                del self._known[next(iter(self._known))]
        same = (not call or call == child.call) and (not model or model == child.model)
        if not new and same and (not parent or parent == child.parent):
            return []
        child.parent, child.call, child.model = parent or child.parent, call or child.call, model or child.model
        if call:
            self._called.setdefault(call, actor)
            if len(self._called) > _MOST:
                del self._called[next(iter(self._called))]
        at = of_actor(where, actor, CHILD)
        return [RunStarted(parent=child.parent, parent_call=child.call, task=task, model=child.model, **at)]

    def placed(self, call: str, parent: str, where: Where) -> list[Event]:
        """The call that started a sub-agent is only read now: who made it is its parent."""
        actor = self._called.get(call, "")
        child = self._known.get(actor)
        if child is None or not parent or parent == actor or child.parent:
            return []
        return self.started(actor, where, parent=parent)

    def worked(self, actor: str, at: float | None) -> None:
        """A sub-agent that had ended works again; records that are only read late do not mean that."""
        child = self._known.get(actor)
        if child is not None and not child.open:
            child.open = at is None or child.ended is None or at > child.ended

    def end(self, actor: str, status: str, reason: str, where: Where) -> list[Event]:
        """The end of a sub-agent that runs."""
        child = self._known.get(actor)
        if child is None or not child.open:
            return []
        child.open, child.ended = False, where["at"]
        return [RunEnded(status=status, reason=reason, **of_actor(where, actor, ENDED))]

    def copy(self) -> Children:
        """Another that goes on from here."""
        other = Children()
        other._known = {actor: replace(child) for actor, child in self._known.items()}
        other._called = dict(self._called)
        return other

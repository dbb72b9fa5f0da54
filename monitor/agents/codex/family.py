"""The threads that one run is made of: its root, and the sub-agents below it, as they are told of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from monitor.events import RunStarted
from monitor.text import clean

_MOST = 2_000
"""Sub-agents that are told apart."""


@dataclass(frozen=True, slots=True)
class About:
    """What is told of a sub-agent besides; empty fields say nothing."""

    task: str = ""
    model: str = ""
    cwd: str = ""
    version: str = ""


_NOTHING = About()


class Family:
    """A sub-agent is an actor under the id of its thread; the root is the actor without a name."""

    def __init__(self) -> None:
        self.root = ""
        self.turn = ""
        """The root's latest turn on the wire, which those of its sub-agents name."""
        self._parents: dict[str, str] = {}
        """The actor that started each; empty for the root, and where it is not known."""
        self._calls: dict[str, str] = {}

    def actor(self, thread: str) -> str | None:
        """Who works in a thread; none for a thread of another run."""
        if thread == self.root or not self.root:
            return ""
        return clean(thread) if thread in self._parents else None

    def actors(self) -> Iterator[str]:
        """The sub-agents that are known."""
        return map(clean, self._parents)

    def joins(self, thread: str, parent: str, call: str = "", about: About = _NOTHING) -> Iterator[RunStarted]:
        """A sub-agent was started, or more is known of who did it; nothing where this is no news."""
        known = self._parents.get(thread), self._calls.get(thread)
        begun = self.begun(thread, parent, call, about)
        if begun is not None and known != (self._parents[thread], self._calls[thread]):
            yield begun

    def begun(self, thread: str, parent: str, call: str = "", about: About = _NOTHING) -> RunStarted | None:
        """A sub-agent says so itself; none where it is none, or one too many."""
        known = self._parents.get(thread)
        if not thread or thread == self.root or (known is None and len(self._parents) >= _MOST):
            return None
        above = parent if parent in self._parents and not self._below(parent, thread) else ""
        self._parents[thread] = known or above
        self._calls[thread] = self._calls.get(thread) or call
        return RunStarted(
            actor=clean(thread), parent=clean(self._parents[thread]), parent_call=self._calls[thread],
            session=clean(thread), task=about.task, model=about.model, cwd=about.cwd, version=about.version,
        )  # fmt: skip

    def copy(self) -> Family:
        """Another that goes on from here."""
        other = Family()
        other.root, other.turn = self.root, self.turn
        other._parents, other._calls = dict(self._parents), dict(self._calls)
        return other

    def _below(self, thread: str, above: str) -> bool:
        """Whether a thread stands below another, or is it."""
        while thread and thread != above:
            thread = self._parents.get(thread, "")
        return thread == above

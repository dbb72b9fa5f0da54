"""Which sessions a run is made of: one that a user works with, and those that its sub-agents work in."""

from __future__ import annotations

from collections.abc import Iterator

from monitor.agents.opencode.parts import keep
from monitor.agents.opencode.session import Session

_MOST = 1_000
"""Sessions that are told apart."""


class Tree:
    """The sessions met so far; the first that holds messages is the root unless it is named before."""

    def __init__(self, root: str = "", *, ends: bool = False) -> None:
        self.root = root
        self._ends = ends
        self._parents: dict[str, str] = {}
        self._sessions: dict[str, Session] = {}
        self._started: dict[str, str] = {}
        """Of each sub-agent, the call that started it, where that was told."""
        self.strangers = False
        """A session was met that belongs to another run."""

    def copy(self) -> Tree:
        """Another that goes on from here."""
        other = Tree(self.root, ends=self._ends)
        other._parents, other._started, other.strangers = dict(self._parents), dict(self._started), self.strangers
        other._sessions = {name: session.copy() for name, session in self._sessions.items()}
        return other

    def adopt(self, name: str, parent: str) -> bool:
        """A session was started by another; whether that is news."""
        if not name or not parent or name == self.root or name in self._parents or len(self._parents) >= _MOST:
            return False
        self._parents[name] = parent
        return True

    def member(self, name: str) -> bool:
        """Whether a session belongs to the run."""
        seen = set()
        while name and name != self.root and name not in seen:
            seen.add(name)
            name = self._parents.get(name, "")
        return bool(name) and name == self.root

    def session(self, name: str, *, begins: bool) -> Session | None:
        """The session of that name; none for another run's. One that `begins` may become the root."""
        if not name or (not self.root and not begins):
            return None
        self.root = self.root or name
        if not self.member(name):
            self.strangers = True
            return None
        if name not in self._sessions:
            self._sessions[name] = Session(name, "" if name == self.root else name, ends=self._ends)
            if len(self._sessions) > _MOST:
                del self._sessions[next(one for one in self._sessions if one != self.root)]
        return self._sessions[name]

    def started(self, name: str, call: str) -> bool:
        """Whether it is news that a sub-agent was started, by this call where one is named."""
        known = self._started.get(name)
        if not name or not self.member(name) or known == call or (known and not call):
            return False
        keep(self._started, name, call)
        return True

    def parent(self, name: str) -> str:
        """The actor that started a sub-agent."""
        parent = self._parents.get(name, "")
        return "" if parent == self.root else parent

    def sessions(self) -> Iterator[Session]:
        """Those met, sub-agents first: the root ends last."""
        yield from (one for one in self._sessions.values() if one.actor)
        yield from (one for one in self._sessions.values() if not one.actor)

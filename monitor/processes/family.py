"""The processes of one run: the agent's own, all it started, and what outlives the shell that started it."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from monitor.processes.census import CENSUS
from monitor.processes.identity import Identity, carries, identify, ours
from monitor.processes.signals import untouchable
from monitor.processes.suspects import Suspect, Traits, suspects, traits
from monitor.processes.table import Entry, read

_MOST = 4_000
"""Processes that are remembered."""


@dataclass(frozen=True, slots=True)
class Member:
    """One process of the run."""

    identity: Identity
    depth: int
    """Steps below the agent's own process, which is 0; what has lost its parent is 1."""
    group: int
    session: int
    state: str
    foreground: bool = False


class Family:
    """Knows the run's processes as long as they live; any thread may ask.

    A shell of an agent leads a session of its own, and what it started stays in that session when the shell is
    gone. So a process is the run's when its parent is, when it was seen to be, when it is in a session that the
    run made and that was the run's at every look since, or when it carries the run's `mark` in its environment
    (`NAME=value`, given to what monitor itself starts). What got rid of all that and shares something else with it is
    a suspect: it is told of, and is none of its processes.
    """

    def __init__(self, root: Identity, mark: str = "") -> None:
        self.root = root
        self._mark = mark
        first = read(root.pid)
        self._own = first.session if first is not None and first.started == root.started else 0
        self._traits: Traits | None = None
        self._known: dict[int, Member] = {}
        self._unmarked: set[tuple[int, float]] = set()
        """Processes that were seen not to carry the mark, by number and start."""
        self._asking = threading.Lock()

    def look(self, within: float = 0.0) -> tuple[Member, ...]:
        """Those that live now, the agent's own first, each after its parent.

        With `within`, those of a reading of all processes that is no older than so many seconds, and of those that
        were known before nothing is asked again: enough to know what is the run's, not to signal it.
        """
        with self._asking:
            entries = CENSUS.within(within)
            known = {
                pid: member
                for pid, member in self._known.items()
                if (entry := entries.get(pid)) and entry.started == member.identity.started and not entry.ended
            }
            self._known = self._grown(known, entries, anew=not within)
            return tuple(sorted(self._known.values(), key=lambda one: (one.depth, one.identity.begun)))

    def suspects(self) -> tuple[Suspect, ...]:
        """Those that may belong to it besides, with the reason: never to be signalled."""
        with self._asking:
            return suspects(self._traits, CENSUS.within(0), self._known) if self._traits is not None else ()

    def lives(self) -> bool:
        """Whether the agent's own process does."""
        return any(member.identity.pid == self.root.pid for member in self.look())

    def _grown(self, known: dict[int, Member], entries: Mapping[int, Entry], *, anew: bool) -> dict[int, Member]:
        """The known ones as they are now, and all that belongs to them."""
        found: dict[int, Member] = {}
        self._unmarked = set() if anew else {key for key in self._unmarked if key[0] in entries}
        first = entries.get(self.root.pid)
        if first is not None and first.started == self.root.started and not first.ended:
            seen = known.get(first.pid)
            found[first.pid] = _member(self._renewed() if anew or seen is None else seen.identity, 0, first)
            self._own, self._traits = first.session, traits(first, entries)
        for pid, member in known.items():
            if pid not in found and (identity := identify(pid) if anew else member.identity) is not None:
                found[pid] = _member(identity, member.depth, entries[pid])
        barred = ours(entries)
        while fresh := self._next(found, entries, barred):
            found |= fresh
        return found

    def _renewed(self) -> Identity:
        """The agent's own process as it is now. Only one that we started may have become another program since."""
        now = identify(self.root.pid)
        return now if now is not None and self._mark and now.started == self.root.started else self.root

    def _next(
        self, found: Mapping[int, Member], entries: Mapping[int, Entry], barred: frozenset[int]
    ) -> dict[int, Member]:
        """Those that belong to them and are not among them yet."""
        sessions = self._sessions(found)
        fresh: dict[int, Member] = {}
        for pid, entry in entries.items():
            if entry.started < self.root.started or pid in found or pid in barred or entry.ended:
                continue
            if len(found) + len(fresh) >= _MOST:
                break
            parent = found.get(entry.parent)
            child = parent is not None and entry.started >= parent.identity.started
            if not child and entry.session not in sessions and not self._marked(entry):
                continue
            identity = identify(pid)
            if identity is not None and identity.started == entry.started:
                fresh[pid] = _member(identity, parent.depth + 1 if parent is not None and child else 1, entry)
        return fresh

    def _sessions(self, found: Mapping[int, Member]) -> set[int]:
        """Sessions that the run has made: the agent's own where it leads one, and those its descendants began.

        A session is inherited or begun, never joined: one that differs from the agent's own was begun below it.
        """
        led = {one.session for one in found.values() if one.session != self._own or self._own == self.root.pid}
        return led - {os.getsid(0), 0}

    def _marked(self, entry: Entry) -> bool:
        key = entry.pid, entry.started
        if not self._mark or entry.started < self.root.started or key in self._unmarked:
            return False
        if carries(entry.pid, self._mark):
            return True
        self._unmarked.add(key)
        return False


def reachable(members: Sequence[Member]) -> tuple[Member, ...]:
    """Those that may be signalled."""
    return tuple(member for member in members if not untouchable(member.identity))


def _member(identity: Identity, depth: int, entry: Entry) -> Member:
    return Member(identity, depth, entry.group, entry.session, entry.state, entry.foreground)

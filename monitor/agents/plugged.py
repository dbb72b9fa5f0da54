"""Agents that other packages add, by the entry-point group `monitor.agents`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from monitor.agents.guarded import Guard, GuardedFinder, GuardedLister, fault, lacks
from monitor.agents.listed import Lister
from monitor.agents.protocol import Finder
from monitor.text import line

GROUP = "monitor.agents"
_FINDS = ("open", "named", "sniff", "pipe")
_LISTS = ("places", "listed")


@dataclass(frozen=True, slots=True)
class Plug:
    """One agent of another package: its module or object has a `FINDER`, and may have a `LISTER` and `READS`."""

    name: str
    """The name of the entry point."""
    origin: str
    """The package and its version."""
    finder: Finder | None = None
    lister: Lister | None = None
    reads: str = ""
    """What is read of it, in a few words."""
    problem: str = ""
    """Why it cannot be used; empty where it can."""
    guard: Guard = field(default_factory=lambda: Guard(""))

    @property
    def fault(self) -> str:
        """What went wrong in it while it was used; empty while nothing did."""
        return self.guard.problem


@cache
def plugged() -> Sequence[Plug]:
    """Every such agent, in the order of their names; one that is broken is told, and harms no other."""
    return tuple(_plug(one) for one in sorted(entry_points(group=GROUP), key=lambda one: one.name))


def _plug(point: EntryPoint) -> Plug:
    name, origin = line(point.name), _origin(point)
    try:
        found = point.load()
    except (Exception, SystemExit) as error:  # noqa: BLE001 - it is not our code, and the monitor must start without it
        return Plug(name, origin, problem=fault(error))
    finder, lister = getattr(found, "FINDER", None), getattr(found, "LISTER", None)
    if finder is None or (missing := lacks(finder, _FINDS)):
        return Plug(name, origin, problem=f"its FINDER has no {missing}")
    if lister is not None and (missing := lacks(lister, _LISTS)):
        return Plug(name, origin, problem=f"its LISTER has no {missing}")
    guard = Guard(name)
    lists = GuardedLister(lister, guard) if lister is not None else None
    return Plug(name, origin, GuardedFinder(finder, guard), lists, line(str(getattr(found, "READS", ""))), guard=guard)


def _origin(point: EntryPoint) -> str:
    package = point.dist
    return line(f"{package.name} {package.version}") if package is not None else "an unknown package"

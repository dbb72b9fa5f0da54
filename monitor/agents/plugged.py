"""Agents that other packages add, by the entry-point group `monitor.agents`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from monitor.agents.listed import Lister
from monitor.agents.protocol import Finder
from monitor.text import line, shorten

GROUP = "monitor.agents"
_FINDS = ("open", "named", "sniff", "pipe")
_LISTS = ("places", "listed")
_LONGEST = 200


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


@cache
def plugged() -> Sequence[Plug]:
    """Every such agent, in the order of their names; one that is broken is told, and harms no other."""
    return tuple(_plug(one) for one in sorted(entry_points(group=GROUP), key=lambda one: one.name))


def _plug(point: EntryPoint) -> Plug:
    name, origin = line(point.name), _origin(point)
    try:
        found = point.load()
    except (Exception, SystemExit) as error:  # noqa: BLE001 - it is not our code, and the monitor must start without it
        return Plug(name, origin, problem=shorten(line(f"{type(error).__name__}: {error}"), _LONGEST))
    finder, lister = getattr(found, "FINDER", None), getattr(found, "LISTER", None)
    if missing := _missing(finder, _FINDS):
        return Plug(name, origin, problem=f"its FINDER has no {missing}")
    if lister is not None and (missing := _missing(lister, _LISTS)):
        return Plug(name, origin, finder, problem=f"its LISTER has no {missing}")
    return Plug(name, origin, finder, lister, line(str(getattr(found, "READS", ""))))


def _missing(found: Any, names: Sequence[str]) -> str:
    return ", ".join(name for name in names if not callable(getattr(found, name, None)))


def _origin(point: EntryPoint) -> str:
    package = point.dist
    return line(f"{package.name} {package.version}") if package is not None else "an unknown package"

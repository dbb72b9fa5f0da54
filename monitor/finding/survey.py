"""Looks over the whole machine: every agent's runs, each once, and where was looked."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from monitor.agents.listed import Ends, Listed, Lister, Machine
from monitor.finding.ends import FileEnds
from monitor.finding.machine import look as processes
from monitor.finding.standing import Place

_BY_FOLDER = ("dirtywork",)
"""Agents that tell next to nothing on their output: a run of theirs is read in the folder it makes, whoever started it."""


_AHEAD = 86_400.0
"""Seconds by which another clock may be ahead; a time beyond that says nothing of when."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """What there is at one moment."""

    runs: tuple[Listed, ...] = ()
    """Each run once, what wrote last first."""
    places: tuple[Place, ...] = ()


class Survey:
    """Looks again and again; a file is read again only when it was written to."""

    def __init__(
        self,
        listers: Iterable[tuple[str, Lister]],
        machine: Callable[[], Machine] = processes,
        ends: Ends | None = None,
    ) -> None:
        self._listers = tuple(listers)
        self._machine = machine
        self._ends = ends or FileEnds()

    def look(self) -> Sighting:
        """Every run of this machine that can be seen; never raises."""
        machine = self._machine()
        runs: list[Listed] = []
        places: list[Place] = []
        for agent, lister in self._listers:
            found, problem = _listed(lister, machine, self._ends)
            runs += found
            places += [_place(agent, path, found, problem) for path in lister.places()]
        once = merged(runs)
        latest = time.time() + _AHEAD
        once.sort(key=lambda one: (-(one.last or 0.0) if (one.last or 0.0) <= latest else 0.0, one.key))
        return Sighting(tuple(once), tuple(places))


def merged(runs: Sequence[Listed]) -> list[Listed]:
    """Each run once: what monitor started goes before the agent's own word for it, and that before a journal.

    A process that monitor did not start may work on several runs: it makes them no single one.
    """
    kept: list[Listed] = []
    by_name: dict[str, int] = {}
    by_pid: dict[int, int] = {}
    for one in sorted(runs, key=_order):
        names = (one.session, one.alias) if one.session and one.alias else (one.session or one.alias or one.key,)
        pid = one.pid if one.state != "unknown" else None
        at = next((by_name[name] for name in names if name in by_name), len(kept))
        if pid is not None:
            at = by_pid.get(pid, at) if at == len(kept) else at
            if one.ours:
                by_pid.setdefault(pid, at)
        if at == len(kept):
            kept.append(one)
        else:
            kept[at] = _joined(kept[at], one)
        for name in names:
            by_name.setdefault(name, at)
    return kept


def together(runs: Iterable[Listed]) -> dict[str, tuple[Listed, ...]]:
    """By folder, the live runs of each that has more than one."""
    found: dict[str, list[Listed]] = {}
    for one in runs:
        if one.alive and one.folder:
            found.setdefault(one.folder.rstrip("/") or "/", []).append(one)
    return {folder: tuple(there) for folder, there in found.items() if len({one.pid for one in there}) > 1}


def _order(one: Listed) -> int:
    return 2 if _is_journal(one) else 0 if one.ours else 1


def _is_journal(one: Listed) -> bool:
    return one.ours and one.path is not None and one.path.suffix == ".jsonl"


def _joined(first: Listed, other: Listed) -> Listed:
    """What is known of one run, told twice; a journal is written to by monitor, which is no word of the agent's."""
    closer = first.state in ("live", "unknown") and other.state in ("waiting", "idle", "live", "ended")
    written = [first.last, None if _is_journal(other) and first.last is not None else other.last]
    closer = closer and (first.state == "unknown" or other.state != "ended")
    own = first.agent in _BY_FOLDER and other.agent == first.agent and not _is_journal(other)
    return replace(
        first,
        path=other.path if own else first.path,
        state=other.state if closer else first.state,
        how=other.how if closer else first.how,
        title=other.title if first.ours and other.title and not other.ours else first.title,
        version=first.version or other.version,
        began=first.began or other.began,
        last=max((at for at in written if at is not None), default=None),
        pid=first.pid if first.pid is not None else other.pid,
    )


def _listed(lister: Lister, machine: Machine, ends: Ends) -> tuple[list[Listed], str]:
    found: list[Listed] = []
    try:
        for one in lister.listed(machine, ends):
            found.append(one)  # noqa: PERF402 - what was listed before a fault is kept
    except Exception as error:  # noqa: BLE001 - a fault of one agent's folder, a plug-in's too, hides no other run
        return found, f"{type(error).__name__}: {error}"
    return found, ""


def _place(agent: str, path: Path, found: Sequence[Listed], problem: str) -> Place:
    if not problem:
        try:
            next(path.iterdir(), None)
        except FileNotFoundError:
            problem = "not there"
        except OSError as error:
            problem = error.strerror or str(error)
    begins = f"{path}/"
    inside = sum(str(one.path).startswith(begins) for one in found) if not problem else 0
    return Place(agent, path, inside, problem)

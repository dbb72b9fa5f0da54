"""How every run of this machine stands: what the overview shows, frozen."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from monitor.agents.listed import Listed
from monitor.findings import LEVELS, Finding
from monitor.snapshot import Snapshot, Verdict

_LOUD = frozenset({"failed", "blocked", "looping", "not made"})


@dataclass(frozen=True, slots=True)
class Place:
    """Where was looked, and what came of it."""

    agent: str
    path: Path
    found: int = 0
    problem: str = ""
    """Why nothing could be seen there; empty where it could."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One run, as far as it is known now."""

    listed: Listed
    snapshot: Snapshot | None = None
    """What its log says; none while it has not been read."""
    attached: bool = False
    """It is followed, and can be acted on."""
    over: bool = False
    """It was followed to its end."""
    new: int = 0
    """Rows that came since it was last looked at; 0 where it never was."""
    fresh: bool = False
    """It ended while it was followed, and nobody has looked at it since."""
    together: tuple[str, ...] = ()
    """Other live runs in the same folder, by their agents and processes."""
    problem: str = ""
    """Why it could not be read."""

    @property
    def key(self) -> str:
        """What tells it from every other."""
        return self.listed.key

    @property
    def agent(self) -> str:
        """The agent's own name, where only its log says it."""
        told = self.snapshot.run.agent if self.snapshot is not None else ""
        return replace(self.listed, name=told or self.listed.name).called

    @property
    def alive(self) -> bool:
        """Whether it belongs to the live ones."""
        return self.listed.alive and not self.over

    @property
    def unclear(self) -> bool:
        """Nobody can tell whether it still runs."""
        return not self.alive and not self.over and self.listed.state == "unknown"

    @property
    def verdict(self) -> Verdict | None:
        """What its log says; of a run that lives no more never that it runs, though its log holds no end."""
        told = self.snapshot.verdict if self.snapshot is not None else None
        if told is None or self.alive or told.state != "running":
            return told
        why = self.problem or self.listed.how
        return replace(told, state="unknown", reason=f"Its log holds no end, and it runs no more: {why}")

    @property
    def worst(self) -> Finding | None:
        """Its most pressing open finding."""
        found = self.snapshot.findings if self.snapshot is not None else ()
        return next((one for one in found if one.state == "open"), None)

    @property
    def urgency(self) -> int:
        """How much it needs somebody: 3 it waits, 2 at the level of a stop, 1 it ended with a verdict, 0 it does not."""
        if not self.alive:
            return 1 if self.fresh else 0
        told = self.snapshot.verdict.state if self.snapshot is not None else ""
        if told == "waiting" or (self.listed.state == "waiting" and not told):
            return 3
        worst = self.worst
        return 2 if told in _LOUD or (worst is not None and worst.level == LEVELS[-1]) else 0


@dataclass(frozen=True, slots=True)
class FleetView:
    """Every run of the machine at one moment."""

    live: tuple[Standing, ...] = ()
    ended: tuple[Standing, ...] = ()
    """What has ended, or of which nobody can tell; what wrote last first."""
    places: tuple[Place, ...] = ()
    looked: bool = False
    """Whether the machine was looked over at all yet."""
    beyond: int = 0
    """Live runs that are listed alone: there was no room to follow them."""


def standing(view: FleetView, key: str) -> Standing | None:
    """The run of that key."""
    return next((one for one in (*view.live, *view.ended) if one.key == key), None)

"""What the folder detector shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from monitor.findings import Finding, Spot

MOVES = 200
"""Moves kept, the last."""
How = Literal["moved", "wrote", "put back"]
"""`put back`: the harness did not let it stay there."""


@dataclass(frozen=True, slots=True)
class Move:
    """An actor left the project, or wrote outside it."""

    spot: Spot
    to: str
    """The folder it went to, or wrote in."""
    how: How
    actor: str = ""


@dataclass(frozen=True, slots=True)
class FolderView:
    """Where actors worked outside the project."""

    moves: tuple[Move, ...] = ()
    """Oldest first; the last 200."""
    outside: tuple[tuple[str, str], ...] = ()
    """The actors that work outside now, each with its folder."""
    project: str = ""
    findings: tuple[Finding, ...] = ()

"""Decodes SWE-agent's trajectories: a document that is rewritten whole after each step."""

from __future__ import annotations

from monitor.agents.growing import DocumentDecoder
from monitor.agents.swe_agent.story import Trajectory


def decoder() -> DocumentDecoder:
    """A fresh decoder of one trajectory."""
    return DocumentDecoder(_trajectory)


def is_trajectory(found: object) -> bool:
    """Whether a value is a trajectory by its shape."""
    steps = found.get("trajectory") if isinstance(found, dict) else None
    return isinstance(steps, list) and all(isinstance(one, dict) and "action" in one for one in steps)


def _trajectory(found: object) -> Trajectory | str:
    return Trajectory(found) if isinstance(found, dict) and is_trajectory(found) else "no trajectory"

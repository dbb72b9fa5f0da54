"""Decodes trajectories in the form of Harbor: one document a run."""

from __future__ import annotations

from monitor.agents.atif.story import Trajectory
from monitor.agents.fields import raw
from monitor.agents.growing import DocumentDecoder


def decoder() -> DocumentDecoder:
    """A fresh decoder of one trajectory."""
    return DocumentDecoder(_trajectory)


def is_trajectory(found: object) -> bool:
    """Whether a value says that it is of this form."""
    return isinstance(found, dict) and raw(found, "schema_version").startswith("ATIF-")


def _trajectory(found: object) -> Trajectory | str:
    if not isinstance(found, dict) or not isinstance(found.get("steps"), list):
        return "no trajectory"
    return Trajectory(found)

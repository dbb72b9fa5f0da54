"""Decodes mini-swe-agent's trajectories: a document that is rewritten whole, or the bare list of its messages."""

from __future__ import annotations

from collections.abc import Sequence

from monitor.agents.fields import Object, part, parts, raw
from monitor.agents.growing import DocumentDecoder
from monitor.agents.mini_swe_agent.story import Trajectory


def decoder() -> DocumentDecoder:
    """A fresh decoder of one trajectory."""
    return DocumentDecoder(_trajectory)


def is_trajectory(found: object) -> bool:
    """Whether a value is a trajectory by its shape."""
    if isinstance(found, dict):
        return raw(found, "trajectory_format").startswith("mini-swe-agent") or "mini_version" in part(found, "info")
    return _messages(found) is not None


def _trajectory(found: object) -> Trajectory | str:
    told = _messages(found)
    return Trajectory(*told) if told is not None else "no trajectory"


def _messages(found: object) -> tuple[Object, Sequence[Object]] | None:
    if isinstance(found, dict) and isinstance(found.get("messages"), list):
        return part(found, "info"), parts(found, "messages")
    if isinstance(found, list) and found and all(isinstance(one, dict) and "role" in one for one in found):
        return {}, found
    return None

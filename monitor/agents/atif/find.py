"""Finds trajectories in the form of Harbor."""

from __future__ import annotations

import re
from pathlib import Path

from monitor.agents.atif.decode import decoder, is_trajectory
from monitor.agents.single import as_document
from monitor.agents.trajectories import Trajectories

_BEGINS = re.compile(rb'\s*\{\s*"schema_version"\s*:\s*"ATIF-v\d')
_PLACES = ("trajectory.json", "agent/trajectory.json")
"""Where Harbor puts the trajectory in a trial's folder."""


def _knows(path: Path, head: bytes) -> bool:
    """By what it says of itself."""
    return _BEGINS.match(head) is not None or (b'"steps"' in head and is_trajectory(as_document(path, head)))


FINDER = Trajectories("atif", decoder, _knows, lambda folder: (folder / place for place in _PLACES))

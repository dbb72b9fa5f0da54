"""Finds SWE-agent's trajectories."""

from __future__ import annotations

import re
from pathlib import Path

from monitor.agents.single import as_document
from monitor.agents.swe_agent.decode import decoder, is_trajectory
from monitor.agents.trajectories import Trajectories, newest

_BEGINS = re.compile(
    rb'\s*\{\s*(?:"environment"\s*:\s*"[^"]*"\s*,\s*)?"trajectory"\s*:\s*\[\s*\{\s*"(?:action|observation|response|thought)"\s*:'
)
_SUFFIX = ".traj"


def _knows(path: Path, head: bytes) -> bool:
    if _BEGINS.match(head) is not None:
        return True
    return (path.suffix == _SUFFIX or b'"trajectory"' in head) and is_trajectory(as_document(path, head))


FINDER = Trajectories("swe-agent", decoder, _knows, lambda folder: newest(folder, _SUFFIX))

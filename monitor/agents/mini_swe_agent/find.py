"""Finds mini-swe-agent's trajectories."""

from __future__ import annotations

import re
from pathlib import Path

from monitor.agents.mini_swe_agent.decode import decoder, is_trajectory
from monitor.agents.single import as_document
from monitor.agents.trajectories import Trajectories, newest

_BEGINS = re.compile(
    rb'\s*\{\s*"(?:info|messages|trajectory_format)"\s*:.*?'
    rb'(?:"mini_version"\s*:|"trajectory_format"\s*:\s*"mini-swe-agent|"minisweagent\.|mswea_bash_command'
    rb"|COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT)",
    re.DOTALL,
)
_LIST = re.compile(
    rb'\s*\[\s*\{\s*"role"\s*:\s*"system".*?(?:mswea_bash_command|(?:COMPLETE_TASK_AND|MINI_SWE_AGENT)_\w*FINAL_OUTPUT)',
    re.DOTALL,
)
_NAMES = (".traj.json", ".trajectory.json")


def _knows(path: Path, head: bytes) -> bool:
    if _BEGINS.match(head) is not None or _LIST.match(head) is not None:
        return True
    perhaps = b'"mini-swe-agent' in head or b'"info"' in head[:200]
    return perhaps and is_trajectory(as_document(path, head))


FINDER = Trajectories("mini-swe-agent", decoder, _knows, lambda folder: newest(folder, *_NAMES))

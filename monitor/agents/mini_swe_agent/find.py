"""Finds mini-swe-agent's trajectories."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from monitor.agents.mini_swe_agent.decode import decoder, is_trajectory
from monitor.agents.protocol import Found
from monitor.agents.single import Single, as_document, head_of

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
_AGENT = "mini-swe-agent"
_NAMES = (".traj.json", ".trajectory.json")


class MiniFinder:
    """Recognises a trajectory, whatever it is called."""

    def open(self, path: Path) -> Found | None:
        """The run in a file; in a folder, the newest trajectory."""
        if path.is_dir():
            return self._newest(path)
        head = head_of(path)
        known = _BEGINS.match(head) is not None or _LIST.match(head) is not None
        if not known and b'"mini-swe-agent' not in head and b'"info"' not in head[:200]:
            return None
        if not known and not is_trajectory(as_document(path, head)):
            return None
        return Single(_AGENT, path, decoder, role="trajectory")

    def sniff(self, head: bytes) -> bool:
        """Never: a trajectory is no stream."""
        del head
        return False

    def pipe(self, name: str) -> Found:
        """A trajectory that is piped in as one line."""
        return Single(_AGENT, None, decoder, role="trajectory", shape="lines", name=name)

    def named(self, session: str) -> Iterable[Found]:
        """None: trajectories lie wherever the user puts them."""
        del session
        return ()

    def _newest(self, folder: Path) -> Found | None:
        try:
            paths = [path for path in folder.iterdir() if path.name.endswith(_NAMES) and path.is_file()]
            paths.sort(key=lambda path: path.stat().st_mtime, reverse=True)
        except OSError:
            return None
        return next((found for path in paths[:100] if (found := self.open(path)) is not None), None)


FINDER = MiniFinder()

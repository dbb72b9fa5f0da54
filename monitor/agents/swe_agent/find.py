"""Finds SWE-agent's trajectories."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from monitor.agents.protocol import Found
from monitor.agents.single import Single, as_document, head_of
from monitor.agents.swe_agent.decode import decoder, is_trajectory

_BEGINS = re.compile(
    rb'\s*\{\s*(?:"environment"\s*:\s*"[^"]*"\s*,\s*)?"trajectory"\s*:\s*\[\s*\{\s*"(?:action|observation|response|thought)"\s*:'
)
_AGENT = "swe-agent"


class SweFinder:
    """Recognises a trajectory, whatever it is called."""

    def open(self, path: Path) -> Found | None:
        """The run in a file; in a folder, the newest trajectory."""
        if path.is_dir():
            return self._newest(path)
        head = head_of(path)
        known = _BEGINS.match(head) is not None
        if not known and path.suffix != ".traj" and b'"trajectory"' not in head:
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
            paths = [path for path in folder.iterdir() if path.suffix == ".traj" and path.is_file()]
            paths.sort(key=lambda path: path.stat().st_mtime, reverse=True)
        except OSError:
            return None
        return next((found for path in paths[:100] if (found := self.open(path)) is not None), None)


FINDER = SweFinder()

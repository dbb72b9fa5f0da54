"""Finds trajectories in the form of Harbor."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from monitor.agents.atif.decode import decoder, is_trajectory
from monitor.agents.protocol import Found
from monitor.agents.single import Single, as_document, head_of

_BEGINS = re.compile(rb'\s*\{\s*"schema_version"\s*:\s*"ATIF-v\d')
_AGENT = "atif"
_PLACES = ("trajectory.json", "agent/trajectory.json")
"""Where Harbor puts the trajectory in a trial's folder."""


class AtifFinder:
    """Recognises a trajectory by what it says of itself, whatever it is called."""

    def open(self, path: Path) -> Found | None:
        """The run in a file; in the folder of a trial, its trajectory."""
        if path.is_dir():
            return next((found for place in _PLACES if (found := self._file(path / place)) is not None), None)
        return self._file(path)

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

    def _file(self, path: Path) -> Found | None:
        head = head_of(path)
        known = _BEGINS.match(head) is not None
        if not known and (b'"steps"' not in head or not is_trajectory(as_document(path, head))):
            return None
        return Single(_AGENT, path, decoder, role="trajectory")


FINDER = AtifFinder()

"""Finds OpenCode's runs: logs of its events, exports, and the sessions in its database."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from monitor.agents.opencode.decode import OpenCodeDecoder
from monitor.agents.opencode.sniff import shape_of
from monitor.agents.protocol import Found
from monitor.agents.single import Single, head_of

AGENT = "opencode"
STREAM = "stream"
"""The role of the input."""


class OpenCodeFinder:
    """Recognises what OpenCode tells, whatever it is called."""

    def open(self, path: Path) -> Found | None:
        """The run in a file."""
        shape = shape_of(head_of(path))
        if shape is None or shape == "database":
            return None
        return Single(AGENT, path, OpenCodeDecoder, role=STREAM, shape=shape)

    def sniff(self, head: bytes) -> bool:
        """Whether this is the beginning of a stream of events, or of what `opencode run --format json` prints."""
        return shape_of(head) == "lines"

    def pipe(self, name: str) -> Found:
        """A stream that is piped in."""
        return Single(AGENT, None, OpenCodeDecoder, role=STREAM, shape="lines", name=name)

    def named(self, session: str) -> Iterable[Found]:
        """None yet."""
        del session
        return ()


FINDER = OpenCodeFinder()

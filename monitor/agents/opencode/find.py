"""Finds OpenCode's runs: logs of its events, exports, and the sessions in its database."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from monitor.agents.opencode.database import database
from monitor.agents.opencode.decode import OpenCodeDecoder
from monitor.agents.opencode.live import at, working_on
from monitor.agents.opencode.sniff import shape_of
from monitor.agents.opencode.stored import Stored, named, newest
from monitor.agents.protocol import Found
from monitor.agents.single import Single, head_of

AGENT = "opencode"
STREAM = "stream"
"""The role of the input."""
_SESSION = re.compile(r"ses_[0-9A-Za-z]{1,60}")
_DATABASE = "opencode.db"


class OpenCodeFinder:
    """Recognises what OpenCode tells, whatever it is called."""

    def open(self, path: Path) -> Found | None:
        """The run in a file; of a database, or of the folder it lies in, the session that was written to last.

        `DATABASE/ses_…` names a session of a database.
        """
        if _SESSION.fullmatch(path.name) and path.parent.is_file():
            return next((_best(one) for one in named(path.parent, path.name)), None)
        if path.is_dir():
            inner = path / _DATABASE
            return newest(inner) if inner.is_file() else None
        shape = shape_of(head_of(path))
        if shape == "database":
            return newest(path)
        return Single(AGENT, path, OpenCodeDecoder, role=STREAM, shape=shape) if shape is not None else None

    def sniff(self, head: bytes) -> bool:
        """Whether this is the beginning of a stream of events, or of what `opencode run --format json` prints."""
        return shape_of(head) == "lines"

    def pipe(self, name: str) -> Found:
        """A stream that is piped in."""
        return Single(AGENT, None, OpenCodeDecoder, role=STREAM, shape="lines", name=name)

    def named(self, session: str) -> Iterable[Found]:
        """The sessions of this user whose ids begin like this."""
        found = named(database(), session) if _SESSION.fullmatch(session) and database().is_file() else []
        return [_best(found[0])] if len(found) == 1 else found

    def at(self, target: str) -> Found | None:
        """The session at the address of a server; none for what is no address. Raises `MonitorError`."""
        return at(target)


def _best(stored: Stored) -> Found:
    """Its server's own events where one works on it, else what its database keeps."""
    return (working_on(stored.session, stored.folder) if stored.alive() is not False else None) or stored


FINDER = OpenCodeFinder()

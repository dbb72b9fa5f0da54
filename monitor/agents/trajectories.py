"""Finds trajectories: runs that lie in a document of their own, wherever the user has put it."""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterable
from pathlib import Path

from monitor.agents.growing import DocumentDecoder
from monitor.agents.protocol import Found
from monitor.agents.single import Single, head_of

_ROLE = "trajectory"
_MOST = 100
"""Files of a folder that are looked into."""


class Trajectories:
    """Recognises those of one form, whatever they are called.

    `knows` tells by a file and its head whether it is one, `within` which files of a folder may be, the likeliest first.
    """

    def __init__(
        self,
        agent: str,
        decoder: Callable[[], DocumentDecoder],
        knows: Callable[[Path, bytes], bool],
        within: Callable[[Path], Iterable[Path]],
    ) -> None:
        self._agent = agent
        self._decoder = decoder
        self._knows = knows
        self._within = within

    def open(self, path: Path) -> Found | None:
        """The run in a file; in a folder, the likeliest."""
        if path.is_dir():
            return next((found for one in self._within(path) if (found := self._file(one)) is not None), None)
        return self._file(path)

    def sniff(self, head: bytes) -> bool:
        """Never: a trajectory is no stream."""
        del head
        return False

    def pipe(self, name: str) -> Found:
        """A trajectory that is piped in as one line."""
        return Single(self._agent, None, self._decoder, role=_ROLE, shape="lines", name=name)

    def named(self, session: str) -> Iterable[Found]:
        """None: trajectories lie wherever the user puts them."""
        del session
        return ()

    def _file(self, path: Path) -> Found | None:
        return Single(self._agent, path, self._decoder, role=_ROLE) if self._knows(path, head_of(path)) else None


def newest(folder: Path, *endings: str) -> list[Path]:
    """The files of a folder whose names end so, the newest first; one that goes meanwhile is none."""
    try:
        paths = [path for path in folder.iterdir() if path.name.endswith(endings)]
    except OSError:
        return []
    written = [(at, path) for path in paths if (at := _written(path)) is not None]
    return [path for _, path in sorted(written, key=lambda one: one[0], reverse=True)[:_MOST]]


def _written(path: Path) -> float | None:
    """When a file was written last; none for what is no file, or is there no more."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime if stat.S_ISREG(found.st_mode) else None

"""The files in folders of projects, read again only where a folder has changed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

_SETTLED = 2 * 10**9
"""Nanoseconds for which a folder must have stood still before its time of change is relied on: clocks of file systems are coarse."""


class Folders:
    """Remembers what lay in each; `wanted` tells by its name whether a file is meant."""

    def __init__(self, wanted: Callable[[str], bool]) -> None:
        self._wanted = wanted
        self._known: dict[str, tuple[int, Sequence[Path]]] = {}

    def below(self, root: Path) -> Iterator[Path]:
        """The files in the folders of a folder; what cannot be looked into is left out."""
        try:
            names = [entry.path for entry in os.scandir(root) if entry.is_dir()]
        except OSError:
            names = []
        self._known = {name: self._known[name] for name in names if name in self._known}
        for name in names:
            yield from self._files(name)

    def _files(self, name: str) -> Sequence[Path]:
        known, stands = self._known.get(name), changed(name)
        if stands and known is not None and known[0] == stands:
            return known[1]
        try:
            folder = Path(name)
            files = [folder / entry.name for entry in os.scandir(name) if self._wanted(entry.name)]
        except OSError:
            return ()
        if stands:
            self._known[name] = stands, files
        return files


def changed(folder: str | Path) -> int:
    """When something came into a folder or went last, in nanoseconds; 0 where that does not tell it from what it may yet be."""
    try:
        stands = os.stat(folder).st_mtime_ns  # noqa: PTH116 - asked for every run, each second
    except OSError:
        return 0
    return stands if stands + _SETTLED < time.time_ns() else 0

"""Which run is meant where none is named: the one agent that works in this folder."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from monitor.agents.listed import Listed


def alone_here(runs: Iterable[Listed], folder: Path) -> Listed | None:
    """The one agent that works in this folder, or in one that it lies in; none where there are several."""
    here = os.path.realpath(folder)
    found = [one for one in runs if one.alive and one.path is not None and one.folder and _holds(one.folder, here)]
    return found[0] if len(found) == 1 else None


def _holds(folder: str, here: str) -> bool:
    project = os.path.realpath(folder)
    return here == project or here.startswith(project.rstrip("/") + "/")

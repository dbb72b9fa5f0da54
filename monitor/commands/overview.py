"""`monitor` alone: every run of this machine, or at once the one agent that works in this folder."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from monitor.agents.listed import Listed
from monitor.commands.attach import need_terminal
from monitor.commands.terminal import report_aborts, run
from monitor.errors import MonitorError
from monitor.finding import attaching
from monitor.finding.listers import listers
from monitor.finding.mustering import mustered
from monitor.finding.survey import Survey
from monitor.supervisor import Supervisor
from monitor.ui.app import MonitorApp
from monitor.ui.themes import require


def show(*, theme: str | None, ascii_only: bool) -> int:
    """Show them until the operator quits; the agents go on."""
    need_terminal()
    require(theme)
    survey = Survey(listers())
    here = alone_here(survey.look().runs, Path.cwd())
    source = _attached(here) if here is not None else None
    fleet = mustered(source, survey)
    try:
        app = MonitorApp(source, fleet=lambda: fleet, theme=theme, ascii_only=ascii_only)
        code = run(app)
        report_aborts((source, *fleet.followed()), code)
        return code
    finally:
        fleet.close()
        if source is not None:
            source.close()


def alone_here(runs: Sequence[Listed], folder: Path) -> Listed | None:
    """The one agent that works in this folder, or in one that it lies in; none where there are several."""
    here = os.path.realpath(folder)
    found = [one for one in runs if one.alive and one.path is not None and one.folder and _holds(one.folder, here)]
    return found[0] if len(found) == 1 else None


def _holds(folder: str, here: str) -> bool:
    project = os.path.realpath(folder)
    return here == project or here.startswith(project.rstrip("/") + "/")


def _attached(listed: Listed) -> Supervisor | None:
    """The run; where it cannot be read the overview says why."""
    try:
        return attaching.attached(listed)
    except (MonitorError, OSError):
        return None

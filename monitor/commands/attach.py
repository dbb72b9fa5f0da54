"""`monitor TARGET`: the screen over a run."""

from __future__ import annotations

import sys
from pathlib import Path

from monitor.errors import USAGE, MonitorError
from monitor.opening import opened
from monitor.ui.app import MonitorApp
from monitor.ui.source import Source
from monitor.ui.themes import require


def show(target: str, *, project: Path | None, theme: str | None, ascii_only: bool) -> int:
    """Follow the run on the screen until the operator quits; the agent goes on."""
    need_terminal()
    with opened(target, project, screen=True) as supervisor:
        return screen(supervisor, theme=theme, ascii_only=ascii_only)


def need_terminal() -> None:
    """Raise where there is no screen to draw on."""
    if not sys.stdout.isatty():
        raise MonitorError(
            "standard output is no terminal", "Without a screen use: monitor watch TARGET, or monitor report LOG", USAGE
        )


def screen(source: Source, *, theme: str | None, ascii_only: bool) -> int:
    """Run the screen over a run until the operator quits; its exit code."""
    require(theme)
    app = MonitorApp(source, theme=theme, ascii_only=ascii_only)
    app.run()
    return app.return_code or 0

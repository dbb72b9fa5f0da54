"""`monitor` alone: every run of this machine, or at once the one agent that works in this folder."""

from __future__ import annotations

from pathlib import Path

from monitor.commands.attach import need_terminal
from monitor.commands.terminal import report_aborts, run
from monitor.finding.mustering import mustered
from monitor.ui.app import MonitorApp
from monitor.ui.themes import require


def show(*, theme: str | None, ascii_only: bool) -> int:
    """Show them until the operator quits; the agents go on."""
    need_terminal()
    require(theme)
    fleet = mustered()
    try:
        app = MonitorApp(None, fleet=lambda: fleet, theme=theme, ascii_only=ascii_only, here=Path.cwd())
        code = run(app)
        report_aborts(fleet.followed(), code)
        return code
    finally:
        fleet.close()

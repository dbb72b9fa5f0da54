"""`monitor TARGET`: the screen over a run."""

from __future__ import annotations

import sys
from pathlib import Path

from monitor.commands.terminal import report_aborts, run
from monitor.errors import USAGE, MonitorError
from monitor.finding.fleet import Fleet
from monitor.finding.mustering import mustered
from monitor.opening import deputed, opened
from monitor.policy.deputy import Deputy
from monitor.ui.app import MonitorApp
from monitor.ui.source import Source
from monitor.ui.themes import require


def show(target: str, *, project: Path | None, theme: str | None, ascii_only: bool, policy: str | None = None) -> int:
    """Follow the run on the screen until the operator quits; the agent goes on, unless a policy ends it."""
    need_terminal()
    deputy = deputed(policy)
    with opened(target, project, screen=True, deputy=deputy) as supervisor:
        return screen(supervisor, theme=theme, ascii_only=ascii_only, deputy=deputy)


def need_terminal() -> None:
    """Raise where there is no screen to draw on."""
    if not sys.stdout.isatty():
        raise MonitorError(
            "standard output is no terminal", "Without a screen use: monitor watch TARGET, or monitor report LOG", USAGE
        )
    if not sys.stderr.isatty():
        raise MonitorError(
            "standard error is no terminal", "The screen is drawn there: leave it on the terminal", USAGE
        )


def screen(source: Source, *, theme: str | None, ascii_only: bool, deputy: Deputy | None = None) -> int:
    """Run the screen over a run until the operator quits; its exit code."""
    require(theme)
    fleets: list[Fleet] = []

    def fleet() -> Fleet:
        fleets.append(mustered(source))
        return fleets[0]

    app = MonitorApp(source, fleet=fleet, theme=theme, ascii_only=ascii_only)
    if deputy is not None:
        deputy.ring_by(app.ring)
        dry = deputy.tap is not None
        app.notices["Policy"] = (
            "Dry: it only tells what it would do" if dry else "Armed: it acts on what is found from here on"
        )
        app.policy = "policy dry" if dry else "policy armed"
    try:
        code = run(app)
        report_aborts((source, *(each for one in fleets for each in one.followed())), code)
    finally:
        for one in fleets:
            one.close()
    return code

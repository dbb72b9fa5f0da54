"""The screen over an invented run, opened for a test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from textual.app import App
from textual.pilot import Pilot
from textual.screen import Screen
from ui_samples import NOWS, PEN, SampleSource

from monitor.ui.app import MonitorApp
from monitor.ui.screens.run import RunScreen


@asynccontextmanager
async def opened(
    source: SampleSource, size: tuple[int, int] = (120, 36), config: Path | None = None
) -> AsyncIterator[tuple[RunScreen, Pilot[None]]]:
    app = MonitorApp(source, pen=PEN, now=lambda: NOWS["trouble"], config=config)
    async with app.run_test(size=size, notifications=True) as pilot:
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, RunScreen)
        yield screen, pilot


def toasts(screen: Screen[object]) -> list[str]:
    return [note.message for note in screen.app._notifications]


async def cleared(screen: Screen[object], pilot: Pilot[None]) -> None:
    """Until no toast stands there any more."""
    screen.app.clear_notifications()
    while screen.query("Toast"):
        await pilot.pause()


def drawn(screen: Screen[object]) -> str:
    return "\n".join("".join(part.text for part in strip) for strip in screen._compositor.render_strips())


def floating(app: App[None]) -> str:
    """What stands on the topmost screen."""
    return "\n".join("".join(part.text for part in strip) for strip in app.screen._compositor.render_strips())

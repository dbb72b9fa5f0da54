"""The overview, opened over a sample of runs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from textual.pilot import Pilot
from ui_fleet import SampleFleet
from ui_samples import NOWS, PEN

from monitor.ui.app import MonitorApp
from monitor.ui.screens.overview import Overview


@asynccontextmanager
async def opened(found: SampleFleet, size: tuple[int, int] = (160, 48)) -> AsyncIterator[tuple[Overview, Pilot[None]]]:
    app = MonitorApp(None, fleet=lambda: found, pen=PEN, now=lambda: NOWS["trouble"])
    async with app.run_test(size=size, notifications=True) as pilot:
        await pilot.pause()
        assert isinstance(app.screen, Overview)
        yield app.screen, pilot


async def entered(screen: Overview, pilot: Pilot[None], key: str = "enter") -> None:
    await pilot.press(key)
    for _ in range(50):
        await pilot.pause()
        if screen.app.screen is not screen:
            return

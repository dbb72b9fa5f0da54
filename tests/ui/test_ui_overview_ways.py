"""The ways from the overview into a run, and back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ui_fleet import fleet
from ui_open import drawn, toasts
from ui_overview import entered, opened
from ui_samples import NOWS, PEN
from ui_trouble import trouble

from monitor.ui.app import MonitorApp
from monitor.ui.screens.overview import Overview
from monitor.ui.screens.run import RunScreen


async def test_enter_and_back() -> None:
    """Enter shows the run, o leads back to the same place; what was looked at is marked as seen."""
    found = fleet()
    async with opened(found) as (screen, pilot):
        await pilot.press("down")
        await entered(screen, pilot)
        inside = screen.app.screen
        assert isinstance(inside, RunScreen)
        assert inside.source is found.sources["lcode:l1"]
        assert found.marks == ["lcode:l1"]
        await pilot.press("o")
        await pilot.pause()
        assert screen.app.screen is screen
        assert (screen.runs.key, found.marks) == ("lcode:l1", ["lcode:l1", "lcode:l1"])


async def test_a_run_that_cannot_be_opened_says_why() -> None:
    """A log that is gone is a toast, not the end of the overview."""
    async with opened(fleet()) as (screen, pilot):
        await pilot.press("end", "enter")
        for _ in range(50):
            await pilot.pause()
            if toasts(screen):
                break
        assert toasts(screen) == ["This log is gone. Choose another"]


async def test_from_a_run_to_the_overview() -> None:
    """A run that was named opens alone; o leads to the overview, and entering it leads back to the same screen."""
    found, source = fleet(), trouble()
    found.sources["lcode:l1"] = source
    app = MonitorApp(source, fleet=lambda: found, pen=PEN, now=lambda: NOWS["trouble"])
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        first = app.screen
        await pilot.press("o")
        await pilot.pause()
        assert isinstance(app.screen, Overview)
        app.screen.runs.choose("lcode:l1")
        await entered(app.screen, pilot)
        assert app.screen is first


async def test_escape_leads_back_to_a_run_that_stands_in_no_list() -> None:
    """From a piped run to the overview and back: first escape ends the filter, then it shows the run again."""
    app = MonitorApp(trouble(), fleet=fleet, pen=PEN, now=lambda: NOWS["trouble"])
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        first = app.screen
        await pilot.press("o")
        await pilot.pause()
        assert isinstance(app.screen, Overview)
        assert "escape back" in drawn(app.screen)
        await pilot.press("slash", *"lcode", "enter", "escape")
        assert isinstance(app.screen, Overview)
        await pilot.press("escape")
        assert app.screen is first


async def test_escape_stays_where_no_run_lies_below() -> None:
    """`monitor` alone opens the overview: there is nothing to go back to, and the footer does not offer it."""
    async with opened(fleet()) as (screen, pilot):
        await pilot.press("escape")
        assert screen.app.screen is screen
        assert "escape back" not in drawn(screen)


async def test_the_one_agent_of_this_folder_is_entered_at_once() -> None:
    """Once the machine was looked over, and not before; the overview lies below. Where several work, none is."""
    for folder, inside in (("ledger", "codex:c1"), ("site", ""), ("elsewhere", "")):
        found = fleet()
        whole, found.view = found.view, replace(found.view, live=(), ended=(), looked=False)
        here = Path(f"/home/mara/src/{folder}")
        app = MonitorApp(None, fleet=lambda found=found: found, pen=PEN, now=lambda: NOWS["trouble"], here=here)
        async with app.run_test(size=(120, 36)) as pilot:
            screen = app.screen
            assert isinstance(screen, Overview)
            assert "Looking over this machine" in drawn(screen)
            assert "none" not in drawn(screen).casefold()
            found.view = whole
            screen.tick()
            await app.workers.wait_for_complete()
            await pilot.pause()
            assert (app.screen is screen) is not bool(inside)
            if inside:
                assert app.screen.source is found.sources[inside]
                await pilot.press("o")
                await pilot.pause()
                screen.tick()
                assert (app.screen, screen.runs.key) == (screen, inside)

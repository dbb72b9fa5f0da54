"""What the overview draws, and when: who needs somebody at once, all else once a second, and of a line what is another."""

from __future__ import annotations

from dataclasses import replace

import pytest
from ui_fleet import fleet
from ui_open import drawn
from ui_overview import opened

from monitor.ui.screens.overview import Overview
from monitor.ui.widgets import runs
from monitor.ui.widgets.region import piece


def still(screen: Overview) -> None:
    """Let nothing be drawn but what the test asks for."""
    for timer in list(screen._timers):
        timer.pause()


async def test_who_needs_somebody_now_is_shown_at_once() -> None:
    """A run that comes to wait is drawn at the next look for such, which comes four times as often as the drawing."""
    found = fleet()
    async with opened(found) as (screen, pilot):
        still(screen)
        calm = next(one for one in found.view.live if not one.urgency)
        waits = replace(calm, snapshot=None, attached=False, listed=replace(calm.listed, state="waiting"))
        found.view = replace(found.view, live=tuple(waits if one is calm else one for one in found.view.live))
        screen.heed()
        await pilot.pause()
        assert "2 WAIT FOR YOU" in drawn(screen)


async def test_what_needs_nobody_is_left_for_the_next_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many events come of runs that need nobody, they cause no drawing by themselves."""
    found = fleet()
    async with opened(found) as (screen, _):
        still(screen)
        ticks: list[int] = []
        monkeypatch.setattr(screen, "tick", lambda: ticks.append(1))
        for number in range(5):
            found.view = replace(found.view, live=tuple(replace(one, new=number) for one in found.view.live))
            screen.heed()
        assert ticks == []
        found.view = replace(found.view, live=found.view.live[1:])
        screen.heed()
        assert ticks == [1]


async def test_a_second_draws_the_times_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the lines on the screen only the cells that tell a time are put together again when a second has passed."""
    found = fleet()
    async with opened(found) as (screen, pilot):
        still(screen)
        drawings: list[str] = []
        monkeypatch.setattr(runs, "piece", lambda widget, cell: drawings.append(cell.plain) or piece(widget, cell))
        begun = screen.now()
        for second in (1.0, 2.0):
            screen.now = lambda now=begun + second: now
            drawings.clear()
            screen.tick()
            await pilot.pause()
            lines = drawn(screen).split("\n")
            assert drawings
            assert all(
                "ago" in text or "waits" in text or any(letter.isdigit() for letter in text) for text in drawings
            )
            assert len(drawings) < len([line for line in lines if line.strip()])


@pytest.mark.parametrize(("number", "drawings"), [(5, 6), (6, 3), (10, 3), (11, 2)])
async def test_many_runs_are_drawn_less_often(monkeypatch: pytest.MonkeyPatch, number: int, drawings: int) -> None:
    """Of more than five live runs the list is drawn at every other beat, of more than ten at every third."""
    found = fleet()
    found.view = replace(found.view, live=(found.view.live * number)[:number])
    async with opened(found) as (screen, _):
        still(screen)
        ticks: list[int] = []
        monkeypatch.setattr(screen, "tick", lambda: ticks.append(1))
        for _ in range(6):
            screen.draw_on()
        assert len(ticks) == drawings

"""A view that follows the run, is held still, and shows what was revised."""

from __future__ import annotations

from dataclasses import replace

from ui_open import drawn, opened, toasts
from ui_runs import calm

from monitor.snapshot import Verdict


async def test_holding_keeps_the_view_and_says_what_is_new() -> None:
    """Held, neither rows nor verdict move; let go, both are the newest."""
    source = calm()
    async with opened(source) as (screen, pilot):
        await pilot.press("space")
        before = screen.total
        source.rows.add("said", "15:05:10", "Something new.")
        source.snapshot = replace(source.snapshot, verdict=Verdict("failed", "It broke"))
        screen.tick()
        await pilot.pause()
        assert screen.total == before
        assert "held · 1 new" in drawn(screen)
        assert "RUNNING" in drawn(screen)
        await pilot.press("space")
        screen.tick()
        await pilot.pause()
        assert "It broke" in drawn(screen)
        assert "Something new." in drawn(screen)


async def test_new_rows_are_followed_until_the_cursor_leaves_the_end() -> None:
    """Following, the cursor stays on the last row; moved up it stays where it is; G follows again."""
    source = calm()
    async with opened(source) as (screen, pilot):
        source.rows.add("said", "15:05:10", "one")
        screen.tick()
        assert screen.timeline.cursor == len(source.rows) - 1
        await pilot.press("k")
        here = screen.timeline.cursor
        source.rows.add("said", "15:05:11", "two")
        screen.tick()
        await pilot.pause()
        assert screen.timeline.cursor == here
        assert f"row {here + 1} of {len(source.rows)}" in drawn(screen)
        await pilot.press("G")
        source.rows.add("said", "15:05:12", "three")
        screen.tick()
        assert screen.timeline.cursor == len(source.rows) - 1


async def test_a_revised_row_is_drawn_anew() -> None:
    """A running command that came out says so once the rows' version moves on."""
    source = calm()
    async with opened(source) as (screen, pilot):
        row, event, result = source.rows.items[-1]
        source.rows.items[-1] = (replace(row, outcome="exit 7"), event, result)
        source.rows.version += 1
        screen.tick()
        await pilot.pause()
        assert "exit 7" in drawn(screen)


async def test_in_a_held_view_no_call_is_answered_that_is_not_shown() -> None:
    """What waits by now may be another call, or none: the key says so, and answers again once the view follows."""
    source = calm()
    source.cannot = {}
    asks = replace(source.snapshot, waiting="Asks to run: make", waiting_call="c1")
    worse = replace(asks, waiting="Asks to run: rm -rf build", waiting_call="c2")
    quiet = source.snapshot
    for shown, now in ((asks, worse), (asks, quiet), (quiet, asks)):
        source.snapshot = shown
        async with opened(source) as (screen, pilot):
            await pilot.press("space")
            source.snapshot = now
            await pilot.press("y", "N")
            await pilot.pause()
            (said,) = toasts(screen)
            assert said == "What this held view shows is not what waits now: space follows again"
            assert source.acted == []
            await pilot.press("space")
            screen.tick()
            await pilot.press("y")
            answered = [now.waiting_call] if now.waiting else []
            assert [one.subject for one in source.acted] == answered
            source.acted.clear()

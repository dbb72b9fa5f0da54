"""From 20x6 to 300x80 the screen is drawn without fault, in signs and in ASCII."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.cells import cell_len
from textual.app import App
from textual.geometry import Region
from textual.screen import Screen
from ui_ended import ended
from ui_hostile import hostile, hostile_replay
from ui_samples import NOWS, PEN
from ui_scenes import SCENES

from monitor.ui.app import MonitorApp
from monitor.ui.screens.box import Words
from monitor.ui.screens.run import RunScreen

SIZES = ((20, 6), (30, 10), (40, 12), (60, 20), (80, 24), (80, 50), (100, 30), (150, 20), (300, 80))
ALL = {**SCENES, "hostile": hostile, "hostile_replay": hostile_replay}


def screen_of(app: App[None]) -> list[str]:
    return ["".join(part.text for part in strip) for strip in app.screen._compositor.render_strips()]


@pytest.mark.parametrize("scene", ["trouble", "empty", "replay", "hostile", "hostile_replay"])
async def test_every_size_is_drawn_whole(scene: str) -> None:
    """Each line takes the full width; verdict, help and quit are on it in every size."""
    source = ALL[scene]()
    app = MonitorApp(source, pen=PEN, now=lambda: NOWS["trouble"])
    async with app.run_test(size=SIZES[0]) as pilot:
        await pilot.press("n")
        for size in SIZES:
            await pilot.resize_terminal(*size)
            for opened in (True, False):
                assert isinstance(app.screen, RunScreen)
                app.screen.open(opened)
                await pilot.pause()
                lines = screen_of(app)
                assert len(lines) == size[1]
                assert {cell_len(line) for line in lines} == {size[0]}
                assert "? help  q quit" in lines[-1]
            word = source.snapshot.verdict.state.upper()
            assert any(word in line for line in lines)


@pytest.mark.parametrize("size", [(20, 6), (300, 80)])
async def test_what_floats_is_drawn_in_the_smallest_and_the_largest_size(size: tuple[int, int]) -> None:
    """Boxes, help and palette over a hostile run: every line still takes the full width."""
    source = hostile()
    source.cannot = {}
    app = MonitorApp(source, pen=PEN, now=lambda: NOWS["trouble"])
    async with app.run_test(size=size, notifications=True) as pilot:
        await pilot.press("n")
        for key in ("x", "A", "f", "slash", "question_mark", "ctrl+p"):
            await pilot.press(key)
            await pilot.pause()
            assert {cell_len(line) for line in screen_of(app)} == {size[0]}
            if key in ("x", "A", "f"):
                assert any("escape" in line for line in screen_of(app)), "how to leave is in sight"
            await pilot.press("escape")
            assert isinstance(app.screen, RunScreen)


@pytest.mark.parametrize("scene", SCENES)
async def test_ascii_means_ascii(scene: str) -> None:
    """With ASCII signs nothing else is on the screen, wherever the data holds nothing else."""
    app = MonitorApp(SCENES[scene](), pen=replace(PEN, ascii=True), now=lambda: NOWS[scene])
    async with app.run_test(size=(160, 48)) as pilot:
        for key in ("n", "enter", "escape", "slash", "escape", "f", "escape", "A", "escape", "question_mark"):
            await pilot.press(key)
            await pilot.pause()
            found = {sign for line in screen_of(app) for sign in line if ord(sign) > 126}
            assert not found


async def test_the_palette_and_what_a_run_says_of_itself_are_ascii_too() -> None:
    """Neither the palette's frame, icon and scrollbar nor the dot between agent and model are other signs."""
    source = ended()
    del source.rows.items[3:]
    app = MonitorApp(source, pen=replace(PEN, ascii=True), now=lambda: NOWS["ended"])
    async with app.run_test(size=(160, 48)) as pilot:
        await pilot.pause()
        assert any(line.strip().startswith("agent ") and " - sonnet" in line for line in screen_of(app)), "\n".join(
            screen_of(app)
        )
        await pilot.press("ctrl+p")
        await pilot.pause()
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert any("End the run" in line for line in screen_of(app))
        assert not {sign for line in screen_of(app) for sign in line if ord(sign) > 126}


@pytest.mark.parametrize("size", SIZES)
async def test_a_screen_is_laid_out_for_its_size_from_the_first_frame_on(size: tuple[int, int]) -> None:
    """What opens stands where it stays: no first frame is laid out for another size."""
    app = MonitorApp(ended(), pen=PEN, now=lambda: NOWS["trouble"])
    async with app.run_test(size=size) as pilot:
        box, first = Words(PEN, "Title", (), "words", "send"), []
        with pytest.MonkeyPatch.context() as patch:
            drawn = Screen._compositor_refresh
            patch.setattr(Screen, "_compositor_refresh", lambda screen: first.append(place(box)) or drawn(screen))
            app.push_screen(box)
            await pilot.pause()
        regions = [region for region in first if region]
        assert regions
        assert set(regions) == {place(box)}


def place(box: Words) -> Region | None:
    """Where the frame of the box stands, once it is laid out."""
    return next((one.region for one in box.query("#box") if one.region), None)

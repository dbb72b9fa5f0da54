"""The pictures of the README are what the screen shows: written by this test when asked, compared by it always."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from ui_fleet import FLEETS
from ui_samples import NOWS, PEN
from ui_scenes import PICTURES, SCENES
from ui_states import PAGES

from monitor.ui.app import MonitorApp

FOLDER = Path(__file__).resolve().parents[2] / "screenshots"
SIZES = ((160, 48), (120, 36), (80, 24))
KEPT = [(name, size, "dark") for name in PICTURES for size in SIZES] + [
    (name, (160, 48), theme) for name in ("trouble", "replay") for theme in ("light", "contrast", "sixteen")
]


def plain(svg: str) -> str:
    """The picture without the ids that each drawing makes anew."""
    return re.sub(r"terminal-\d+", "terminal", svg)


def file_of(name: str, size: tuple[int, int], theme: str) -> str:
    return f"{name}-{size[0]}x{size[1]}{'' if theme == 'dark' else f'-{theme}'}.svg"


def shown(scene: str, theme: str) -> MonitorApp:
    """A screen over one run, or over all of them."""
    if scene in FLEETS:
        found = FLEETS[scene]()
        return MonitorApp(None, fleet=lambda: found, theme=theme, pen=PEN, now=lambda: NOWS["trouble"])
    return MonitorApp(SCENES[scene](), theme=theme, pen=PEN, now=lambda: NOWS[scene])


async def picture(name: str, size: tuple[int, int], theme: str) -> str:
    scene, keys = PICTURES[name]
    app = shown(scene, theme)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        for key in keys:
            if key.startswith("#"):
                app.screen.query_one(key).focus()
            elif key in PAGES:
                app.push_screen(PAGES[key]())
            else:
                await pilot.press(key)
            await app.workers.wait_for_complete()
        await pilot.pause()
        return plain(app.export_screenshot(title="monitor"))


@pytest.mark.parametrize(("name", "size", "theme"), KEPT, ids=str)
async def test_the_picture_shows_the_screen(name: str, size: tuple[int, int], theme: str) -> None:
    """MONITOR_WRITE_SCREENSHOTS=1 writes it; without, a picture that differs is a fault."""
    file = FOLDER / file_of(name, size, theme)
    now = await picture(name, size, theme)
    if os.environ.get("MONITOR_WRITE_SCREENSHOTS") == "1":
        file.write_text(now, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == now


def test_no_picture_is_left_over() -> None:
    """Every picture in the folder is one that this test keeps."""
    assert {file.name for file in FOLDER.glob("*.svg")} == {file_of(*kept) for kept in KEPT}

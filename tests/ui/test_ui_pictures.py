"""The pictures of the README are what the screen shows: written by this test when asked, compared by it always."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from ui_samples import NOWS, PEN
from ui_scenes import SCENES

from monitor.ui.app import MonitorApp

FOLDER = Path(__file__).resolve().parents[2] / "screenshots"
SIZES = ((160, 48), (120, 36), (80, 24))
PICTURES = [(scene, size, "dark") for scene in SCENES for size in SIZES] + [
    ("trouble", (160, 48), theme) for theme in ("light", "contrast", "sixteen")
]


def plain(svg: str) -> str:
    """The picture without the ids that each drawing makes anew."""
    return re.sub(r"terminal-\d+", "terminal", svg)


async def picture(scene: str, size: tuple[int, int], theme: str) -> str:
    app = MonitorApp(SCENES[scene](), theme=theme, pen=PEN, now=lambda: NOWS[scene])
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        if scene in ("trouble", "ended"):
            await pilot.press("n")
        await pilot.pause()
        return plain(app.export_screenshot(title="monitor"))


@pytest.mark.parametrize(("scene", "size", "theme"), PICTURES, ids=str)
async def test_the_picture_shows_the_screen(scene: str, size: tuple[int, int], theme: str) -> None:
    """MONITOR_WRITE_SCREENSHOTS=1 writes it; without, a picture that differs is a fault."""
    suffix = "" if theme == "dark" else f"-{theme}"
    file = FOLDER / f"{scene}-{size[0]}x{size[1]}{suffix}.svg"
    now = await picture(scene, size, theme)
    if os.environ.get("MONITOR_WRITE_SCREENSHOTS") == "1":
        file.write_text(now, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == now


def test_no_picture_is_left_over() -> None:
    """Every picture in the folder is one that this test keeps."""
    kept = {f"{scene}-{w}x{h}{'' if theme == 'dark' else f'-{theme}'}.svg" for scene, (w, h), theme in PICTURES}
    assert {file.name for file in FOLDER.glob("*.svg")} == kept

"""The user's config: which files are in force, and what is wrong in them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from monitor.config import chosen_numbers, config_folder, read_config
from monitor.doctor.check import Check

_FILES = ("config.toml", "policy.toml")


def settings(folder: Path | None = None) -> Iterator[Check]:
    """The files, and one check for each thing that could not be taken from them."""
    folder = config_folder() if folder is None else folder
    there = [name for name in _FILES if (folder / name).is_file()]
    themes = len(list((folder / "themes").glob("*.toml")))
    words = ", ".join([*there, *([f"{themes} of your own themes"] if themes else [])])
    yield Check("config", "folder", "ok", f"{folder}: {words or 'nothing, so the defaults are in force'}")
    _, problem = read_config(folder)
    problems = [problem] if problem else [*chosen_numbers(folder).problems, *_screen(folder)]
    for one in dict.fromkeys(problems):
        yield Check("config", "problem", "lack", one, "Mend it there; until then the default is in force")


def _screen(folder: Path) -> list[str]:
    """What the screen cannot take: keys and themes."""
    from monitor.ui import keymap, themes  # noqa: PLC0415 - the screen's own checks, which bring the screen

    _, wrong = keymap.load(folder)
    return [*([wrong] if wrong else []), *themes.found(folder).problems]

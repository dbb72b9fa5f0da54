"""The themes there are: ours, the user's and Textual's; each of a file is checked before it is used."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from textual.color import Color, ColorParseError
from textual.theme import BUILTIN_THEMES, Theme

from monitor.config import config_folder
from monitor.errors import USAGE, MonitorError
from monitor.text import line, shorten

NAMES = ("monitor-dark", "monitor-light", "monitor-contrast", "monitor-sixteen")
"""Our themes, in the order in which a key goes through them."""
FEW = (None, "standard", "windows")
"""Colour systems, as rich names them, of terminals with sixteen colours or none."""
_PREFIX = "monitor-"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,39}")
_LARGEST = 1 << 20
"""Bytes of a theme file."""


@dataclass(frozen=True, slots=True)
class Themes:
    """What was found."""

    ours: tuple[Theme, ...]
    yours: tuple[Theme, ...] = ()
    """Those of the user's config folder; one may bear the name of another, and takes its place."""
    problems: tuple[str, ...] = ()
    """A sentence for each file that is no theme."""

    @property
    def cycle(self) -> tuple[str, ...]:
        """The names a key goes through: ours, then the user's."""
        ours = {theme.name for theme in self.ours}
        names = [name for name in NAMES if name in ours] + [theme.name for theme in self.yours]
        return tuple(dict.fromkeys(names))

    def named(self, wish: str) -> str:
        """The full name of a theme there is; raises `MonitorError` with the names where there is none."""
        known = {*self.cycle, *BUILTIN_THEMES}
        for name in (_PREFIX + wish, wish):
            if name in known:
                return name
        first = [name.removeprefix(_PREFIX) for name in self.cycle]
        names = ", ".join([*first, *sorted(BUILTIN_THEMES)])
        raise MonitorError(f"There is no theme {shorten(line(wish), 40)}", f"There are: {names}", USAGE)


def found(folder: Path | None = None) -> Themes:
    """All themes; the user's from `themes` in a config folder, the usual one unless it is given."""
    ours, problems = load(package_folder())
    yours, more = load((config_folder() if folder is None else folder) / "themes")
    return Themes(ours, yours, (*problems, *more))


def require(wish: str | None) -> None:
    """Raise `MonitorError` with the list of names when a theme is wished for that does not exist."""
    if wish:
        found().named(wish)


def package_folder() -> Path:
    """Where our themes lie: in the installed package, or at the top of the repository."""
    package = Path(__file__).resolve().parents[1]
    inside = package / "themes"
    return inside if inside.is_dir() else package.parent / "themes"


def load(folder: Path) -> tuple[tuple[Theme, ...], tuple[str, ...]]:
    """The good themes of a folder, and a sentence for each bad one."""
    themes, problems = [], []
    for file in sorted(folder.glob("*.toml")):
        try:
            themes.append(read(file))
        except (OSError, ValueError, TypeError, AttributeError, RecursionError, ColorParseError) as problem:
            problems.append(f"{file.name}: {shorten(' '.join(str(problem).split()), 160)}")
    return tuple(themes), tuple(problems)


def read(file: Path) -> Theme:
    """One theme; a colour that is none, a key that is unknown, or a value of the wrong type raises."""
    if file.stat().st_size > _LARGEST:
        raise ValueError("too large to be a theme")
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    if not _NAME.fullmatch(str(data.get("name", ""))):
        raise ValueError("its name must be up to 40 letters, digits, spaces, dots and dashes")
    theme = Theme(**data)
    for name, value in theme.to_color_system().generate().items():
        if name in data:
            Color.parse(value)
    for name in ("primary", "accent", "foreground", "background", "surface", "panel"):
        Color.parse(data.get(name, "#000000"))
    for value in data.get("variables", {}).values():
        Color.parse(value)
    return theme


def suited(colours: str | None, *, no_color: bool) -> str:
    """The theme for a terminal, by the colour system that was found."""
    return "monitor-sixteen" if no_color or colours in FEW else "monitor-dark"

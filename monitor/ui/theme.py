"""The roles of our colours under any theme, and how far two colours stand apart."""

from __future__ import annotations

from textual.color import Color
from textual.theme import Theme

ANSI = {
    "ok": "ansi_green", "note": "ansi_cyan", "warn": "ansi_yellow", "stop": "ansi_red", "outside": "ansi_magenta",
    "agent": "ansi_default", "shell": "ansi_default", "muted": "ansi_default", "rule": "ansi_bright_black",
    "ink": "ansi_black", "ok-tint": "transparent", "note-tint": "transparent", "wait-tint": "transparent",
    "warn-tint": "transparent", "stop-tint": "transparent", "veil": "transparent",
}  # fmt: skip
"""The roles under a theme that takes the terminal's own colours."""
_USED = frozenset({"background", "foreground", "primary", "secondary", "accent", "success", "warning", "error"})
_NEEDED = 4.5
"""The contrast that text needs, WCAG 2.2."""


def roles(theme: Theme) -> dict[str, str]:
    """Our roles drawn from any theme: its own semantic colours, moved until they can be read on its ground."""
    if theme.ansi:
        return dict(ANSI)
    colours = {name: Color.parse(value) for name, value in theme.to_color_system().generate().items() if name in _USED}
    ground, ink = colours["background"], colours["foreground"]
    found = {
        "ok": colours["success"],
        "note": colours["primary"],
        "warn": colours["warning"],
        "stop": colours["error"],
        "outside": colours["secondary"],
        "agent": ink.blend(colours["primary"], 0.35),
        "shell": ink.blend(colours["warning"], 0.35),
        "muted": ink.blend(ground, 0.3),
    }
    found = {name: readable(colour, ground) for name, colour in found.items()}
    tints = {f"{name}-tint": ground.blend(found[name], 0.08) for name in ("ok", "note", "warn", "stop")}
    tints["wait-tint"] = ground.blend(colours["accent"], 0.08)
    found |= tints | {"rule": ground.blend(ink, 0.2), "ink": ground, "veil": ground.with_alpha(0.3)}
    return {name: colour.hex for name, colour in found.items()}


def readable(colour: Color, ground: Color) -> Color:
    """The colour, moved towards black or white until it stands out from the ground."""
    end = Color(255, 255, 255) if luminance(ground) < 0.18 else Color(0, 0, 0)
    for step in range(21):
        moved = colour.blend(end, step / 20)
        if contrast(moved, ground) >= _NEEDED:
            return moved
    return end


def luminance(colour: Color) -> float:
    """Relative luminance, WCAG 2.2."""
    red, green, blue = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in colour.normalized)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Color, two: Color) -> float:
    """Contrast ratio, WCAG 2.2: from 1 to 21."""
    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)

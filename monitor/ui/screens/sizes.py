"""The sizes at which a screen is laid out anew."""

from __future__ import annotations

from typing import Final

from textual.screen import Screen, ScreenResultType

ACROSS: Final = [(0, "-narrow"), (100, "-mid"), (150, "-wide")]
"""Columns from which on a class holds."""
DOWN: Final = [(0, "-tiny"), (12, "-short"), (20, "-low"), (30, "-tall")]
"""Rows from which on a class holds."""


class Sized(Screen[ScreenResultType]):
    """Is laid out for the terminal's size from its first frame on."""

    HORIZONTAL_BREAKPOINTS = ACROSS
    VERTICAL_BREAKPOINTS = DOWN

    def on_compose(self) -> None:
        """Take the classes of the size; Textual gives them only with a resize, when a first frame is out already."""
        width, height = self.app.size
        self.add_class(_of(width, ACROSS), _of(height, DOWN))


def _of(cells: int, steps: list[tuple[int, str]]) -> str:
    return max(step for step in steps if step[0] <= cells)[1]

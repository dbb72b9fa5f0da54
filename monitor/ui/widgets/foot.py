"""The footer, each key of which can be clicked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content
from textual.events import Click
from textual.message import Message

from monitor.ui.pen import Pen
from monitor.ui.present.foot import Hint, foot
from monitor.ui.widgets.region import Lines


class Foot(Lines):
    """Shows what each key does now."""

    @dataclass
    class Pressed(Message):
        """A key of the footer was clicked."""

        key: str

    def __init__(self, pen: Pen, name: str = "foot", classes: str = "") -> None:
        super().__init__(name, classes)
        self.pen = pen
        self._spots: tuple[tuple[int, int, str], ...] = ()

    def put(self, hints: Sequence[Hint]) -> None:
        """Show these keys from now on."""

        def draw(width: int, _height: int) -> list[Content]:
            line, self._spots = foot(self.pen, hints, width)
            return [line]

        self.show(draw, *[f"{one.id} {one.label} {one.off}" for one in hints])

    def on_click(self, event: Click) -> None:
        """A click on a key presses it."""
        at = event.get_content_offset(self)
        if at is None:
            return
        for begin, end, key in self._spots:
            if begin <= at.x < end:
                self.post_message(self.Pressed(key))

"""The detail of the selected row: as much as fits, or all of it to scroll through."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from monitor.ui.pen import Pen
from monitor.ui.present.lines import heading, put, role
from monitor.ui.present.parts import Part, laid
from monitor.ui.widgets.region import Lines
from monitor.ui.widgets.wheel import Wheel


class Detail(Wheel, Lines, can_focus=True):
    """Shows parts under a heading; opened, it scrolls."""

    def __init__(self, pen: Pen) -> None:
        super().__init__("detail")
        self.pen = pen
        self.title = ""
        self.parts: Sequence[Part] = ()
        self.opened = False
        self.opens = True
        """Whether the key that opens it does so from where the focus is."""
        self.top = 0

    def put(self, title: str, parts: Sequence[Part], *, anew: bool, opens: bool = True) -> None:
        """Show these parts from now on; `anew` when they belong to another row."""
        if anew:
            self.top = 0
        if parts != self.parts:
            self.parts = parts
        self.title, self.opens = title, opens
        self.draw()

    def open(self, opened: bool) -> None:
        """Show all lines to scroll through, or only what fits."""
        self.opened, self.top = opened, 0
        self.draw()

    def draw(self) -> None:
        """Draw again what differs."""
        self.show(self._detail, self.title, self.parts, self.opened, self.opens, self.top, self.has_focus)

    def _detail(self, width: int, height: int) -> list[Content]:
        room = max(height - 1, 0)
        if not self.opened:
            lines = laid(self.pen, self.parts, width, room, opens=self.opens)
            return [self._heading(self.title, width), *lines]
        lines = laid(self.pen, self.parts, width)
        self.top = max(0, min(self.top, len(lines) - room))
        place = f"{self.pen.key('back')} closes"
        if len(lines) > room:
            place = f"lines {self.top + 1} to {min(self.top + room, len(lines))} of {len(lines)} · {place}"
        return [self._heading(self.pen.own(place), width), *lines[self.top : self.top + room]]

    def _heading(self, words: str, width: int) -> Content:
        line = heading(self.pen, "Detail", words, width, focus=self.has_focus)
        return line if line.cell_length <= width else put(("Detail", role("")))

    def move(self, step: int) -> None:
        """Scroll; only what is opened has lines to scroll through."""
        self.top = max(0, self.top + step)
        self.draw()

    def leap(self, *, end: bool) -> None:
        """The first lines, or the last."""
        self.top = 1_000_000 if end else 0
        self.draw()

    def watch_has_focus(self, _has_focus: bool) -> None:
        """The title shows where the keys go."""
        super().watch_has_focus(_has_focus)
        self.draw()

"""A region that draws lines; only lines that differ are painted again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.segment import Segment
from textual.content import Content
from textual.geometry import Region as Area
from textual.strip import Strip
from textual.widget import Widget

Draw = Callable[[int, int], Sequence[Content]]
"""From width and height to lines."""


class Lines(Widget):
    """Draws what its function returns, line by line."""

    ALLOW_SELECT = False

    def __init__(self, name: str = "", classes: str = "") -> None:
        super().__init__(id=name or None, classes=classes or None)
        self._draw: Draw = lambda _width, _height: ()
        self._parts: tuple[object, ...] = ()
        self._lines: Sequence[Content] = ()
        self._drawn_for = (-1, -1)

    def show(self, draw: Draw, *parts: object) -> None:
        """Draw with `draw` from now on; with the same parts as before nothing is done at all."""
        if self._parts and same(parts, self._parts):
            return
        self._draw, self._parts = draw, parts
        if self._drawn_for == tuple(self.size):
            self._compare(self._draw(*self._drawn_for))
        else:
            self._drawn_for = (-1, -1)

    def _compare(self, lines: Sequence[Content]) -> None:
        old, self._lines = self._lines, lines
        for y in range(max(len(old), len(lines))):
            if y >= len(old) or y >= len(lines) or not old[y].is_same(lines[y]):
                self.refresh(Area(0, y, self.size.width, 1))

    def render_line(self, y: int) -> Strip:
        """One line, in the widget's own style."""
        if self._drawn_for != tuple(self.size):
            self._drawn_for = (self.size.width, self.size.height)
            self._lines = self._draw(*self._drawn_for)
        return strip(self, self._lines[y] if y < len(self._lines) else Content(""), self.size.width)


def same(one: tuple[object, ...], two: tuple[object, ...]) -> bool:
    """Whether all parts are the same objects; plain values are compared by value."""
    return len(one) == len(two) and all(
        a is b or (isinstance(a, (int, float, str)) and a == b) for a, b in zip(one, two, strict=True)
    )


def strip(widget: Widget, line: Content, width: int) -> Strip:
    """A line as segments of exactly `width` cells."""
    return piece(widget, line).adjust_cell_length(width, widget.visual_style.rich_style)


def piece(widget: Widget, text: Content) -> Strip:
    """A part of a line as segments."""
    drawn = text.render(widget.visual_style, "", parse_style=widget.app.stylesheet.parse_style)
    return Strip([Segment(text, style.rich_style) for text, style in drawn], text.cell_length)

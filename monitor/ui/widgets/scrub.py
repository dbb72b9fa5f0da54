"""The replay's bar, which can be clicked and dragged."""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content
from textual.events import MouseDown, MouseMove, MouseUp
from textual.message import Message

from monitor.replay.playback import Playback
from monitor.ui.marks import weight
from monitor.ui.pen import Pen
from monitor.ui.present.bar import Moment, Track, bar
from monitor.ui.widgets.region import Lines


class Scrub(Lines):
    """Shows where a replay stands, and lets the mouse go elsewhere."""

    @dataclass
    class Sought(Message):
        """The operator wants to see another moment."""

        count: int

    @dataclass
    class Toggled(Message):
        """The operator wants it to play, or to pause."""

    def __init__(self, pen: Pen) -> None:
        super().__init__("scrub")
        self.pen = pen
        self.state = Playback()
        self._track = Track()
        self._dragged = False

    def put(self, state: Playback, told: Moment) -> None:
        """Show this moment from now on."""
        self.state = state

        def draw(width: int, height: int) -> list[Content]:
            lines, self._track = bar(self.pen, state, told, width, height)
            return lines

        self.show(draw, state, told.turn, told.problem)

    def on_mouse_down(self, event: MouseDown) -> None:
        """On the line to that moment, on a finding's sign to its own, left of both play or pause."""
        at = event.get_content_offset(self)
        if at is None or self.state.read < 1:
            return
        event.stop()
        cell = at.x - self._track.begin
        if cell < 0:
            self.post_message(self.Toggled())
            return
        self._dragged = True
        self.capture_mouse()
        self._seek(self._mark_at(cell) if at.y == 0 and self.size.height > 1 else None, cell)

    def on_mouse_move(self, event: MouseMove) -> None:
        """Dragged, the knob follows."""
        if self._dragged:
            event.stop()
            self._seek(None, event.get_content_offset_capture(self).x - self._track.begin)

    def on_mouse_up(self, event: MouseUp) -> None:
        """Let go."""
        if self._dragged:
            event.stop()
            self._dragged = False
            self.release_mouse()

    def _seek(self, mark: int | None, cell: int) -> None:
        count = self._track.count(cell) if mark is None else mark
        self.post_message(self.Sought(max(count, 1)))

    def _mark_at(self, cell: int) -> int | None:
        """The moment of the gravest finding whose sign stands in that cell."""
        there = [mark for mark in self.state.marks if self._track.cell(mark.count) == cell]
        return max(there, key=lambda mark: weight(mark.level)).count if there else None

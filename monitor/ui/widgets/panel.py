"""One of the four panels."""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content
from textual.events import Click
from textual.message import Message

from monitor.ui.pen import Pen
from monitor.ui.present.panel import Entry, Line, Panel, drawn
from monitor.ui.widgets.region import Lines


class PanelView(Lines, can_focus=True):
    """Shows a panel; when it has the focus, one of its entries is chosen."""

    @dataclass
    class Chosen(Message):
        """The operator wants to see what proves this entry."""

        entry: Entry

    @dataclass
    class Moved(Message):
        """Another entry is chosen."""

    def __init__(self, pen: Pen, name: str) -> None:
        super().__init__(name)
        self.pen = pen
        self.panel = Panel(name, "")
        self.here = 0
        self._drawn: list[Line] = []

    def put(self, panel: Panel) -> None:
        """Show this panel from now on."""
        self.panel = panel
        self.here = max(0, min(self.here, len(panel.entries) - 1))
        self.show(self._panel, panel, self.here, self.has_focus)

    def _panel(self, width: int, height: int) -> list[Content]:
        self._drawn = drawn(self.pen, self.panel, width, height, focus=self.has_focus, here=self.here)
        return [line.content for line in self._drawn]

    @property
    def chosen(self) -> Entry | None:
        """The chosen entry, where there is one."""
        return self.panel.entries[self.here] if self.panel.entries else None

    def move(self, step: int) -> None:
        """Choose another entry."""
        self.here += step
        self.put(self.panel)
        self.post_message(self.Moved())

    def leap(self, *, end: bool) -> None:
        """Choose the first or the last entry."""
        self.here = len(self.panel.entries) - 1 if end else 0
        self.put(self.panel)
        self.post_message(self.Moved())

    def choose(self) -> None:
        """Ask for the event behind the chosen entry."""
        if (entry := self.chosen) is not None:
            self.post_message(self.Chosen(entry))

    def watch_has_focus(self, _has_focus: bool) -> None:
        """The title shows where the keys go."""
        super().watch_has_focus(_has_focus)
        self.put(self.panel)

    def on_click(self, event: Click) -> None:
        """A click on an entry leads to the event that proves it."""
        line = self._drawn[event.y] if 0 <= event.y < len(self._drawn) else None
        if line is not None and 0 <= line.entry < len(self.panel.entries):
            self.here = line.entry
            self.put(self.panel)
            self.choose()

"""The help, over the whole screen."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import Screen

from monitor.detectors.numbers import DEFAULTS, Numbers
from monitor.ui.pen import Pen
from monitor.ui.present.foot import Hint
from monitor.ui.present.help import parts
from monitor.ui.present.lines import heading
from monitor.ui.present.parts import laid
from monitor.ui.widgets.foot import Foot
from monitor.ui.widgets.region import Lines
from monitor.ui.widgets.wheel import Wheel


class Page(Wheel, Lines):
    """The text of the help, scrolled."""

    def __init__(self, pen: Pen, numbers: Numbers) -> None:
        super().__init__("page")
        self.pen = pen
        self.numbers = numbers
        self.top = 0
        self.move(0)

    def move(self, step: int) -> None:
        """Move the text by so many lines."""
        self.top = max(0, self.top + step)
        self.show(self._text, self.top)

    def _text(self, width: int, height: int) -> list[Content]:
        lines = laid(self.pen, parts(self.pen.keys, self.numbers), min(width, 110))
        room = max(height - 1, 0)
        self.top = max(0, min(self.top, len(lines) - room))
        place = f"{self.top + 1} to {min(self.top + room, len(lines))} of {len(lines)}" if len(lines) > room else ""
        title = heading(self.pen, "Help", place, width, focus=True)
        return [title, *lines[self.top : self.top + room]]


class Help(Screen[None]):
    """Keys, filter, detectors with the numbers in force, verdicts, marks."""

    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,q", "close", show=False),
        Binding("up,k", "scroll(-1)", show=False),
        Binding("down,j", "scroll(1)", show=False),
        Binding("pageup,ctrl+b", "page(-1)", show=False),
        Binding("pagedown,ctrl+f,space", "page(1)", show=False),
        Binding("g,home", "scroll(-100000)", show=False),
        Binding("G,end", "scroll(100000)", show=False),
    ]

    def __init__(self, pen: Pen, numbers: Numbers = DEFAULTS) -> None:
        super().__init__()
        self.page = Page(pen, numbers)
        self.foot = Foot(pen)
        self.foot.put((Hint("scroll", "up down", "scroll"), Hint("close", "escape", "close", last=True)))

    def compose(self) -> ComposeResult:
        """The text over its keys."""
        yield self.page
        yield self.foot

    def on_foot_pressed(self, event: Foot.Pressed) -> None:
        """A click on a key is the key."""
        event.stop()
        self.action_page(1) if event.key == "scroll" else self.action_close()

    def action_scroll(self, step: int) -> None:
        """By lines."""
        self.page.move(step)

    def action_page(self, step: int) -> None:
        """By a page."""
        self.page.move(step * max(1, self.page.size.height - 2))

    def action_close(self) -> None:
        """Back to the run."""
        self.dismiss()

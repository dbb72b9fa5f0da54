"""The line in which the operator writes what to look for."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Input

from monitor.ui.pen import Pen
from monitor.ui.present.lines import put, role
from monitor.ui.query import LONGEST
from monitor.ui.widgets.region import Lines

HINT = "words  kind:write  file:name  site:host  failed  -word"
"""What a filter of the timeline may hold."""


class Field(Horizontal):
    """One line after a slash, in the place of the footer."""

    def __init__(self, pen: Pen, hint: str = HINT) -> None:
        super().__init__(id="field")
        self.sign = Lines("slash")
        self.sign.show(lambda _width, _height: [put(("/", role("accent", bold=True)))], pen)
        self.input = Input(placeholder=hint, max_length=LONGEST, compact=True)
        self.input.cursor_blink = False
        self.words = Lines("words")

    def compose(self) -> ComposeResult:
        """The slash, the words, what was found."""
        yield self.sign
        yield self.input
        yield self.words

    def say(self, words: str, *, wrong: bool = False) -> None:
        """What was found so far, or what is wrong with the words."""
        self.words.styles.width = min(len(words) + 2, 60)
        self.words.show(lambda _width, _height: [put("  ", (words, role("warn" if wrong else "muted")))], words)

"""A box floats and waits for the operator: a question, or a few words to be written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input

from monitor.ui.pen import Pen
from monitor.ui.present.foot import Hint, foot
from monitor.ui.present.parts import Part, laid
from monitor.ui.screens.sizes import ACROSS, DOWN
from monitor.ui.widgets.region import Lines


class Block(Lines):
    """Lines as high as they need."""

    def __init__(self, pen: Pen, parts: Sequence[Part]) -> None:
        super().__init__()
        self._draw = lambda width, _height: laid(pen, parts, width)

    def get_content_height(self, container: object, viewport: object, width: int) -> int:  # noqa: ARG002 - Textual's signature
        """As many rows as the lines take."""
        return len(self._draw(width, 0))


class Keys(Lines):
    """The keys of the box."""

    def __init__(self, pen: Pen, hints: Sequence[Hint]) -> None:
        super().__init__(classes="keys")
        self._draw = lambda width, _height: [foot(pen, hints, width)[0]]


class Question(ModalScreen[bool]):
    """Asks before something that cannot be undone; only its own key says yes."""

    HORIZONTAL_BREAKPOINTS = ACROSS
    VERTICAL_BREAKPOINTS = DOWN

    def __init__(self, pen: Pen, title: str, parts: Sequence[Part], key: str, label: str) -> None:
        super().__init__()
        self.pen, self.heading, self.parts, self.key, self.label = pen, title, parts, key, label
        self._bindings.bind(key, "answer(True)")
        self._bindings.bind("escape", "answer(False)")

    def compose(self) -> ComposeResult:
        """The question above its two keys."""
        with Vertical(id="box", classes="-stop") as box:
            box.border_title = Content(self.heading)
            yield Block(self.pen, self.parts)
            yield Keys(
                self.pen, (Hint("yes", self.key, self.label), Hint("no", "escape", "keep it running", last=True))
            )

    def action_answer(self, yes: bool) -> None:
        """Close with the answer."""
        self.dismiss(yes)


class Words(ModalScreen[str]):
    """Asks for one line of words; empty when the operator thought better of it."""

    HORIZONTAL_BREAKPOINTS = ACROSS
    VERTICAL_BREAKPOINTS = DOWN
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", show=False)]
    AUTO_FOCUS = "Input"

    def __init__(self, pen: Pen, title: str, parts: Sequence[Part], hint: str, send: str) -> None:
        super().__init__()
        self.pen, self.heading, self.parts, self.hint, self.send = pen, title, parts, hint, send

    def compose(self) -> ComposeResult:
        """What it is about, the line to write in, and its keys."""
        with Vertical(id="box") as box:
            box.border_title = Content(self.heading)
            yield Block(self.pen, self.parts)
            yield Input(placeholder=self.hint)
            yield Keys(self.pen, (Hint("send", "enter", self.send), Hint("close", "escape", "close", last=True)))

    def on_mount(self) -> None:
        """A still cursor: nothing blinks on this screen."""
        self.query_one(Input).cursor_blink = False

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Close with the words, if there are any."""
        event.stop()
        if event.value.strip():
            self.dismiss(event.value.strip())

    def action_close(self) -> None:
        """Close without words."""
        self.dismiss("")

"""A box floats and waits for the operator: a question, or a few words to be written."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from time import monotonic
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.widgets import Input

from monitor.ui.pen import Pen
from monitor.ui.present.foot import Hint
from monitor.ui.present.parts import Part, laid
from monitor.ui.screens.sizes import Sized
from monitor.ui.widgets.foot import Foot
from monitor.ui.widgets.region import Lines

GUARD = 0.7
"""Seconds without its key after which the key answers a question: one that is held down begins to repeat sooner
(after 0.66 s on X11, where nothing else is set)."""
LOW = 20
"""Rows from which on a box has margins."""


class Block(Lines):
    """Lines as high as they need, and as the screen allows with the keys below them."""

    def __init__(self, pen: Pen, parts: Sequence[Part]) -> None:
        super().__init__()
        self.pen, self.parts = pen, parts
        self._draw = lambda width, height: laid(pen, parts, width, height, opens=False)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 - Textual's signature
        """As many rows as the lines take; never so many that the keys are pushed out of sight."""
        others = 8 if viewport.height >= LOW else 4
        return max(1, min(len(laid(self.pen, self.parts, width)), viewport.height - others))


def keys(pen: Pen, *hints: Hint) -> Foot:
    """The keys of a box, each of which can be clicked."""
    shown = Foot(pen, "", "keys")
    shown.put(hints)
    return shown


class Question(Sized[bool], ModalScreen[bool]):
    """Asks before something that cannot be undone; only its own key says yes."""

    def __init__(self, pen: Pen, title: str, parts: Sequence[Part], key: str, label: str) -> None:
        super().__init__()
        self.pen, self.heading, self.parts, self.key, self.label = pen, title, parts, key, label
        self._pressed = inf
        """When the box was drawn first, or its key came last."""
        self.foot = keys(pen, *self._hints(label))
        self._bindings.bind(key, "confirm")
        self._bindings.bind("escape", "answer(False)")

    def compose(self) -> ComposeResult:
        """The question above its two keys."""
        with Vertical(id="box", classes="-stop") as box:
            box.border_title = Content(self.heading)
            yield Block(self.pen, self.parts)
            yield self.foot

    def on_foot_pressed(self, event: Foot.Pressed) -> None:
        """A click on a key is the key."""
        self.action_answer(event.key == "yes")

    def on_mount(self) -> None:
        """From the moment on at which it is drawn, it can be answered."""
        self.call_after_refresh(self._drawn)

    def _drawn(self) -> None:
        self._pressed = monotonic()

    def _hints(self, label: str) -> tuple[Hint, ...]:
        return Hint("yes", self.key, label), Hint("no", "escape", "keep it running", last=True)

    def action_confirm(self) -> None:
        """Say yes, unless the key only repeats: the one that opened the box may still be held down."""
        since, self._pressed = self._pressed, monotonic()
        if self._pressed - since >= GUARD:
            self.dismiss(True)
        else:
            self.foot.put(self._hints(f"{self.label}: once more, that was too soon"))

    def action_answer(self, yes: bool) -> None:
        """Close with the answer."""
        self.dismiss(yes)


class Words(Sized[str], ModalScreen[str]):
    """Asks for one line of words; empty when the operator thought better of it."""

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
            yield keys(self.pen, Hint("send", "enter", self.send), Hint("close", "escape", "close", last=True))

    async def on_foot_pressed(self, event: Foot.Pressed) -> None:
        """A click on a key is the key."""
        if event.key == "send":
            await self.query_one(Input).action_submit()
        else:
            self.action_close()

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

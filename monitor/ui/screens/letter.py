"""The box in which the operator writes to the agent: several lines, kept as a draft until they are sent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult, SuspendNotSupported
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import TextArea

from monitor.errors import MonitorError
from monitor.snapshot import ActionFacts, RunFacts
from monitor.ui.editor import edited
from monitor.ui.pen import Pen
from monitor.ui.present.foot import Hint
from monitor.ui.present.lines import fit, put, role, spread
from monitor.ui.present.receipts import receipts
from monitor.ui.screens.box import keys
from monitor.ui.screens.sizes import ACROSS, DOWN
from monitor.ui.widgets.foot import Foot
from monitor.ui.widgets.region import Lines

OFTEN = 0.2
"""Seconds between two looks at what became of the last one sent."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What was written, and whether it is to be sent."""

    text: str
    send: bool


@dataclass(frozen=True, slots=True)
class Post:
    """How feedback stands now."""

    run: RunFacts
    cannot: str
    """Why nothing can be sent; empty when it can."""
    last: ActionFacts | None
    now: float


class Letter(ModalScreen[Draft]):
    """To whom, the words, and what became of the last ones."""

    HORIZONTAL_BREAKPOINTS = ACROSS
    VERTICAL_BREAKPOINTS = DOWN
    AUTO_FOCUS = "TextArea"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", show=False),
        Binding("ctrl+s", "send", show=False),
        Binding("ctrl+o", "edit", show=False),
    ]

    def __init__(self, pen: Pen, text: str, post: Callable[[], Post]) -> None:
        super().__init__()
        self.pen, self.post = pen, post
        self.to, self.sent = Lines("to"), Lines("sent")
        self.area = TextArea(text, compact=True, highlight_cursor_line=False)
        self.area.cursor_blink = False

    def compose(self) -> ComposeResult:
        """The address, the words, the receipts, the keys."""
        hints = (
            Hint("action_send", "ctrl+s", "send"),
            Hint("action_edit", "ctrl+o", "open in $EDITOR"),
            Hint("action_close", "escape", "close, keep the draft", last=True),
        )
        with Vertical(id="box", classes="-letter") as box:
            box.border_title = Content("Feedback")
            yield self.to
            yield self.area
            yield self.sent
            yield keys(self.pen, *hints)

    def on_foot_pressed(self, event: Foot.Pressed) -> None:
        """A click on a key is the key."""
        event.stop()
        getattr(self, event.key)()

    def on_mount(self) -> None:
        """The cursor after the last word; the receipts as they come."""
        self.area.move_cursor(self.area.document.end)
        self.look()
        self.set_interval(OFTEN, self.look)

    def look(self) -> None:
        """Show how it stands now."""
        post, pen = self.post(), self.pen
        self.to.show(lambda width, _height: address(pen, post, width), post.run, post.cannot)
        self.sent.show(lambda width, height: receipts(pen, post.last, post.now, width)[:height], post.last)

    def action_send(self) -> None:
        """Send what is written, if it can be sent."""
        post = self.post()
        if not self.area.text.strip():
            self.notify("Nothing is written yet", markup=False)
        elif post.cannot:
            self.notify(f"It cannot be sent: {post.cannot}", markup=False)
        else:
            self.dismiss(Draft(self.area.text.strip(), send=True))

    def action_close(self) -> None:
        """Close, and keep the draft."""
        self.dismiss(Draft(self.area.text, send=False))

    def action_edit(self) -> None:
        """Write on in the operator's own editor; the screen stands aside meanwhile."""
        try:
            with self.app.suspend():
                text = edited(self.area.text)
        except SuspendNotSupported:
            self.notify("The screen cannot stand aside here", markup=False)
        except MonitorError as problem:
            self.notify(str(problem), markup=False, severity="warning")
        else:
            self.area.text = text
            self.area.move_cursor(self.area.document.end)


def address(pen: Pen, post: Post, room: int) -> list[Content]:
    """To whom the words go, and how."""
    run = post.run
    who = f" {pen.mark('dot')} ".join(filter(None, (run.agent, run.model))) or "the agent"
    where = pen.place(run.project or run.cwd)
    to = put(("to   ", role("muted")), (who, role("", bold=True)), ("   " + where if where else "", role("")))
    how = put((f"not now: {post.cannot}", role("warn"))) if post.cannot else put("into its run, as soon as it takes it")
    return [
        spread(pen, to, put(("as your own words", role("muted"))), room),
        fit(pen, put(("how  ", role("muted"))) + how, room),
    ]

"""The box in which the operator writes to the agent: several lines, kept as a draft until they are sent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult, SuspendNotSupported
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.screen import ModalScreen

from monitor.actions import When
from monitor.errors import MonitorError
from monitor.text import line
from monitor.ui.copying import Quoted
from monitor.ui.editor import edited
from monitor.ui.pen import Pen
from monitor.ui.present.address import ROWS, Post, address
from monitor.ui.present.foot import Hint
from monitor.ui.present.receipts import receipts
from monitor.ui.screens.box import LOW, keys
from monitor.ui.screens.sizes import Sized
from monitor.ui.widgets.foot import Foot
from monitor.ui.widgets.region import Lines
from monitor.ui.widgets.words import WordsArea

OFTEN = 0.2
"""Seconds between two looks at what became of the last one sent."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What was written, and whether and when it is to be sent."""

    text: str
    send: bool
    when: When = "next"


class Address(Lines):
    """As high as what it says."""

    def __init__(self, said: Callable[[int, int], list[Content]]) -> None:
        super().__init__("to")
        self._said = said
        self._rows = 0

    def look(self) -> None:
        """Show how it stands now."""
        most = rows(self.app.size.height)
        lines = self._said(self.size.width, most)
        self.show(lambda width, _height: self._said(width, most), "\n".join(one.plain for one in lines))
        if len(lines) != self._rows:
            self._rows = len(lines)
            self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 - Textual's signature
        """A row for each line."""
        most = rows(viewport.height)
        return min(len(self._said(width, most)), most)


def rows(height: int) -> int:
    """Rows for the address on a screen of this height: the keys stay in sight."""
    return ROWS if height >= 30 else ROWS - 1 if height >= LOW else 2


class Letter(Sized[Draft], ModalScreen[Draft]):
    """To whom, how, the words, and what became of the last ones; what cannot be sent can be copied."""

    AUTO_FOCUS = "TextArea"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", show=False),
        Binding("ctrl+s", "send", show=False),
        Binding("ctrl+o", "edit", show=False),
        Binding("tab", "choose", show=False),
    ]

    def __init__(
        self, pen: Pen, text: str, post: Callable[[], Post], *, proposed: bool = False, quoted: str = ""
    ) -> None:
        super().__init__()
        self.quoted = Quoted(quoted, pen.home)
        """What may stand in the box without being the operator's own words: the advices of the run's findings."""
        self.pen, self.post, self.proposed = pen, post, proposed
        self.chosen = 0
        """Which of the ways there are."""
        self.to = Address(self.address)
        self.sent = Lines("sent")
        self.area = WordsArea(text, self.quoted.bare)
        self.foot = keys(pen)

    def compose(self) -> ComposeResult:
        """The address, the words, the receipts, the keys."""
        with Vertical(id="box", classes="-letter") as box:
            box.border_title = Content("Feedback")
            yield self.to
            yield self.area
            yield self.sent
            yield self.foot

    def on_foot_pressed(self, event: Foot.Pressed) -> None:
        """A click on a key is the key."""
        event.stop()
        getattr(self, event.key)()

    def on_mount(self) -> None:
        """The cursor after the last word, what is only proposed selected; the receipts as they come."""
        self.area.move_cursor(self.area.document.end)
        if self.proposed:
            self.area.select_all()
        self.look()
        self.set_interval(OFTEN, self.look)

    def on_text_area_changed(self) -> None:
        """The command holds the words."""
        self.to.look()

    def look(self) -> None:
        """Show how it stands now."""
        post, pen = self.post(), self.pen
        self.to.look()
        self.sent.show(lambda width, height: receipts(pen, post.last, post.now, width)[:height], post.last)
        does = "copy" if post.cannot else "resume" if post.command("", self.chosen) else "send"
        hints = [Hint("action_send", "ctrl+s", does), Hint("action_edit", "ctrl+o", "$EDITOR")]
        if len(post.ways) > 1:
            hints.insert(1, Hint("action_choose", "tab", f"when: {post.way(self.chosen).when}"))
        self.foot.put((*hints, Hint("action_close", "escape", "close, keep draft", last=True)))

    def address(self, width: int, most: int) -> list[Content]:
        """To whom and how; a command that can only be copied as it is copied."""
        post, text = self.post(), self.area.text.strip()
        shown = self.quoted.bare(text) if post.cannot else text
        return address(self.pen, post, shown, self.chosen, width, rows=most)

    def action_choose(self) -> None:
        """The next of the ways in which the words can be delivered."""
        self.chosen = (self.chosen + 1) % max(len(self.post().ways), 1)
        self.look()

    def action_send(self) -> None:
        """Send what is written; what cannot be sent is copied, with the command to run where there is one."""
        post, text = self.post(), self.area.text.strip()
        if not text:
            self.notify("Nothing is written yet", markup=False)
        elif post.cannot:
            copied = self.quoted.bare(text)
            command = post.command(copied, self.chosen)
            self.app.copy_to_clipboard(command or copied)
            what = "The command is copied: run it in a shell" if command else "Your words are copied"
            lost = ". Secrets in the advice were left out" if copied != text else ""
            self.notify(line(f"{what}{lost}. Nothing was sent: {post.cannot}"), markup=False)
        else:
            self.dismiss(Draft(text, send=True, when=post.way(self.chosen).when))

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
            self.notify(line(str(problem)), markup=False, severity="warning")
        else:
            self.area.text = text
            self.area.move_cursor(self.area.document.end)

"""The two regions of a comparison: the files that differ, and the lines of the one chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content
from textual.events import Click
from textual.geometry import Size
from textual.message import Message

from monitor.ui.pen import Pen
from monitor.ui.present.diff import Changed, files, patch, story, title
from monitor.ui.present.lines import put, role, wrap
from monitor.ui.widgets.region import Lines
from monitor.ui.widgets.wheel import Wheel

STEP = 8
"""Cells that the lines move to the side at a time."""


class FileList(Wheel, Lines):
    """The files that differ; a click chooses one."""

    NOTCH = 1

    @dataclass
    class Chosen(Message):
        """Another file is to be shown."""

        index: int

    def __init__(self, pen: Pen) -> None:
        super().__init__("files")
        self.pen = pen
        self.shown: Sequence[Changed] = ()
        self.here = 0
        self._first = 0

    def put(self, shown: Sequence[Changed], here: int) -> None:
        """Show these files from now on, one of them chosen."""
        if len(shown) != len(self.shown):
            self.refresh(layout=True)
        self.shown, self.here = shown, here
        self.show(self._files, shown, here)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 - Textual's signature
        """Above the lines, as many rows as there are files, and a third of the room at most."""
        return max(1, min(len(self.shown), container.height // 3))

    def _files(self, width: int, height: int) -> list[Content]:
        lines, self._first = files(self.pen, self.shown, width, height, self.here)
        return lines

    def move(self, step: int) -> None:
        """Choose another file, so many further on."""
        self.post_message(self.Chosen(self.here + step))

    def on_click(self, event: Click) -> None:
        """A click on a file chooses it."""
        at = event.get_content_offset(self)
        if at is not None and self._first + at.y < len(self.shown):
            self.post_message(self.Chosen(self._first + at.y))


class PatchView(Wheel, Lines):
    """The differences of one file, to scroll through; or why there is nothing to show."""

    def __init__(self, pen: Pen) -> None:
        super().__init__("patch")
        self.pen = pen
        self.changed: Changed | None = None
        self.words = ""
        self.now = 0.0
        self.top = self.left = 0
        self._room = 0

    def put(self, changed: Changed | None, words: str, now: float) -> None:
        """Show a file from now on, or words where there is none."""
        self.changed, self.words, self.now = changed, words, now
        self.draw()

    def draw(self) -> None:
        """Draw again what differs."""
        self.show(self._patch, self.changed, self.words, self.top, self.left)

    def move(self, step: int) -> None:
        """Scroll by lines."""
        self.top = max(0, self.top + step)
        self.draw()

    def page(self, step: int) -> None:
        """Scroll by what is shown, but for a line."""
        self.move(step * max(self._room - 1, 1))

    def aside(self, step: int) -> None:
        """Move the lines to the side."""
        self.left = max(0, self.left + step * STEP)
        self.draw()

    def _patch(self, width: int, height: int) -> list[Content]:
        changed = self.changed
        if changed is None:
            return wrap(put((self.words, role("muted"))), width)[:height]
        told = story(self.pen, changed, width, self.now)[: max(height - 2, 0)]
        self._room = max(height - 1 - len(told), 0)
        rows = changed.rows + bool(changed.diff.left_out)
        self.top = max(0, min(self.top, rows - self._room))
        end = min(self.top + self._room, rows)
        place = f"lines {self.top + 1} to {end} of {rows}" if rows > self._room else ""
        lines = patch(self.pen, changed, width, (self.top, end), self.left)
        return [title(self.pen, changed, place, width, focus=False), *told, *lines][:height]

"""The field for words of several lines; what is copied out of it is redacted first."""

from __future__ import annotations

from collections.abc import Callable

from textual.widgets import TextArea


class WordsArea(TextArea):
    """Copies and cuts only through `bare`."""

    def __init__(self, text: str, bare: Callable[[str], str]) -> None:
        super().__init__(text, compact=True, highlight_cursor_line=False)
        self.cursor_blink = False
        self._bare = bare

    def action_copy(self) -> None:
        """Copy what is selected."""
        if self.selected_text:
            self.app.copy_to_clipboard(self._bare(self.selected_text))

    def action_cut(self) -> None:
        """Cut what is selected, or else the line."""
        if not self.selected_text:
            self.select_line(self.cursor_location[0])
        self.action_copy()
        self.action_delete_left()

"""The key that shows what differs in the project folder."""

from __future__ import annotations

from monitor.ui.present.diff import subject
from monitor.ui.screens.diff import DiffScreen
from monitor.ui.screens.looking import Looking


class Comparing(Looking):
    """Compares the folder, or the file that is looked at."""

    def go_diff(self) -> None:
        """What differs in the file that is looked at, else in the whole folder."""
        entry = self.panel.chosen if self.panel is not None else None
        event = self.chosen.event if self.chosen is not None else None
        panel = (self.panel.id or "") if self.panel is not None else ""
        file = subject(entry, event, panel, self.source.snapshot.run)
        self.app.push_screen(DiffScreen(self.source, self.pen, self.now, file))

"""Moving about on the screen of a run: rows, regions, opening and closing."""

from __future__ import annotations

from collections.abc import Callable

from monitor.timeline.rows import Rows, Searchable
from monitor.ui.pen import Pen
from monitor.ui.screens.acting import Acting
from monitor.ui.source import Source
from monitor.ui.widgets.detail import Detail
from monitor.ui.widgets.panel import PanelView
from monitor.ui.widgets.timeline import Timeline

PAGE = 1
"""Rows of a page that stay in view."""
Region = Timeline | Detail | PanelView


class Moves(Acting):
    """The keys that change what is looked at, and nothing else."""

    timeline: Timeline
    detail: Detail

    def __init__(self, source: Source, pen: Pen, now: Callable[[], float]) -> None:
        super().__init__(source, pen, now)
        self.total, self.version = 0, -1
        """All rows in view, filtered out or not, and their version."""
        self.held = False
        self._still: Searchable | None = None
        """The rows as they were when the view was held."""

    @property
    def here(self) -> Region:
        """The region with the focus; the timeline when none has it."""
        focused = self.focused
        return focused if isinstance(focused, (Timeline, Detail, PanelView)) else self.timeline

    @property
    def every(self) -> Searchable:
        """All rows in view, filtered out or not."""
        return self.source.rows if self._still is None else self._still

    @property
    def rows(self) -> Rows:
        """The rows the timeline shows."""
        return self.every

    def open(self, opened: bool) -> None:
        """Give the whole body to the detail, or give it back."""
        if opened != self.detail.opened:
            self.set_class(opened, "-opened")
            self.detail.open(opened)
            (self.detail if opened else self.timeline).focus()

    def go_open(self) -> None:
        """In a panel to the event that proves the entry, in the timeline to the whole detail."""
        if isinstance(self.here, Detail):
            self.open(not self.detail.opened)
        else:
            self.here.choose()

    def go_back(self) -> None:
        """Close the detail, or go back to the timeline."""
        self.open(False)
        self.timeline.focus()

    def go_region(self) -> None:
        """The next region."""
        self.focus_next()

    def go_region_back(self) -> None:
        """The region before."""
        self.focus_previous()

    def go_up(self) -> None:
        """One up."""
        self.here.move(-1)

    def go_down(self) -> None:
        """One down."""
        self.here.move(1)

    def go_page_up(self) -> None:
        """A page up."""
        self.here.move(-max(1, self.here.size.height - 1 - PAGE))

    def go_page_down(self) -> None:
        """A page down."""
        self.here.move(max(1, self.here.size.height - 1 - PAGE))

    def go_first(self) -> None:
        """The first row."""
        self.here.leap(end=False)

    def go_last(self) -> None:
        """The last row, and what follows."""
        self.here.leap(end=True)

    def go_hold(self) -> None:
        """Hold the view still, or let it follow the run again."""
        self.held = not self.held
        self._still = self.source.rows.still(self.snapshot) if self.held else None

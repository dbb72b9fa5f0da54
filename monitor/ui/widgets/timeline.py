"""The timeline: only the rows on the screen are read and drawn, whatever their number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual.cache import LRUCache
from textual.content import Content
from textual.events import Click, Resize
from textual.geometry import Region as Area
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from monitor.timeline.rows import NAMELESS, Names, Rows, called
from monitor.ui.pen import Pen
from monitor.ui.present.lines import fit, heading, put
from monitor.ui.present.rail import Tick, rail
from monitor.ui.present.row import growing, row_line
from monitor.ui.widgets.region import strip
from monitor.ui.widgets.wheel import Wheel

NARROW = 84
"""Below this width the margin is one cell."""


class Timeline(Wheel, Widget, can_focus=True):
    """A virtual list of rows under a heading, with a cursor and a rail."""

    ALLOW_SELECT = False

    @dataclass
    class Moved(Message):
        """The cursor stands on another row."""

        index: int

    @dataclass
    class Opened(Message):
        """The operator wants the whole detail of the row at the cursor."""

    def __init__(self, pen: Pen, rows: Rows) -> None:
        super().__init__(id="timeline")
        self.pen, self.rows = pen, rows
        self.total, self.version = 0, -1
        self.top, self.cursor, self.follow = 0, 0, True
        self.here: int | None = None
        """The number of the row at the cursor."""
        self._drawn: tuple[int, ...] = ()
        """The numbers of the rows in view."""
        self.words = ""
        self.names: Names = NAMELESS
        self.ticks: Sequence[Tick] = ()
        self.below: Callable[[int, int], Sequence[Content]] = lambda _width, _height: ()
        self._strips: LRUCache[tuple[int, int, bool], Strip] = LRUCache(1024)
        self._now, self._growing = 0.0, dict[int, int]()
        """The moment as of which running calls are drawn, and by the number of such a row the width it was drawn in."""

    @property
    def room(self) -> int:
        """Rows that fit under the heading."""
        return max(self.size.height - 1, 0)

    def put(self, total: int, version: int, words: str, ticks: Sequence[Tick]) -> None:
        """Show so many rows; another version means that rows may say something else.

        Where rows were put in above, cursor and view stay with the row they were on.
        """
        if words != self.words:
            self.words = words
            self.refresh(Area(0, 0, self.size.width, 1 if self.total > self.room else self.size.height))
        if ticks != self.ticks:
            self.ticks = ticks
            self.refresh()
        if (total, version) == (self.total, self.version):
            return
        if version != self.version or total < self.total:
            self._strips.clear()
            self.refresh()
        self.total, self.version = total, version
        self._stay()
        if self.follow or self.cursor >= total:
            self.go(total - 1, follow=self.follow)
        if self.here is None and total:
            self.here = self.rows.ref(self.cursor)
        drawn = tuple(map(self.rows.ref, range(self.top, min(self.top + self.room, total))))
        if drawn != self._drawn or total <= self.room + 1:
            self._drawn = drawn
            self.refresh()

    def call(self, names: Names) -> None:
        """Name the sub-agents; those without a name keep their ids."""
        if names != self.names:
            self.names = names
            self._strips.clear()
            self.refresh()

    def pass_time(self, now: float) -> None:
        """Running calls last as long as until then; only their rows are drawn again."""
        if now == self._now:
            return
        self._now = now
        growing, self._growing = self._growing, {}
        for ref, width in growing.items():
            for here in (False, True):
                self._strips.discard((ref, width, here))
            index = self.rows.index(ref)
            if index is not None and self.top <= index < self.top + self.room:
                self.refresh(Area(0, 1 + index - self.top, self.size.width, 1))

    def take(self, rows: Rows) -> None:
        """Show other rows from now on; how many there are is told by `put`."""
        self.rows = rows
        self.total, self.version, self.here = 0, -1, None
        self._strips.clear()
        self.refresh()

    def go(self, index: int, *, follow: bool = False) -> None:
        """Put the cursor on a row and bring it into view."""
        old_top, old = self.top, self.cursor
        self.cursor = max(0, min(index, self.total - 1))
        self.follow = follow
        highest = max(0, self.total - self.room)
        if follow:
            self.top = highest
        elif not self.top <= self.cursor < self.top + self.room:
            margin = 0 if abs(self.cursor - old) == 1 else self.room // 3
            above = self.cursor < self.top
            self.top = self.cursor - margin if above else self.cursor - self.room + 1 + margin
        self.top = max(0, min(self.top, highest))
        if self.top != old_top:
            self.refresh()
        elif self.cursor != old:
            for row in (old, self.cursor):
                self.refresh(Area(0, 1 + row - self.top, self.size.width, 1))
        self.here = self.rows.ref(self.cursor) if self.total else None
        if self.cursor != old or follow:
            self.post_message(self.Moved(self.cursor))

    def move(self, step: int) -> None:
        """Move the cursor; past the last row it follows what comes."""
        last = self.total - 1
        self.go(self.cursor + step, follow=step > 0 and self.cursor + step >= last)

    def leap(self, *, end: bool) -> None:
        """The first row, or the last one and what follows."""
        self.go(self.total - 1 if end else 0, follow=end)

    def choose(self) -> None:
        """Open the row at the cursor."""
        self.post_message(self.Opened())

    def render_line(self, y: int) -> Strip:
        """The heading, a row, or what stands below the last row."""
        width = self.size.width
        lead = 2 if width > NARROW else 1
        inner = max(width - lead - 2, 0)
        if y == 0:
            title = heading(self.pen, "Timeline", self.pen.own(self.words), inner, focus=self.has_focus)
            return strip(self, put(" " * lead) + title, width)
        index = self.top + y - 1
        line = self._row(index, inner + lead, lead) if index < self.total else self._after(y, inner, lead)
        return Strip.join([line, strip(self, rail(self.pen, self.ticks, self._view(), y - 1), width - inner - lead)])

    def _view(self) -> tuple[int, int, int]:
        return self.top, self.room, self.total

    def _row(self, index: int, width: int, lead: int) -> Strip:
        here = index == self.cursor
        ref = self.rows.ref(index)
        key = (ref, width, here)
        found = self._strips.get(key)
        if found is None:
            row = called(self.rows.row(ref), self.names)
            found = strip(self, row_line(self.pen, row, width, here=here, lead=lead, now=self._now), width)
            self._strips.set(key, found)
            if growing(row):
                self._growing[ref] = width
        return found

    def _stay(self) -> None:
        """Rows may have been put in above: stay on the same row, and show the same rows, where it does not follow."""
        index = None if self.follow or self.here is None else self.rows.index(self.here)
        if index is not None and index != self.cursor:
            self.top = max(0, self.top + index - self.cursor)
            self.cursor = index
            self.post_message(self.Moved(index))

    def _after(self, y: int, width: int, lead: int) -> Strip:
        lines = self.below(width, self.room - self.total)
        at = y - 1 - self.total
        line = lines[at] if 0 <= at < len(lines) else Content("")
        return strip(self, fit(self.pen, put(" " * lead) + line, width + lead), width + lead)

    def notify_style_update(self) -> None:
        """The theme may be another: nothing drawn before holds."""
        super().notify_style_update()
        self._strips.clear()

    def on_resize(self, event: Resize) -> None:
        """Keep the cursor in view."""
        event.stop()
        self._strips.clear()
        self.go(self.cursor, follow=self.follow)

    def watch_has_focus(self, _has_focus: bool) -> None:
        """The title shows where the keys go."""
        super().watch_has_focus(_has_focus)
        self.refresh()

    def on_click(self, event: Click) -> None:
        """A click selects a row; on the rail it goes to that place of the run; twice on a row opens it."""
        at = event.get_content_offset(self)
        if at is None or at.y < 1 or not self.total:
            return
        if at.x >= self.size.width - 2 and self.total > self.room:
            self.go(round((at.y - 1) / max(self.room - 1, 1) * (self.total - 1)))
        elif (index := self.top + at.y - 1) < self.total:
            self.go(index)
            if event.chain == 2:
                self.choose()

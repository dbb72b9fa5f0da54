"""The list of runs: only the lines on the screen are drawn, whatever their number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual.content import Content, Span
from textual.events import Click, Resize
from textual.geometry import Region as Area
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from monitor.ui.arranged import Line, Lines, RunLine, kept
from monitor.ui.pen import Pen
from monitor.ui.present.listed import fleet_cells, header, passing
from monitor.ui.widgets.region import piece, strip
from monitor.ui.widgets.timeline import NARROW
from monitor.ui.widgets.wheel import Wheel

_PIECES = 2_000
"""Cells that are kept as they were drawn."""


class Runs(Wheel, Widget, can_focus=True):
    """Shows the runs, one of which is chosen: by its key, so that it stays the same run wherever it moves to."""

    ALLOW_SELECT = False

    @dataclass
    class Chosen(Message):
        """Another run is chosen."""

        key: str

    @dataclass
    class Opened(Message):
        """The operator wants to see the run."""

    def __init__(self, pen: Pen) -> None:
        super().__init__(id="runs")
        self.pen = pen
        self.lines: Lines = ()
        self.key, self.top, self.now = "", 0, 0.0
        self._stands = (0, 0)
        self.empty: Callable[[int], Sequence[Content]] = lambda _width: ()
        self._keys: dict[str, int] = {}
        self._drawn: dict[int, tuple[Line, tuple[object, ...], Strip]] = {}
        """By its place in the list: the line, what else it was drawn for, and how it looks."""
        self._pieces: dict[tuple[str, tuple[Span, ...]], Strip] = {}
        """How each cell looks."""

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """A row for each line, and one for the columns' names."""
        del container, viewport, width
        return len(self.lines) + 1

    @property
    def room(self) -> int:
        """Lines that fit under the columns' names."""
        return max(self.size.height - 1, 0)

    @property
    def shown(self) -> list[str]:
        """The keys of the runs on the screen, the chosen one first."""
        seen = [line.run.key for line in self.lines[self.top : self.top + self.room] if isinstance(line, RunLine)]
        return [self.key, *(key for key in seen if key != self.key)] if self.key else seen

    def put(self, lines: Lines, now: float) -> None:
        """Show these from now on; where the chosen run is gone, the one that took its place is chosen."""
        at = self._keys.get(self.key, 0)
        if len(lines) != len(self.lines):
            self.refresh(layout=True)
        self.lines, self.now = kept(self.lines, lines), now
        self.set_class(not lines, "-empty")
        self._keys = {line.run.key: index for index, line in enumerate(lines) if isinstance(line, RunLine)}
        if self.key not in self._keys:
            self.choose_at(min(at, max(len(lines) - 1, 0)))
        self._bring_into_view()
        self._refresh()

    def choose(self, key: str) -> None:
        """Choose a run and bring it into view."""
        if key != self.key and key in self._keys:
            self.key = key
            self.post_message(self.Chosen(key))
        self._bring_into_view()
        self._refresh()

    def choose_at(self, index: int) -> None:
        """Choose the run nearest to a line."""
        near = sorted(self._keys.values(), key=lambda one: (abs(one - index), one))
        self.key = ""
        if near and isinstance(line := self.lines[near[0]], RunLine):
            self.choose(line.run.key)

    def move(self, step: int) -> None:
        """Choose another run, so many further on."""
        order = list(self._keys)
        if order:
            here = order.index(self.key) if self.key in self._keys else 0
            self.choose(order[max(0, min(here + step, len(order) - 1))])

    def leap(self, *, end: bool) -> None:
        """Choose the first or the last run."""
        self.move(len(self._keys) if end else -len(self._keys))

    def _bring_into_view(self) -> None:
        at = self._keys.get(self.key, 0)
        heading = at - 1 if at and not isinstance(self.lines[at - 1], RunLine) else at
        if heading < self.top:
            self.top = heading
        elif at >= self.top + self.room:
            self.top = at - self.room + 1
        self.top = max(0, min(self.top, len(self.lines) - self.room))

    def _refresh(self) -> None:
        """Draw again what is another than before, and all of it where the list stands elsewhere."""
        width = self.size.width
        if (self.top, width) != self._stands or not self.lines:
            self._stands = self.top, width
            self.refresh()
            return
        for y in range(self.room):
            index = self.top + y
            known = self._drawn.get(index)
            line = self.lines[index] if index < len(self.lines) else None
            if known is None or line is None or known[0] is not line or known[1] != self._stamp(line):
                self.refresh(Area(0, y + 1, width, 1))

    def _stamp(self, line: Line) -> tuple[object, ...]:
        """What a line is drawn for besides itself."""
        here = isinstance(line, RunLine) and line.run.key == self.key
        return (here, self.size.width, *passing(self.pen, line, self.now))

    def render_line(self, y: int) -> Strip:
        """The columns' names, a line, or why there is none."""
        width = self.size.width
        lead = 2 if width > NARROW else 1
        room = max(width - 2 * lead, 0)
        if not self.lines:
            told = self.empty(room)
            return strip(self, Content(" " * lead) + told[y - 1] if 0 < y <= len(told) else Content(""), width)
        if y == 0:
            return strip(self, header(self.pen, room, lead), width)
        index = self.top + y - 1
        if index >= len(self.lines):
            return strip(self, Content(""), width)
        line = self.lines[index]
        stamp = self._stamp(line)
        known = self._drawn.get(index)
        if known is None or known[0] is not line or known[1] != stamp:
            here = isinstance(line, RunLine) and line.run.key == self.key
            cells = fleet_cells(self.pen, line, room, self.now, here=here, lead=lead)
            drawn = Strip.join([self._piece(cell) for cell in cells])
            whole = drawn.adjust_cell_length(width, self.visual_style.rich_style)
            known = self._drawn[index] = line, stamp, whole
        return known[2]

    def _piece(self, cell: Content) -> Strip:
        key = cell.plain, tuple(cell.spans)
        if (known := self._pieces.get(key)) is None:
            if len(self._pieces) >= _PIECES:
                self._pieces.clear()
            known = self._pieces[key] = piece(self, cell)
        return known

    def notify_style_update(self) -> None:
        """The theme may be another: nothing drawn before holds."""
        super().notify_style_update()
        self._drawn.clear()
        self._pieces.clear()

    def on_resize(self, event: Resize) -> None:
        """Keep the chosen run in view."""
        event.stop()
        self._bring_into_view()

    def on_click(self, event: Click) -> None:
        """A click chooses a run; twice opens it."""
        at = event.get_content_offset(self)
        index = self.top + at.y - 1 if at is not None else -1
        if at is None or at.y < 1 or index >= len(self.lines):
            return
        line = self.lines[index]
        key = line.run.key if isinstance(line, RunLine) else getattr(line, "key", "")
        if key:
            self.choose(key)
            if event.chain == 2:
                self.post_message(self.Opened())

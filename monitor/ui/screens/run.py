"""The view of one run."""

from __future__ import annotations

from collections.abc import Callable

from textual.app import ComposeResult
from textual.containers import Container

from monitor.ui.marks import TINTS
from monitor.ui.pen import Pen
from monitor.ui.possible import Scene, hints
from monitor.ui.present.about import about
from monitor.ui.present.detail import detail, title
from monitor.ui.present.facts import facts
from monitor.ui.present.head import head
from monitor.ui.present.panels import PANELS
from monitor.ui.present.selected import Selected
from monitor.ui.present.strip import strip, tone
from monitor.ui.screens.deeds import Deeds
from monitor.ui.selection import select, ticks
from monitor.ui.source import Source
from monitor.ui.widgets.detail import Detail
from monitor.ui.widgets.foot import Foot
from monitor.ui.widgets.panel import PanelView
from monitor.ui.widgets.region import Lines, same
from monitor.ui.widgets.timeline import Timeline

RATE = 0.1
"""Seconds between two looks at the source."""


class RunScreen(Deeds):
    """Header, verdict, panels, timeline, detail, footer: all drawn from one snapshot."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-mid"), (150, "-wide")]  # noqa: RUF012 - Textual's own way
    VERTICAL_BREAKPOINTS = [(0, "-tiny"), (12, "-short"), (20, "-low"), (30, "-tall")]  # noqa: RUF012 - as above

    AUTO_FOCUS = "#timeline"

    def __init__(self, source: Source, pen: Pen, now: Callable[[], float]) -> None:
        super().__init__(source, pen)
        self.now = now
        self.timeline = Timeline(pen, source.rows)
        self.detail = Detail(pen)
        self.head, self.strip, self.foot = Lines("head"), Lines("strip"), Foot(pen)
        self.panels = {name: PanelView(pen, name) for name, _ in PANELS}
        self._shown: tuple[object, ...] = ()
        self._chosen_for: tuple[object, ...] = ()

    def compose(self) -> ComposeResult:
        """The regions from top to bottom."""
        yield self.head
        yield self.strip
        with Container(id="panels"):
            yield from self.panels.values()
        with Container(id="body"):
            yield self.timeline
            yield self.detail
        yield self.foot

    def on_mount(self) -> None:
        """Show what there is, and look again ten times a second."""
        self.tick()
        self.set_interval(RATE, self.tick)

    def tick(self) -> None:
        """Take the newest snapshot; what did not change is not drawn again."""
        if not self.held:
            self.snapshot = self.source.snapshot
            self.total, self.version = len(self.source.rows), self.source.rows.version
        moving = self.source.live and not self.snapshot.run.over
        second = int(self.now()) if moving else 0
        parts = (self.snapshot, self.total, self.version, second, self.held, len(self.source.rows))
        if not same(parts, self._shown):
            self._shown = parts
            self.show(second or self.now())
        self.show_keys()

    def show(self, now: float) -> None:
        """Hand each region its part."""
        shown, live, pen = self.snapshot, self.source.live, self.pen
        said = facts(shown, live=live)
        self.head.show(lambda w, _h: [head(pen, shown, now, w, live=live)], shown.run, now)
        self.strip.show(lambda w, _h: strip(pen, shown, said, now, w, live=live), shown.verdict, said, now)
        self.strip.set_classes(f"-{TINTS.get(tone(shown), 'plain')}")
        for name, panel in PANELS:
            view = panel(pen, shown, now)
            if view != self.panels[name].panel:
                self.panels[name].put(view)
        self.timeline.below = lambda width, height: about(pen, shown, (width, height), now, live=live)
        self.timeline.put(self.total, self.version, self.count(), ticks(shown, self.source.rows))
        self.show_detail(now)

    def count(self) -> str:
        """What stands at the right of the timeline's heading."""
        rows = f"{self.total:,} {'row' if self.total == 1 else 'rows'}"
        if self.held:
            new = len(self.source.rows) - self.total
            return f"{rows} · held{f' · {new:,} new' if new > 0 else ''}"
        if not self.source.live:
            return f"{rows} · end of the log"
        if self.timeline.follow:
            return f"{rows} · following"
        return f"row {self.timeline.cursor + 1:,} of {self.total:,}"

    def show_detail(self, now: float) -> None:
        """The row at the cursor, read back once until it changes."""
        index = self.timeline.cursor
        moving = now if self.chosen is not None and self.chosen.row.outcome == "running" else 0
        parts = (self.snapshot, self.version, index, self.total > 0, self.wanted, moving)
        if same(parts, self._chosen_for):
            return
        anew = not self._chosen_for or self._chosen_for[2] != index
        self._chosen_for = parts
        self.chosen = self._select(index) if self.total else None
        self.finding = self.chosen.finding if self.chosen is not None else None
        body = detail(self.pen, self.chosen, self.snapshot, now)
        self.detail.put(title(self.pen, self.chosen, now), tuple(body), anew=anew)
        self.show_keys()

    def show_keys(self) -> None:
        """What each key would do now."""
        self.foot.put(hints(Scene(self.source, self.snapshot, self.finding, held=self.held)))

    def _select(self, index: int) -> Selected:
        return select(self.snapshot, self.source.rows, index, wanted=self.wanted, warns=not self.source.can("warn"))

    def on_timeline_moved(self, event: Timeline.Moved) -> None:
        """Another row: its detail, and where it stands."""
        event.stop()
        self.show_detail(self.now())
        self.timeline.put(self.total, self.version, self.count(), self.timeline.ticks)

    def on_timeline_opened(self, event: Timeline.Opened) -> None:
        """The whole detail, in the place of panels and timeline."""
        event.stop()
        self.open(True)

    def on_panel_view_chosen(self, event: PanelView.Chosen) -> None:
        """To the event that proves the entry."""
        event.stop()
        self.prove(event.entry.seq)

    def on_foot_pressed(self, event: Foot.Pressed) -> None:
        """A click on a key is the key."""
        event.stop()
        self.action_go(event.key)

"""The view of one run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content

from monitor.replay.playback import Playback
from monitor.snapshot import OpenCall, Snapshot
from monitor.ui.marks import TINTS
from monitor.ui.pen import Pen
from monitor.ui.present.about import about, unfound
from monitor.ui.present.bar import Moment, moment
from monitor.ui.present.facts import facts
from monitor.ui.present.head import head
from monitor.ui.present.panels import PANELS
from monitor.ui.present.receipts import growing, under_way, waiting
from monitor.ui.present.strip import strip, tone
from monitor.ui.screens.comparing import Comparing
from monitor.ui.source import Source, player
from monitor.ui.widgets.detail import Detail
from monitor.ui.widgets.foot import Foot
from monitor.ui.widgets.panel import PanelView
from monitor.ui.widgets.region import Lines, same
from monitor.ui.widgets.timeline import Timeline

RATE = 0.1
"""Seconds between two looks at the source."""


class RunScreen(Comparing):
    """Header, verdict, panels, timeline, detail, footer: all drawn from one snapshot."""

    AUTO_FOCUS = "#timeline"

    def __init__(self, source: Source, pen: Pen, now: Callable[[], float], policy: str = "") -> None:
        super().__init__(source, pen, now)
        self.policy = policy
        """How a policy acts on this run, in the words of the header; empty where there is none."""
        self.timeline = Timeline(pen, source.rows)
        self.detail = Detail(pen)
        self.head, self.strip, self.hand = Lines("head"), Lines("strip"), Lines("hand")
        self.panels = {name: PanelView(pen, name) for name, _ in PANELS}
        self._shown: tuple[object, ...] = ()

    def compose(self) -> ComposeResult:
        """The regions from top to bottom."""
        yield self.head
        yield self.strip
        with Container(id="panels"):
            yield from self.panels.values()
        with Container(id="body"):
            yield self.timeline
            yield self.detail
        yield self.scrub
        yield self.hand
        yield self.foot
        yield self.field

    def on_mount(self) -> None:
        """Show what there is, and look again ten times a second."""
        self.set_class(self.source.playback is not None, "-replay")
        self.tick()
        self.set_interval(RATE, self.tick)

    def tick(self) -> None:
        """Take the newest snapshot; what did not change, or stands below another screen, is not drawn."""
        if self.app.screen is not self and not self.app.screen.is_modal:
            return
        playback = self.source.playback
        if not self.held:
            self.snapshot = self.source.snapshot
        self.total, self.version = len(self.every), self.every.version
        moving = self.source.live and not self.snapshot.run.over
        second = int(self.now()) if moving else 0
        parts = (self.snapshot, self.total, self.version, second, self.held, len(self.source.rows), playback)
        if not same(parts, self._shown):
            self._shown = parts
            self.show()
        self.show_hand()
        self.show_keys()

    def show_hand(self) -> None:
        """How far the latest action got, above the keys; held views show it too, since it is the operator's own."""
        action = under_way(self.source.snapshot, self.now()) if self.source.live else None
        self.set_class(action is not None, "-acting")
        if action is not None:
            pen, now = self.pen, self.now()
            self.hand.show(lambda w, h: growing(pen, action, now, w)[:h], action, waiting(pen, action, now))

    def show(self) -> None:
        """Hand each region its part."""
        live, pen, playback, today = self.source.live, self.pen, self.source.playback, self.now()
        shown, now = read_so_far(self.snapshot, playback), self.moment
        if live:
            now = today = float(int(today))
        said = facts(shown, live=live, now=now, began=self._began)
        as_of = "" if playback is None or playback.read < 1 else moment(pen, playback)
        self.head.show(
            lambda w, _h: [head(pen, shown, now, w, live=live, playback=playback, policy=self.policy)],
            *(shown.run, now, playback),
        )
        self.strip.show(
            lambda w, _h: strip(pen, shown, said, today, w, live=live, as_of=as_of), shown.verdict, said, today, as_of
        )
        self.strip.set_classes(f"-{TINTS.get(tone(shown), 'plain')}")
        panels = replace(pen, measures=not self.source.can("measure"))
        for name, panel in PANELS:
            view = panel(panels, shown, now)
            if view != self.panels[name].panel:
                self.panels[name].put(view)
        if playback is not None:
            played = player(self.source)
            problem = played.problem if played is not None else ""
            self.scrub.put(playback, Moment(shown.run.turns, today, problem))
        self.timeline.below = partial(self._below, shown, today)
        if not self.held:
            self.timeline.pass_time(now)
        self.search()
        self.show_rows()
        self.arrive()
        self.show_detail()

    def _began(self, call: OpenCall) -> float | None:
        """When a call was seen to begin, as its row has it."""
        ref = self.every.ref_of(call.seq)
        return self.every.row(ref).at if ref is not None else None

    def _below(self, shown: Snapshot, today: float, width: int, height: int) -> Sequence[Content]:
        """What stands under the last row."""
        if (found := self.filtered) is not None:
            done = found.searched >= 1
            return () if len(found) else unfound(self.pen, found.query.problem, done=done)
        live, state = self.source.live, self.source.playback
        return about(self.pen, shown, (width, height), today, live=live, state=state)

    def on_timeline_moved(self, event: Timeline.Moved) -> None:
        """Another row: its detail, and where it stands."""
        event.stop()
        self.show_detail()
        self.show_rows()

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


def read_so_far(snapshot: Snapshot, playback: Playback | None) -> Snapshot:
    """The snapshot; while a replay still reads its log, how far that got as the verdict's reason."""
    if playback is None or playback.read >= 1:
        return snapshot
    reason = f"The log is being read: {int(100 * playback.read)}%"
    return replace(snapshot, verdict=replace(snapshot.verdict, reason=reason))

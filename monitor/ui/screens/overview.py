"""The runs of this machine: those that need the operator first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType

from monitor.channels.hold import BEAT
from monitor.finding.here import alone_here
from monitor.finding.pace import beat
from monitor.finding.standing import FleetView
from monitor.ui.arranged import Arrangement, RunLine, next_in_need
from monitor.ui.fleet import Fleet
from monitor.ui.keys import LAST, bindings
from monitor.ui.marks import TINTS
from monitor.ui.ordered import NAMES, SORTS
from monitor.ui.pen import Pen
from monitor.ui.present.facts import open_findings
from monitor.ui.present.fleet import nothing, peek, summary, title, tone
from monitor.ui.present.foot import Hint
from monitor.ui.screens.taking import NONE, Taking
from monitor.ui.source import Source
from monitor.ui.unattached import Unattached
from monitor.ui.widgets.foot import Foot
from monitor.ui.widgets.region import Lines as Region
from monitor.ui.widgets.region import same
from monitor.ui.widgets.runs import Runs

HEED = 0.25
"""Seconds between two looks for what needs somebody: that is drawn at once."""
AIRY = 30
"""Rows from which on the sections stand apart."""
_NOT_YET = "This run is not attached: enter attaches to it"
_ORDER = (
    "enter",
    "needs",
    "allow",
    "deny",
    "feedback",
    "warn",
    "abort",
    "filter",
    "export",
    "sort",
    "projects",
    "pause",
)
"""The footer's keys, the most needed first."""


class Overview(Taking):
    """Summary, the list of runs, the chosen one at a glance, footer."""

    BINDINGS: ClassVar[list[BindingType]] = list(bindings("overview"))
    AUTO_FOCUS = "#runs"

    def __init__(
        self,
        fleet: Fleet,
        pen: Pen,
        now: Callable[[], float],
        *,
        policy: Callable[[], tuple[str, str]] = lambda: ("", ""),
        here: Path | None = None,
    ) -> None:
        super().__init__(fleet, pen, now)
        self._policy, self._here = policy, here
        self.head, self.strip, self.glance = Region("head"), Region("strip"), Region("glance")
        self.foot = Foot(pen)
        self._shown: tuple[object, ...] = ()
        self._drafts: dict[str, str] = {}
        self._beats = 0
        self._heeded: FleetView | None = None
        """Seen to press no more than what is drawn."""
        self._arrangement = Arrangement()

    def compose(self) -> ComposeResult:
        """The regions from top to bottom."""
        yield self.head
        yield self.strip
        yield self.runs
        yield self.glance
        yield self.foot
        yield self.field

    def on_mount(self) -> None:
        """Begin to look, and show what there is."""
        self.fleet.start()
        self.tick()
        self.set_interval(BEAT, self.draw_on)
        self.set_interval(HEED, self.heed)

    def draw_on(self) -> None:
        """Draw what goes on, beat by beat."""
        self._beats += 1
        if not self._beats % (beat(len(self.view.live)) // BEAT):
            self.tick()

    def tick(self) -> None:
        """Take the newest view; what did not change is not drawn again."""
        if self.app.screen is not self and not self.app.screen.is_modal:
            return
        self.hold_on()
        view = self.fleet.view
        parts = (view, self.wish, int(self.now()), self.size.width, self.size.height)
        if same(parts[:1], self._shown[:1]) and parts[1:] == self._shown[1:]:
            return
        anew = (
            not self._shown or view is not self._shown[0] or parts[3:] != self._shown[3:] or self.wish != self._shown[1]
        )
        self._shown, self.view = parts, view
        if anew:
            self.lines = self._arrangement.lines(view, self.wish, self.now(), airy=self.size.height >= AIRY)
        self.show()
        self._begin()

    def heed(self) -> None:
        """Draw at once, where another run needs somebody, or one needs him no more."""
        view = self.fleet.view
        if view is self.view or view is self._heeded:
            return
        if same(_pressing(view), _pressing(self.view)):
            self._heeded = view
        else:
            self.tick()

    def _begin(self) -> None:
        """Once the machine was looked over: into the one agent that works in the folder monitor was started in."""
        if self._here is None or not self.view.looked:
            return
        run, self._here = alone_here((one.listed for one in self.view.live), self._here), None
        if run is not None and self.app.screen is self:
            self.runs.choose(run.key)
            self.enter(run.key)

    def show(self) -> None:
        """Hand each region its part."""
        pen, view, now, policy = self.pen, self.view, float(int(self.now())), self._policy()
        wish, count = self.wish, sum(isinstance(one, RunLine) for one in self.lines)
        self.head.show(lambda w, _h: [title(pen, now, w, policy, wish)], now, policy, wish)
        self.strip.show(lambda w, _h: summary(pen, view, w, wish.words, count), view, wish, count)
        self.strip.set_classes(f"-{TINTS.get(tone(view), 'plain')}")
        self.runs.empty = lambda width: nothing(pen, view, self.wish.words, width)
        self.glance.display = bool(self.lines)
        self.runs.put(self.lines, now)
        self.fleet.look_at(self.runs.shown)
        self.choose()

    def choose(self) -> None:
        """The chosen run is what the keys act on, and what is shown at a glance."""
        run = self.chosen
        source = self.fleet.source(run.key) if run is not None else None
        if run is not None and source is not self.source:
            self.draft = self._drafts.get(run.key, "")
        self.source = source or (Unattached(NONE) if run is None else Unattached(_NOT_YET, run.snapshot))
        self.snapshot = self.source.snapshot
        self.finding = next((one for one in open_findings(self.snapshot) if one.advice), None)
        now, rows = float(int(self.now())), self.source.rows
        self.glance.show(lambda w, h: peek(self.pen, run, rows, now, (w, h)), run, len(rows), now)
        self.show_keys()

    def on_runs_chosen(self, event: Runs.Chosen) -> None:
        """Another run is chosen."""
        event.stop()
        self.fleet.look_at(self.runs.shown)
        self.choose()

    def on_runs_opened(self, event: Runs.Opened) -> None:
        """Twice clicked."""
        event.stop()
        self.action_go("enter")

    def on_foot_pressed(self, event: Foot.Pressed) -> None:
        """A click on a key is the key."""
        event.stop()
        self.action_go(event.key)

    def show_keys(self) -> None:
        """What each key would do now."""
        keys = {key.id: key for key in self.pen.keys}
        shown = [keys[name] for name in (*(("back",) if self.opened_from_a_run or self.left else ()), *_ORDER, *LAST)]
        self.foot.put([Hint(one.id, one.first, one.label, bool(self.why_not(one.id)), one.id in LAST) for one in shown])

    def keep(self, draft: str, source: Source) -> None:
        """Keep what was written to a run and not sent, with that run."""
        super().keep(draft, source)
        key = next((one.key for one in (*self.view.live, *self.view.ended) if self.fleet.source(one.key) is source), "")
        self._drafts[key] = draft

    def go_needs(self) -> None:
        """To the next run that needs somebody."""
        self.runs.choose(next_in_need(self.lines, self.runs.key, 1))

    def go_needs_back(self) -> None:
        """To the run before that needs somebody."""
        self.runs.choose(next_in_need(self.lines, self.runs.key, -1))

    def go_sort(self) -> None:
        """In another order."""
        self.wish = replace(self.wish, sort=SORTS[(SORTS.index(self.wish.sort) + 1) % len(SORTS)])
        self.say(NAMES[self.wish.sort][0])
        self.tick()

    def go_projects(self) -> None:
        """By project, or all together."""
        self.wish = replace(self.wish, grouped=not self.wish.grouped)
        self.tick()


def _pressing(view: FleetView) -> tuple[object, ...]:
    """Which runs live, and how much each of them needs somebody; and what has ended."""
    return view.ended, *(f"{one.key} {one.urgency}" for one in view.live)

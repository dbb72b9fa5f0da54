"""Two pages that no run shows at once: the strip in every state, and each panel calm, in trouble, ended, and not seen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from ui_ended import empty, ended
from ui_runs import calm
from ui_samples import NOWS, PEN, SampleSource, at
from ui_trouble import trouble

from monitor.snapshot import Snapshot, State, Verdict
from monitor.ui.marks import STATES, TINTS
from monitor.ui.present.facts import facts
from monitor.ui.present.panels import PANELS
from monitor.ui.present.strip import strip, tone
from monitor.ui.widgets.panel import PanelView
from monitor.ui.widgets.region import Lines

NOW = NOWS["trouble"]


def told(state: State, source: SampleSource, reason: str, clock: str, what: str) -> Snapshot:
    """A run's snapshot with another verdict."""
    verdict = Verdict(state, reason, since=at(clock), since_what=what)  # type: ignore[arg-type]
    return replace(source.snapshot, verdict=verdict)


def states() -> dict[State, Snapshot]:
    """A snapshot in each state, in the order of their weight."""
    worse = trouble()
    reason = "wheels.example.org: all 5 different calls to it failed"
    no_site = replace(worse.snapshot, findings=(), writes=calm().snapshot.writes)
    return {
        "running": told("running", calm(), "Nothing needs you", "15:09:12", "last event"),
        "waiting": told("waiting", calm(), "Asks to run: rm -rf build dist", "15:07:34", "waits"),
        "not made": told("not made", worse, "2 writes outstanding: readings.py, export.py", "15:09:02", "claimed done"),
        "blocked": replace(no_site, verdict=Verdict("blocked", reason, since=at("15:06:40"), since_what="since")),
        "looping": told("looping", calm(), "The same command failed 4 times: python -m pytest -q", "15:07:12", "since"),
        "unchanged": ended().snapshot,
        "claimed": empty().snapshot,
        "changed": told("changed", calm(), "Done is claimed, nothing outstanding, 4 files changed", "15:08:20", "claimed done"),
        "failed": told("failed", calm(), "The agent ended on an error: API overloaded (529)", "15:03:09", "ended"),
        "aborted": told("aborted", worse, "Ended by the operator before it was done", "15:09:11", "ended"),
        "stopped": told("stopped", calm(), "By the agent's own limit: 50 turns", "15:08:40", "ended"),
        "unknown": told("unknown", calm(), "The log ends in a call, and its process is gone", "15:05:22", "last event"),
    }  # fmt: skip


class Strips(Screen[None]):
    """The strip in every state."""

    def compose(self) -> ComposeResult:
        """One below the other, as high as on the screen of a run."""
        width, colours = self.app.size.width, self.app.theme_variables
        margin, rows = (1 if width < 100 else 2), (4 if width > 150 else 3 if width > 100 else 2)
        for state, shown in states().items():
            said, live = facts(shown, live=True), state not in ("failed", "aborted", "stopped", "claimed", "unknown")
            region = Lines()
            region.styles.height, region.styles.padding = rows, (1 if rows == 4 else 0, margin)
            if tint := TINTS.get(tone(shown)):
                region.styles.background = colours[tint]
            region.show(lambda w, _h, s=shown, f=said, on=live: strip(PEN, s, f, NOW, w, live=on), state)
            yield region


class Panels(Screen[None]):
    """Each panel in every state: a row of four for each kind of run."""

    def compose(self) -> ComposeResult:
        """Abreast, or where there is little room one below the other."""
        narrow, wide = self.app.size.width < 100, self.app.size.width > 150
        for source in (calm, trouble, ended, empty):
            row = Vertical() if narrow else Horizontal()
            row.styles.height, row.styles.margin = (5 if narrow else 10 if wide else 8), (1, 1 if narrow else 2, 0, 2)
            with row:
                for name, panel in PANELS:
                    view = PanelView(PEN, f"{source.__name__}-{name}")
                    view.styles.height, view.styles.width = (1 if narrow else 7 if wide else 5), "1fr"
                    view.styles.padding, view.styles.margin = 0, (0, 0 if narrow else 3, 0, 0)
                    view.can_focus = False
                    view.put(panel(PEN, source().snapshot, NOW))
                    yield view


PAGES: dict[str, Callable[[], Screen[None]]] = {"@strips": Strips, "@panels": Panels}
"""What stands in for a key of a picture: the page is put on the screen."""
assert set(states()) == set(STATES)

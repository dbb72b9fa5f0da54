"""What the operator can do on the screen of a run: one method `go_<id>` for each key."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.binding import BindingType

from monitor.ui.keys import bindings
from monitor.ui.pen import Pen
from monitor.ui.possible import Scene, hints, why_not
from monitor.ui.present.facts import open_findings
from monitor.ui.present.parts import Part
from monitor.ui.present.selected import Selected
from monitor.ui.screens.box import Words
from monitor.ui.screens.filtering import Filtering
from monitor.ui.selection import following, place, row_of
from monitor.ui.source import Source
from monitor.ui.widgets.foot import Foot
from monitor.ui.widgets.panel import PanelView


class Deeds(Filtering):
    """The keys of a run's screen; what cannot be done says why."""

    BINDINGS: ClassVar[list[BindingType]] = list(bindings())
    ALLOW_SELECT = False

    def __init__(self, source: Source, pen: Pen, now: Callable[[], float]) -> None:
        super().__init__(source, pen, now)
        self.foot = Foot(pen)
        self.wanted = ""
        """The key of the finding that `next` and `previous` went to."""
        self.chosen: Selected | None = None
        self.panel: PanelView | None = None
        """The panel whose entry is looked at; none for the row at the cursor."""

    @property
    def scene(self) -> Scene:
        """What the keys can do depends on."""
        return Scene(self.source, self.snapshot, self.finding, held=self.held, pen=self.pen)

    def show_keys(self) -> None:
        """What each key would do now."""
        self.foot.put(hints(self.scene))

    def action_go(self, name: str) -> None:
        """Do what a key does, or say why it cannot be done."""
        key = next(key for key in self.pen.keys if key.id == name)
        if reason := why_not(key, self.scene):
            self.say(reason)
            return
        getattr(self, f"go_{name}")()

    def go_settle(self) -> None:
        """Ask for the reason, and settle the selected finding."""
        finding = self.finding
        if finding is None:
            return
        parts = [Part("level", finding.message, level=finding.level), Part("quiet", "Your reason stays on record.")]
        box = Words(self.pen, "Settle this finding", parts, "why it needs nothing more", "settle")
        self.app.push_screen(box, lambda words: self.act("settle", words, finding.key) if words else None)

    def go_next(self) -> None:
        """To the next open finding."""
        self._step(1)

    def go_previous(self) -> None:
        """To the open finding before."""
        self._step(-1)

    def _step(self, step: int) -> None:
        if self.source.playback is not None:
            self.moment_of(step)
            return
        here = self.finding.key if self.finding is not None else self.wanted
        found = open_findings(self.snapshot)
        if self.filtered is not None:
            found = tuple(one for one in found if row_of(self.rows, one) is not None)
        finding = following(found, here, step)
        if finding is None:
            self.say(f"No open finding is among these rows: {self.pen.key('back')} shows all")
            return
        self.wanted = finding.key
        self._to(row_of(self.rows, finding))

    def prove(self, seq: int | None) -> None:
        """To the row that shows an event."""
        if seq is None:
            self.say("No single event proves this")
        else:
            self._to(place(self.rows, seq))

    def _to(self, index: int | None) -> None:
        if index is None or index >= self.timeline.total:
            hidden = self.filtered is not None
            self.say(
                f"The event that proves it is filtered out: {self.pen.key('back')} shows all rows"
                if hidden
                else "The event that proves it is not in the timeline"
            )
            return
        self.open(False)
        self.panel = None
        self.set_focus(self.timeline)
        self.timeline.go(index)

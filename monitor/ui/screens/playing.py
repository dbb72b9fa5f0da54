"""The keys and the bar of a replay."""

from __future__ import annotations

from collections.abc import Callable

from monitor.replay.playback import Mark
from monitor.ui.pen import Pen
from monitor.ui.screens.moves import Moves
from monitor.ui.selection import row_of
from monitor.ui.source import Player, Source, player
from monitor.ui.widgets.scrub import Scrub


class Playing(Moves):
    """Plays, steps and seeks; without a replay its keys say why they do nothing."""

    def __init__(self, source: Source, pen: Pen, now: Callable[[], float]) -> None:
        super().__init__(source, pen, now)
        self.scrub = Scrub(pen)
        self.aim: Mark | None = None
        """The finding whose moment was asked for and is not shown yet."""

    @property
    def player(self) -> Player | None:
        """The source as what can be played."""
        return player(self.source)

    def go_hold(self) -> None:
        """Play or pause; without a replay hold the view."""
        if (played := self.player) is None:
            super().go_hold()
        else:
            played.play()
            self.stay()

    def go_step(self) -> None:
        """One event on."""
        self._step_by(1)

    def go_step_back(self) -> None:
        """One event back."""
        self._step_by(-1)

    def go_turn(self) -> None:
        """To the next turn."""
        self._turn_by(1)

    def go_turn_back(self) -> None:
        """To the beginning of the turn, or of the one before."""
        self._turn_by(-1)

    def go_faster(self) -> None:
        """A step faster."""
        if (played := self.player) is not None:
            played.faster(1)

    def go_slower(self) -> None:
        """A step slower."""
        if (played := self.player) is not None:
            played.faster(-1)

    def go_first(self) -> None:
        """The first moment of a replay, else the first row."""
        if self.player is None or self.here is not self.timeline:
            super().go_first()
        else:
            self.seek(1)

    def go_last(self) -> None:
        """The last moment of a replay, else the last row."""
        playback = self.source.playback
        if playback is None or self.here is not self.timeline:
            super().go_last()
        else:
            self.seek(playback.total)

    def seek(self, count: int) -> None:
        """To the moment after so many events; the timeline goes along."""
        if (played := self.player) is not None:
            played.seek(count)
            self.stay()

    def stay(self) -> None:
        """Keep the cursor at the end of the rows, where the replay stands."""
        self.aim = None
        self.timeline.go(self.timeline.total - 1, follow=True)

    def moment_of(self, step: int) -> None:
        """To the moment of the next finding of the log, or of the one before."""
        playback = self.source.playback
        if playback is None:
            return
        here = playback.count if self.aim is None else self.aim.count
        ahead = [mark for mark in playback.marks if (mark.count - here) * step > 0]
        ahead.sort(key=lambda one: one.count * step)
        mark = next((one for one in ahead if self.lets(one)), None)
        if mark is None:
            where = f"among these rows: {self.pen.key('back')} shows all" if ahead else "in this log"
            self.say(f"There is no {'later' if step > 0 else 'earlier'} finding {where}")
            return
        self.seek(mark.count)
        self.aim = mark

    def lets(self, _mark: Mark) -> bool:
        """Whether the row that proves a finding is among those shown."""
        return True

    @property
    def settled(self) -> bool:
        """Whether every row of the moment is known to be shown or not."""
        return True

    def arrive(self) -> None:
        """Once a finding's moment is shown, put the cursor on the row that proves it."""
        playback, aim = self.source.playback, self.aim
        if playback is None or aim is None or playback.count != aim.count or self.snapshot.seq != aim.count - 1:
            return
        raised = [one for one in self.snapshot.findings if aim.count - 1 in (one.raised, one.opened)]
        index = next((index for one in raised if (index := row_of(self.rows, one)) is not None), None)
        if index is None and not self.settled:
            return
        self.aim = None
        if index is not None and index < len(self.rows):
            self.timeline.go(index, follow=index == len(self.rows) - 1)

    def on_scrub_sought(self, event: Scrub.Sought) -> None:
        """The bar was clicked or dragged."""
        event.stop()
        self.seek(event.count)

    def on_scrub_toggled(self, event: Scrub.Toggled) -> None:
        """The bar's sign was clicked."""
        event.stop()
        self.go_hold()

    def _step_by(self, events: int) -> None:
        if (played := self.player) is not None:
            played.step(events)
            self.stay()

    def _turn_by(self, turns: int) -> None:
        if (played := self.player) is not None:
            played.turn(turns)
            self.stay()

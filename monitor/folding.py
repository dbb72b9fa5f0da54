"""Takes events through the run, its timeline and its journal, and finds out what the run wants to know."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from monitor.actions import Look, Measure, Reveal, Want
from monitor.events import (
    NOWHERE,
    OURS,
    Event,
    RequestEnded,
    RunEnded,
    RunStarted,
    SourceChanged,
    Tick,
    ToolCalled,
    ToolReturned,
    Unreadable,
    Waiting,
)
from monitor.hand import Hand
from monitor.journal import Journal
from monitor.kept import fated
from monitor.run.run import Run
from monitor.timeline.reading import TimelineRows
from monitor.timeline.timeline import Timeline
from monitor.worktree.look import look
from monitor.worktree.measuring import Measuring

_TIMED = (ToolCalled, ToolReturned)
"""What changes of files are held against, by their times."""
_LONGEST = 4_000
"""Characters of why something ended, as far as they are held."""


@dataclass(slots=True)
class Folding:
    """Everything that an event passes through, in this order."""

    run: Run
    timeline: Timeline
    rows: TimelineRows
    hand: Hand
    rereadable: Callable[[int], bool]
    """Whether the input of that index can be read again where an event stood."""
    clock: Callable[[], float]
    live: bool
    project: Path | None = None
    measuring: Measuring | None = None
    journal: Journal | None = None
    tap: Callable[[Event, Run], None] | None = None
    caught_up: bool = False
    """What arrives now happens now: all that stood in the log before was read."""
    watched: bool = False
    """In a journal: what is told now was told as it happened, for the monitor itself has seen something before."""
    over: bool = False
    """It was told that nothing more will come."""
    parted: str = ""
    """How that was told."""
    moment: float | None = None
    """When the latest event was, as its row says."""
    timeless: bool = False
    """A call or its result was told without its time: it is known from when it was read alone."""

    @property
    def unhurried(self) -> bool:
        """Whether what comes may be read a moment later, and is still told with the time at which it was."""
        return self.caught_up and not self.timeless

    def fold(self, events: Sequence[Event]) -> None:
        """Fold events in, and what becomes known because of them."""
        for event in events:
            folded = self.run.feed(event if event.seen else msgspec.structs.replace(event, seen=self.clock()))
            numbered = folded.event
            if _known_by_order(numbered) or not self.rereadable(numbered.place.input):
                self.rows.keep(numbered)
            self.timeline.feed(self._timed(numbered))
            if type(numbered) is SourceChanged and numbered.what in ("gone", "end"):
                self.over, self.parted = True, numbered.text
            if type(numbered) in _TIMED and numbered.at is None and not numbered.copied:
                self.timeless = True
            self.hand.observe(numbered)
            if isinstance(numbered, RunStarted) and not numbered.actor and self.measuring is not None:
                self.measuring.works_in(numbered.cwd or numbered.project)
            if self.journal is not None:
                self.journal.append(numbered)
            if self.tap is not None:
                self.tap(numbered, self.run)
            for want in folded.wants:
                self._satisfy(want, numbered.seq)

    def part(self, found: object) -> None:
        """Fold in what is known of the end of a run beside what its agent said."""
        self.fold(fated(found, self.run.snapshot(), self.parted, follows=self.journal is not None))

    def tick(self, tick: Tick) -> None:
        """Time passed, and nothing else: it takes no number, and is kept nowhere."""
        for want in self.run.feed(tick).wants:
            self._satisfy(want, self.run.seq)

    def _timed(self, event: Event) -> Event:
        """The event with a time: where its source gives none, when it was seen to arrive, if that was then."""
        self.moment = event.at
        if event.at is not None:
            return event
        ours = event.place == NOWHERE
        self.watched = self.watched or (type(event) in OURS and not ours)
        then = self.caught_up or ours if self.live else self.watched and not ours
        if not then or not event.seen:
            return event
        self.moment = event.seen
        return msgspec.structs.replace(event, at=event.seen)

    def _satisfy(self, want: Want, after: int) -> None:
        match want:
            case Reveal(seq, outside=True):
                self.timeline.reveal(seq, after)
            case Reveal(seq):
                self.timeline.take_back(seq, after)
            case Measure():
                if self.measuring is not None:
                    self.measuring.ask(want)
            case Look():
                if self.project is not None:
                    self.fold((look(want, self.project, source="disk" if self.live else "today"),))


def _known_by_order(event: Event) -> bool:
    """Whether its record, read back alone, may not tell it: how something ended, a question too, shows from all that came before.

    A long text is not held for that.
    """
    match event:
        case RequestEnded(how=how, text=text):
            return how not in ("answered", "refused") and len(text) <= _LONGEST
        case RunEnded(reason=reason):
            return len(reason) <= _LONGEST
        case Waiting(over=True, about=about):
            return len(about) <= _LONGEST
        case _:
            return type(event) is Unreadable

"""One thread: drain the sources, fold, satisfy wants, perform actions, publish one snapshot."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

from monitor.actions import Action
from monitor.agents.protocol import Found
from monitor.config import chosen_numbers
from monitor.control import Channel, NoChannel
from monitor.detectors.numbers import Numbers
from monitor.events import Event
from monitor.folding import Folding
from monitor.hand import Hand, Handed
from monitor.journal import Journal
from monitor.kept import ending, parting
from monitor.lagging import Lagging
from monitor.policy.deputy import Deputy
from monitor.replay.playback import Playback
from monitor.report.export import export
from monitor.run.run import Run
from monitor.snapshot import Snapshot, cut_off
from monitor.sources import Sources
from monitor.streams.notify import Notifier
from monitor.streams.open import Opens, open_reader
from monitor.streams.record import Account
from monitor.timeline.reading import TimelineRows
from monitor.timeline.timeline import Timeline
from monitor.troubles import troubles
from monitor.worktree.diff import FolderDiff
from monitor.worktree.live import LiveFolder
from monitor.worktree.measuring import Measuring
from monitor.worktree.project import ProjectFolder

_PAUSE, _ANSWER, _QUIET_ROUNDS = 1.0, 0.02, 3
"""Seconds between two looks at what does not announce itself: new inputs, the agent's process; a server's answer."""
_ALONE = "this run is only read: no channel to its agent was opened"


class Supervisor(Handed):
    """Follows one run, or reads a finished one; `snapshot` and `rows` may be read from any thread."""

    ended = False
    """Nothing more will come: the run is over, its process gone, or its pipe closed, and all is taken in."""
    playback: Playback | None = None
    """None: what is live, or read to its end, is not replayed."""
    problem = ""
    """Why the thread has ended before its time; empty while all is well."""

    def __init__(
        self,
        found: Found,
        *,
        live: bool,
        project: Path | None = None,
        measuring: Measuring | None = None,
        watch: LiveFolder | None = None,
        journal: Journal | None = None,
        channel: Channel | None = None,
        reader: Opens = open_reader,
        tap: Callable[[Event, Run], None] | None = None,
        deputy: Deputy | None = None,
        notifier: Notifier | None = None,
        clock: Callable[[], float] = time.time,
        numbers: Numbers | None = None,
    ) -> None:
        self.live = live
        self.found = found
        self._clock = clock
        self.journal = journal
        self._folder = ProjectFolder(measuring, watch)
        self._deputy = deputy
        self._hand = Hand(channel or NoChannel(_ALONE), measuring, clock)
        self._sources = Sources(found, reader, self._hand.hear)
        self._lagging = Lagging(lambda: self._sources.behind, time.monotonic)
        timeline = Timeline()
        self.rows = TimelineRows(timeline, self._sources.read_at, found.decoder)
        self.rows.know(self._sources.inputs)
        run = Run(chosen_numbers().numbers if numbers is None else numbers)
        self._folding = Folding(
            run, timeline, self.rows, self._hand, self._sources.rereadable, clock, live, project, measuring,
            journal, tap,
        )  # fmt: skip
        self.snapshot: Snapshot = run.snapshot()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._notifier = notifier
        self._looked_at, self._over, self._quiet = 0.0, False, 0
        self._troubles = troubles(journal, self._folder, found)

    def read_all(self) -> None:
        """Read a finished log to its end, in this thread; a server that is asked for it is waited for."""
        while self.step() or self._sources.past:
            if self._sources.past:
                self._stop.wait(_ANSWER)
        self.finish()

    def step(self) -> int:
        """One round: take in what is there, act, publish; how many events were taken in."""
        taken = self._sources.take()
        self._folding.fold(taken)
        self._folding.caught_up = self._folding.caught_up or not (taken or self._sources.past)
        if self._folding.caught_up and self._folder.begin(late=self._folding.run.facts.requests > 0):
            self._looked_at = 0.0  # what comes from now on is told that the folder is being measured
        self._folding.fold([*self._hand.receipts(self._folding.run.snapshot), *self._folder.news()])
        if self.live:
            self._look_around()
            self._see_end(bool(taken))
        self._publish(more=bool(taken))
        self._depute()
        return len(taken)

    def finish(self) -> None:
        """No more will come: the last line, the last measurement, and what only the end can say."""
        self._folding.fold(self._sources.finish())
        self._folding.fold([*self._folder.settle(), *self._troubles.news()])
        self._folding.part(self.found)
        told = self._folding.run.snapshot()
        cut = told.worktree.pending and not self.live
        if (not (told.run.over or self._folding.over) or cut) and not self._over:
            missing = " before a measurement that was under way" if cut else ""
            self._folding.fold((ending(self.found, missing, self._clock()),))
        self.ended = True
        self._publish()

    @property
    def progress(self) -> float:
        """The share of the inputs read so far, from 0 to 1."""
        return self._sources.progress

    @property
    def moment(self) -> float | None:
        """When the latest event was, as its row says."""
        return self._folding.moment

    def accounts(self) -> list[Account]:
        """What became of every byte."""
        return self._sources.accounts()

    def act(self, action: Action) -> None:
        """Queue an action; any thread may."""
        self._hand.act(action)
        if self._notifier is not None:
            self._notifier.hurry()

    @property
    def no_diff(self) -> str:
        """Why it cannot be told what differs in the folder; empty when it can."""
        return self._folder.no_diff

    def diff(self, file: str = "", since: float | None = None) -> FolderDiff:
        """What differs in the folder, or in one file of it; since the start, or since a moment. May take its time."""
        return self._folder.differences(file, since)

    def export(self) -> str:
        """Write the run's summary; its path."""
        return export(self.snapshot, self.accounts(), self._clock())

    def start(self) -> None:
        """Begin to follow, in a thread of its own."""
        self._notifier = self._notifier or Notifier()
        self._folder.wake(self._notifier.wake)
        self._watch_inputs()
        self._thread = threading.Thread(target=self._follow, name="supervisor", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop following; the agent goes on."""
        self._stop.set()
        if self._notifier is not None:
            self._notifier.hurry()
        if self._thread is not None and self._thread.ident is not None:  # a signal may come before it is begun
            self._thread.join(timeout=5)
        if self._deputy is not None:
            self._deputy.close()
        self._folder.close()
        self._hand.close()
        self._sources.close()
        if self.journal is not None:
            self.journal.close()
        if self._notifier is not None:
            self._notifier.close()

    def _follow(self) -> None:
        notifier = self._notifier
        assert notifier is not None
        try:
            self._folding.fold(self._folder.news())  # a start that was measured before the agent began comes first
            while not self._stop.is_set():
                if notifier.gathers(taken := notifier.turn(self.step), keeps=self._folding.unhurried) or not taken:
                    notifier.wait(self._hand.pause(_PAUSE))
        except Exception as error:  # noqa: BLE001 - the screen must outlive a fault of the thread, and say it
            problem = f"{type(error).__name__}: {error}"
            told = f"monitor itself failed and reads no further ({problem})"
            self.snapshot = cut_off(self.snapshot, told)
            self.problem = problem

    def _watch_inputs(self) -> None:
        self.rows.know(self._sources.inputs)
        for path in (source.path for source in self._sources.inputs):
            if path is not None and self._notifier is not None:
                self._notifier.watch(path)

    def _see_end(self, taken: bool) -> None:
        """Whether this was the end: a closed pipe at once, else an ended run after some quiet rounds."""
        self._quiet = 0 if taken else self._quiet + 1
        if self._sources.closed:
            if not taken and not self.ended:
                self.finish()
        else:
            self.ended = self._quiet >= _QUIET_ROUNDS and (self._over or self._folding.run.facts.over)

    def _depute(self) -> None:
        """Let the policy act, once all that had happened before is known."""
        if self._deputy is not None and self._folding.caught_up:
            self._deputy.consider(self.snapshot, self._clock(), can=self.can, act=self._hand.act)

    def _publish(self, *, more: bool = False) -> None:
        snapshot = self._lagging.told(self._folding.run.snapshot(), more=more and self.live and not self.ended)
        if snapshot is not self.snapshot:
            self.rows.mark(snapshot)
            self.rows.run_on(not (snapshot.run.over or self._folding.over))
            self._folder.rescue(snapshot.outside.overwritten)
            self.snapshot = snapshot

    def _look_around(self) -> None:
        """New inputs of the run, and whether its process still exists."""
        now = time.monotonic()
        slowed = 1 if self._notifier is None else self._notifier.slowed
        if now - self._looked_at < _PAUSE * slowed:
            return
        self._looked_at = now
        if self._sources.look_for_inputs():
            self._watch_inputs()
        self._folding.fold(self._troubles.news())
        self._folder.look(self._folding.run.facts.turns, slowed)
        if not self._folding.caught_up:
            return
        alive = None if self._over else self.found.alive()
        self._folding.tick(self._folder.tick(self._clock(), alive=alive))
        if not self._over and not self._folding.run.facts.over and alive is False:
            self._over = True
            self._folding.fold(self._sources.take())
            self._folding.part(self.found)
            if not (self._folding.run.facts.over or self._folding.over):
                self._folding.fold((parting(self.found, self._clock()),))

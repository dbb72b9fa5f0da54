"""Replays a finished run through the same code, forwards and backwards."""

from __future__ import annotations

import threading
import time
from array import array
from bisect import bisect_right
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from math import inf, isnan, nan
from pathlib import Path
from typing import Any

from monitor.agents.protocol import Found
from monitor.config import chosen_numbers
from monitor.events import Event
from monitor.replay.awaited import ANSWER, Awaited
from monitor.replay.hand import PastHand
from monitor.replay.playback import SPEEDS, Playback, marks, nearest, pace
from monitor.replay.rows import PastRows
from monitor.replay.tape import Tape
from monitor.report.export import export
from monitor.run.run import Run
from monitor.snapshot import Snapshot
from monitor.streams.record import Account
from monitor.supervisor import Supervisor
from monitor.worktree.diff import FolderDiff

_FRAME = 0.05
"""Seconds of folding after which the screen gets something to show."""
_DAY = 86_400
_NEARLY = 0.99
"""The share shown while the end still has to be told: only a replay that is ready has read all."""


class Replay(PastHand):
    """A finished log as a `Source` for the screen, at any moment of it."""

    live = False
    no_diff = "this is a replay: what a folder held is kept only while its run is followed"

    def __init__(
        self, found: Found, *, project: Path | None = None, start: float | None = None, speed: float = 1.0
    ) -> None:
        numbers = chosen_numbers().numbers
        self._opened = Awaited()
        self._whole = Supervisor(
            found, live=False, project=project, tap=self._keep, reader=self._opened, numbers=numbers
        )
        self._start = start
        self._run = Run(numbers)
        self._tape = Tape(self._run)
        self._times = array("d")
        self._latest = array("d")
        """The latest time up to each event."""
        self._turns: list[int] = []
        self._turn = 0
        self.snapshot: Snapshot = self._run.snapshot()
        self.rows = PastRows(self._whole.rows, self)
        self.playback = Playback(read=0.0, speed=nearest(speed))
        self._wishes: deque[Callable[[], None]] = deque()
        self._changed = threading.Condition()
        self._stopped = False
        self._thread = threading.Thread(target=self._work, name="replay", daemon=True)
        self.problem = ""
        """Why the replay has ended before its time; empty while all is well."""

    def begin(self) -> None:
        """Read the log, then play it."""
        self._thread.start()

    def close(self) -> None:
        """Stop and give the disk space back."""
        with self._changed:
            self._stopped = True
            self._changed.notify()
        if self._thread.is_alive():
            self._thread.join(timeout=5)
        self._whole.close()
        self._tape.close()

    def accounts(self) -> list[Account]:
        """What became of every byte of the log."""
        return self._whole.accounts()

    def diff(self, file: str = "", since: float | None = None) -> FolderDiff:  # noqa: ARG002 - what every source takes
        """Nothing: `no_diff` says why."""
        return FolderDiff((), why=self.no_diff)

    def export(self) -> str:
        """Write the summary of the run as it was at this moment; its path."""
        return export(self.snapshot, self.accounts(), time.time())

    def play(self) -> None:
        """Play, or pause; at the end, begin anew."""
        self._wish(self._toggle)

    def seek(self, count: int) -> None:
        """Go to the moment when the first `count` events were folded in, and pause."""
        self._wish(lambda: self._go(count, pause=True))

    def step(self, events: int) -> None:
        """Go that many events on, or back."""
        self._wish(lambda: self._go(self.playback.count + events, pause=True))

    def turn(self, turns: int) -> None:
        """Go to the beginning of a later or an earlier turn."""
        self._wish(lambda: self._go(self._turn_at(turns), pause=True))

    def rows_at(self, count: int) -> PastRows:
        """The rows as they are after the first `count` events, without the marks of findings."""
        return self.rows.still(Snapshot(seq=count - 1))

    def faster(self, steps: int) -> None:
        """Change the speed by that many steps of `SPEEDS`."""
        self._wish(lambda: self._pace(steps))

    def _wish(self, wish: Callable[[], None]) -> None:
        with self._changed:
            self._wishes.append(wish)
            self._changed.notify()

    def _keep(self, event: Event, run: Run) -> None:
        """One more event of the log, while it is read for the first time."""
        self._tape.append(event, run)
        at = self._whole.moment
        self._times.append(nan if at is None else at)
        self._latest.append(max(self._latest[-1] if self._latest else -inf, self._times[-1]))
        if not event.actor and event.turn != self._turn:
            self._turn = event.turn
            self._turns.append(event.seq)

    def _work(self) -> None:
        try:
            self._read()
            self._play()
        except Exception as error:  # noqa: BLE001 - the screen must outlive a fault of the thread, and say it
            self.problem = f"{type(error).__name__}: {error}"

    def _read(self) -> None:
        while not self._stopped and (self._whole.step() or self._opened.past):
            self._show(read=min(self._whole.progress, _NEARLY))
            if self._opened.past:
                with self._changed:
                    self._changed.wait_for(lambda: self._stopped, ANSWER)
        self._whole.finish()
        times = [at for at in self._times if not isnan(at)]
        first = 0 if self._start is None else self._first_at(self._start)
        self._show(
            read=1.0,
            start=min(times, default=None),
            end=max(times, default=None),
            playing=self._start is None,
            marks=marks(self._whole.snapshot.findings),
            turns=self._whole.snapshot.run.turns,
        )
        self._go(first)

    def _play(self) -> None:
        while not self._stopped:
            while self._wishes:
                self._wishes.popleft()()
            state = self.playback
            if not state.playing:
                self._sleep(None)
            elif state.count >= state.total:
                self._show(playing=False)
            else:
                self._advance()

    def _advance(self) -> None:
        """Fold in the next events that are due, for one frame at the most."""
        state = self.playback
        wait, shortened = pace(self._time(state.count - 1), self._time(state.count), state.speed)
        if wait > 0.005:
            self._show(shortened=shortened)
            if self._sleep(wait):
                return
        until = time.monotonic() + _FRAME
        count, owed = state.count, 0.0
        while count < state.total and time.monotonic() < until and owed <= 0.005:
            for event in self._tape.events(count, count + 1):
                self._run.feed(event)
            count += 1
            owed += pace(self._time(count - 1), self._time(count), state.speed)[0] if count < state.total else 0.0
        self._at(count)

    def _sleep(self, seconds: float | None) -> bool:
        """Wait; whether a wish or the end came in between."""
        with self._changed:
            return self._changed.wait_for(lambda: bool(self._wishes) or self._stopped, seconds)

    def _go(self, count: int, *, pause: bool = False) -> None:
        count = max(0, min(count, len(self._tape)))
        here = self.playback.count
        if count != here:
            if self._tape.nearest(count) <= here < count:
                for event in self._tape.events(here, count):
                    self._run.feed(event)
            else:
                self._run = self._tape.run_after(count)
        self._at(count, playing=self.playback.playing and not pause)

    def _toggle(self) -> None:
        state = self.playback
        if not state.playing and state.count >= state.total:
            self._go(0)
        self._show(playing=not state.playing)

    def _pace(self, steps: int) -> None:
        index = SPEEDS.index(self.playback.speed) + steps
        self._show(speed=SPEEDS[max(0, min(index, len(SPEEDS) - 1))])

    def _turn_at(self, turns: int) -> int:
        """The count that ends with the first event of the turn that many turns away."""
        here = bisect_right(self._turns, self.playback.count - 1) - 1
        if turns < 0 and here >= 0 and self._turns[here] < self.playback.count - 1:
            turns += 1
        wanted = here + turns
        if wanted < 0:
            return 0
        return self._turns[wanted] + 1 if wanted < len(self._turns) else len(self._tape)

    def _first_at(self, at: float) -> int:
        """The first event at or after a time; a time of day counts on the log's own first day."""
        if at < _DAY:
            first = next((time_ for time_ in self._times if not isnan(time_)), 0.0)
            midnight = datetime.fromtimestamp(first).astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
            at += midnight.timestamp()
        return next((index for index, time_ in enumerate(self._times) if time_ >= at), len(self._times))

    def _time(self, index: int) -> float | None:
        """The time of an event, or of the latest before it that has one."""
        if not 0 <= index < len(self._times):
            return None
        at = self._times[index]
        return None if isnan(at) else at

    def _at(self, count: int, **state: Any) -> None:
        self.snapshot = self._run.snapshot()
        latest = self._latest[count - 1] if count else -inf
        heard = None if latest == -inf else latest
        self._show(count=count, now=self.snapshot.run.last or heard, shortened=0.0, **state)

    def _show(self, **state: Any) -> None:
        self.playback = replace(self.playback, total=len(self._tape), **state)

"""Measures the project folder at the moments that count, in a thread of its own."""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from monitor.actions import Measure
from monitor.events import TreeMeasured
from monitor.text import clean
from monitor.worktree.compare import Comparison, compare
from monitor.worktree.contents import StatCache
from monitor.worktree.fingerprint import measure
from monitor.worktree.measurement import HERE, Measurement

_FILES = 1_000
"""Changed files named in an event."""
_GRAIN = 0.05
"""Seconds by which a file's time may lag behind the clock."""
_AFTER = "monitor was attached after the prompt"
_LATE = f"{_AFTER}, and nothing changed since then"
_UNSURE = "the folder changed around the prompt, and whether before or after it is not known; nothing changed since"
_EARLY = "the start was still being measured when the prompt came, and nothing changed since"
_PATIENCE = 35.0
"""Seconds the last measurement of a run may take."""

_CHECK = Measure("turn", -1)
"""What nobody asked for."""


class Measuring:
    """Answers each `Measure` with a `TreeMeasured`; one measurement serves all that were asked before it began.

    The first one is the start. A measurement asked for at a prompt comes a moment after it: where the folder was
    already another by then, the times of its files tell whether they changed before the prompt or after; where they
    do not, and where the monitor was attached after the prompt, only a difference says anything.
    """

    def __init__(self, folder: Path, *, state: Path | None = None) -> None:
        self._folder = folder
        self._state = state
        self.wake: Callable[[], None] = lambda: None
        """Called when there are results."""
        self.told: Callable[[Measurement], None] = lambda _: None
        """Called with each measurement, from the measuring thread."""
        self._cache = StatCache()
        self._asked: deque[Measure] = deque()
        self._done: deque[TreeMeasured] = deque()
        self._start: Measurement | None = None
        self._began = 0.0
        """When the start began to be measured."""
        self._since: Measurement | None = None
        self._latest: Measurement | None = None
        self._said: tuple[object, ...] = ()
        """What was told last."""
        self._doubt = ""
        """Why no difference would not mean no change since the prompt."""
        self.assumed = False
        """The folder is where the agent was started, and nobody named it."""
        self._elsewhere = ""
        """Why no difference in it says nothing of what the agent did."""
        self._begun = self._late = False
        self._early: set[int] = set()
        """The prompts that came before the start was measured."""
        self.took = 0.0
        """Seconds that the latest measurement took."""
        self._busy = False
        self._stopped = False
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def begin(self, *, late: bool = False) -> None:
        """Measure the start, unless that was asked before; `late` when prompts were given before."""
        if self._begun:
            return
        self._begun, self._late = True, late
        self._doubt = _LATE if late else ""
        self.ask(Measure("start", -1))

    @property
    def gone(self) -> bool:
        """Whether there is no such folder now."""
        return not self._folder.is_dir()

    @property
    def starting(self) -> bool:
        """Whether the start is still being measured."""
        return self._begun and self._start is None

    def works_in(self, folder: str) -> None:
        """Where the agent says that it works: outside a folder that was only assumed, no difference is no answer."""
        if self.assumed and Path(folder).is_absolute() and not _within(folder, self._folder):
            self._elsewhere = f"the agent works in {folder}, which --project can name"

    def ask(self, want: Measure) -> None:
        """Queue a measurement."""
        with self._changed:
            self._asked.append(want)
            if want.when == "prompt" and self._start is None:
                self._early.add(want.seq)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="measuring", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def check(self) -> None:
        """Queue a measurement that is told only where it says something else than the last one told."""
        self.ask(_CHECK)

    def results(self) -> list[TreeMeasured]:
        """What has been measured since the last call."""
        with self._changed:
            done = list(self._done)
            self._done.clear()
        return done

    def settle(self) -> None:
        """Wait until all that was asked is measured, within reason."""
        with self._changed:
            self._changed.wait_for(lambda: not self._asked and not self._busy, _PATIENCE)

    def close(self) -> None:
        """Give up what is under way."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(timeout=5)

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: bool(self._asked) or self._stopped)
                if self._stopped:
                    return
                wants = list(self._asked)
                self._asked.clear()
                self._busy = True
            began, since = time.time(), time.monotonic()
            now = self._measured()
            self.took = time.monotonic() - since
            self.told(now)
            events = [event for want in wants if self._says_more(event := self._event(want, now, began), want)]
            with self._changed:
                self._done.extend(events)
                self._busy = False
                self._changed.notify_all()
            self.wake()

    def _measured(self) -> Measurement:
        try:
            return measure(self._folder, cache=self._cache, stop=lambda: self._stopped, state=self._state)
        except Exception as error:  # noqa: BLE001 - whoever waits is answered, and told that nothing is known
            return Measurement(None, None, f"monitor itself failed ({type(error).__name__}: {error})")

    def _says_more(self, event: TreeMeasured, want: Measure) -> bool:
        changed = event.since_start if event.when == "start" else event.changed
        said = (changed, event.since_start, event.kinds, event.reason)
        more = want is not _CHECK or said != self._said
        self._said = said if more else self._said
        return more

    def _event(self, want: Measure, now: Measurement, began: float) -> TreeMeasured:
        if self._start is None:
            self._start = self._since = self._latest = now
            self._began = began
        late = self._late if want.when == "start" else self._was_before(want)
        if late and want.when == "prompt":
            self._since, self._doubt = self._start, _LATE
        elif want.when == "prompt":
            self._prompted(want, now)
        assert self._since is not None
        self._latest = now
        since_start, since = compare(self._start, now), compare(self._since, now)
        changed, reason = since.changed, since.reason
        if want.when == "start" or (want.when == "prompt" and not changed):
            changed, reason = None, now.reason or (_AFTER if late else "")
        elif (self._elsewhere or self._doubt) and not changed:
            changed, reason = None, since.reason or self._elsewhere or self._doubt
        files = (since.files if changed is not None else since_start.files) or ()
        return TreeMeasured(
            when=want.when,
            content=now.content,
            history=now.history,
            changed=changed,
            since_start=since_start.changed,
            reason=clean(reason),
            kinds=(*(since if changed is not None else since_start).kinds, *_bereft(self._start, now)),
            files=tuple(clean(file) for file in files[:_FILES]),
            more=max(len(files) - _FILES, 0),
            about=want.seq,
            late=late,
            began=began,
        )

    def _was_before(self, want: Measure) -> bool:
        """Whether it is about a prompt that had been given before the start was measured: it is told late."""
        return want.when == "prompt" and want.at is not None and want.at < self._began

    def _prompted(self, want: Measure, now: Measurement) -> None:
        """From here on `changed` counts from this prompt."""
        assert self._latest is not None
        difference = compare(self._latest, now)
        self._doubt = _EARLY if want.seq in self._early else ""
        if difference.changed is False:
            self._since = now
            return
        side = self._side(difference, want.at)
        self._since = self._latest if side == "after" else now
        if side == "unknown":
            self._doubt = _UNSURE

    def _side(self, difference: Comparison, at: float | None) -> Literal["before", "after", "unknown"]:
        """Whether the files that differ changed before a moment or after it, by the times the system gave them."""
        if at is None or not difference.files or "history" in difference.kinds:
            return "unknown"
        try:
            times = [os.lstat(self._folder / file).st_ctime for file in difference.files]
        except (OSError, ValueError):
            return "unknown"
        if min(times) > at:
            return "after"
        return "before" if max(times) < at - _GRAIN else "unknown"


def _within(folder: str, top: Path) -> bool:
    return Path(os.path.realpath(folder)).is_relative_to(os.path.realpath(top))


def _bereft(start: Measurement, now: Measurement) -> tuple[str, ...]:
    """That the folder is no repository any more, where it was one at the start."""
    return ("repository",) if HERE in start.heads and HERE not in now.heads and now.content is not None else ()

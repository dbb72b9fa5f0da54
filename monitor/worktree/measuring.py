"""Measures the project folder at the moments that count, in a thread of its own."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path

from monitor.actions import Measure
from monitor.events import TreeMeasured
from monitor.text import clean
from monitor.worktree.compare import compare
from monitor.worktree.contents import StatCache
from monitor.worktree.fingerprint import measure
from monitor.worktree.measurement import Measurement

_FILES = 1_000
"""Changed files named in an event."""
_PATIENCE = 35.0
"""Seconds the last measurement of a run may take."""


class Measuring:
    """Answers each `Measure` with a `TreeMeasured`; one measurement serves all that were asked before it began.

    The first one is the start. Where prompts were given before it, because the monitor was attached later,
    only a difference says anything: no difference since then does not mean none since the prompt.
    """

    def __init__(self, folder: Path, *, state: Path | None = None) -> None:
        self._folder = folder
        self._state = state
        self.wake: Callable[[], None] = lambda: None
        """Called when there are results."""
        self._cache = StatCache()
        self._asked: deque[Measure] = deque()
        self._done: deque[TreeMeasured] = deque()
        self._start: Measurement | None = None
        self._since: Measurement | None = None
        self._begun = self._late = False
        self._busy = False
        self._stopped = False
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def begin(self, *, late: bool = False) -> None:
        """Measure the start, unless that was asked before; `late` when prompts were given before."""
        if self._begun:
            return
        self._begun, self._late = True, late
        self.ask(Measure("start", -1))

    def ask(self, want: Measure) -> None:
        """Queue a measurement."""
        with self._changed:
            self._asked.append(want)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="measuring", daemon=True)
                self._thread.start()
            self._changed.notify_all()

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
            now = measure(self._folder, cache=self._cache, stop=lambda: self._stopped, state=self._state)
            events = [self._event(want, now) for want in wants]
            with self._changed:
                self._done.extend(events)
                self._busy = False
                self._changed.notify_all()
            self.wake()

    def _event(self, want: Measure, now: Measurement) -> TreeMeasured:
        if self._start is None:
            self._start = self._since = now
        assert self._since is not None
        since_start, since = compare(self._start, now), compare(self._since, now)
        changed, reason = since.changed, since.reason
        if want.when in ("start", "prompt"):
            changed, reason = None, now.reason
            if want.when == "prompt":
                self._since, self._late = now, False
        elif self._late and not changed:
            changed, reason = None, "monitor was attached after the prompt, and nothing changed since then"
        files = (since.files if changed is not None else since_start.files) or ()
        return TreeMeasured(
            when=want.when,
            content=now.content,
            history=now.history,
            changed=changed,
            since_start=since_start.changed,
            reason=clean(reason),
            kinds=since.kinds if changed is not None else since_start.kinds,
            files=tuple(clean(file) for file in files[:_FILES]),
            about=want.seq,
        )

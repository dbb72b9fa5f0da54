"""Reaches a dirtywork run: by signals, and by resuming it with the operator's words."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

import psutil

from monitor.actions import Action, Verb, When
from monitor.agents.dirtywork.decode import RUN
from monitor.agents.dirtywork.find import RunFolder
from monitor.agents.dirtywork.resuming import resume
from monitor.agents.fields import raw, read_object
from monitor.channels.receipts import Receipts
from monitor.channels.sent import Sent
from monitor.channels.signalling import SignalChannel
from monitor.errors import MonitorError
from monitor.events import Acted, Event
from monitor.processes.identity import Identity, identify
from monitor.processes.plan import WAIT, Plan
from monitor.streams.files import read_head
from monitor.streams.record import Record
from monitor.text import clean

_LARGEST = 1 << 20
_SOON = 0.2
_ABORTED = "taken back: the run was aborted; sent again, it resumes the run"
_DROPPED = "the run was not resumed with it: the monitor that was to do it is gone"


class Started(Protocol):
    """A command that was started and goes on by itself."""

    title: str

    def ended(self) -> object | None:
        """How it ended; none while it runs."""

    def last_words(self) -> str:
        """The last line of its standard error."""


Start = Callable[[Sequence[str], Path], Started]
"""Starts a command in a folder. Raises MonitorError."""


class DirtyworkChannel:
    """Signals while it runs. Feedback ends it, resumes it as a new run, and is seen once it stands in that run's task."""

    name = "signals, then resume"

    def __init__(
        self,
        run: RunFolder,
        start: Start,
        *,
        mark: str = "",
        sent: Sent | None = None,
        wait: float = WAIT,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._run = run
        self._start = start
        self._clock = clock
        self._command: tuple[str, ...] = ()
        self._cwd = Path.home()
        self._receipts = Receipts(self.name, clock)
        self._signals = SignalChannel(self._found, mark=mark, wait=wait, clock=clock)
        self._pending: Action | None = None
        """Feedback that waits for the run to end."""
        self._resumed: tuple[Action, Started] | None = None
        """Feedback with which the run was resumed."""
        self._sent = sent
        self._earlier: dict[str, Action] = {}
        """Feedback that was given to earlier monitors, by its id."""
        self._receipts.record = sent
        for _, action in sent.earlier() if sent else ():
            self._receipts.begin(action, "given to an earlier monitor", sent.times(action.id) if sent else None)
            self._earlier[action.id] = action

    @property
    def due(self) -> float | None:
        """Soon while feedback is under way."""
        return self._clock() + _SOON if self._pending or self._resumed else self._signals.due

    def can(self, verb: Verb) -> str:
        """What signals can do; and feedback, one at a time."""
        if verb == "feedback":
            busy = self._pending or self._resumed
            return "the run is being resumed with feedback already" if busy else ""
        if verb == "warn":
            return "dirtywork takes no words while it runs; feedback ends it and resumes it with yours"
        return self._signals.can(verb)

    def how(self, verb: Verb, when: When = "next") -> str:
        """In what way."""
        if verb != "feedback" or self.can("feedback"):
            return self._signals.how(verb, when)
        ends = "ends the run by SIGINT, then " if not self._signals.can("abort") else ""
        return f"{ends}resumes it as a new run:"

    def plan(self) -> Plan | None:
        """What an abort would end."""
        return self._signals.plan()

    def offer(self, text: str) -> str:
        """The command that resumes the run with this text."""
        return shlex.join(resume(self._command, self._run.title, text))

    def send(self, action: Action) -> None:
        """Begin to do it."""
        if action.verb != "feedback":
            if action.verb == "abort" and self._pending is not None:
                self._receipts.tell(self._pending.id, "failed", _ABORTED)
                self._pending = None
            self._signals.send(action)
        elif reason := self.can("feedback") or ("" if action.text.strip() else "there are no words to send"):
            self._receipts.refuse(action, reason)
        else:
            self._pending = action
            if self._sent is not None:
                self._sent.add(action.id, action)
            self._receipts.begin(action, "waits for the run to end")
            if not self._signals.can("abort"):
                self._signals.send(Action(f"{action.id}-end", "abort", by=action.by, force=action.force))

    def hear(self, record: Record) -> None:
        """Nothing is acknowledged in the log."""

    def observe(self, event: Event) -> None:
        """Nothing is acknowledged in the log."""

    def receipts(self) -> list[Acted]:
        """What is new."""
        news = self._signals.receipts()
        if self._pending is not None and self._signals.can("abort"):
            self._resume(self._pending)
        elif self._pending is not None:
            self._stuck(news)
        if self._resumed is not None:
            self._look(*self._resumed)
        if self._earlier and self._signals.can("abort"):
            self._settle()
        return [*news, *self._receipts.take()]

    def close(self) -> None:
        """Nothing is held."""

    def _found(self) -> Identity | None:
        """The run's process; how it was started is kept, to resume it the same way."""
        process = self._run.process()
        if process is None:
            return None
        found = identify(process.pid, process.started)
        try:
            started = psutil.Process(process.pid)
            self._command, self._cwd = tuple(started.cmdline()), Path(started.cwd())
        except (psutil.Error, OSError):
            return None
        return found

    def _stuck(self, news: Sequence[Acted]) -> None:
        """Whether the run withstands: then the feedback waits, and says for what."""
        assert self._pending is not None
        for told in news:
            if told.id == f"{self._pending.id}-end":
                self._receipts.tell(self._pending.id, "queued", told.evidence, told.until, told.then)

    def _resume(self, action: Action) -> None:
        self._pending = None
        try:
            started = self._start(resume(self._command, self._run.title, action.text), self._cwd)
        except MonitorError as error:
            self._receipts.tell(action.id, "failed", str(error))
            return
        self._resumed = (action, started)
        self._receipts.tell(action.id, "delivered", "the command that resumes it has started")

    def _look(self, action: Action, started: Started) -> None:
        """Whether the run says by which other it was resumed, and that one's task holds the words."""
        over = started.ended() is not None
        if evidence := self._stands(action):
            self._receipts.tell(action.id, "seen", evidence)
            self._resumed = None
        elif over:
            self._receipts.tell(action.id, "failed", f"the run was not resumed: {started.last_words()}")
            self._resumed = None

    def _settle(self) -> None:
        """The run is over: whether it goes on with what was given to earlier monitors."""
        for name, action in list(self._earlier.items()):
            if evidence := self._stands(action):
                self._receipts.tell(name, "seen", evidence)
            elif self._sent is not None and self._sent.held(name):
                continue
            else:
                self._receipts.tell(name, "failed", _DROPPED)
            del self._earlier[name]

    def _stands(self, action: Action) -> str:
        """Where the words stand in the task of the run that goes on; empty while they do not."""
        slug = clean(_field(self._folder() / RUN, "resumed_by"))
        told = _field(self._folder().parent / slug / "transcript.jsonl", "feedback") if slug else ""
        same = bool(told) and clean(told).strip() == clean(action.text).strip()
        return f"stands in the task of the run that goes on; attach with: monitor {slug}" if same else ""

    def _folder(self) -> Path:
        return next((source.path.parent for source in self._run.inputs() if source.path), Path())


def _field(file: Path, name: str) -> str:
    """A field of the first object in a file; empty where there is none."""
    try:
        head = read_head(file, _LARGEST)
    except OSError:
        return ""
    found = read_object(head if file.name == RUN else head.partition(b"\n")[0])
    return "" if isinstance(found, str) else raw(found, name)

"""Reaches a thread that lives in an app-server with others, as one more of its clients."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from monitor.actions import Action, Verb, When
from monitor.agents.codex.asking import Asking
from monitor.agents.codex.crew import Crew
from monitor.agents.codex.decode import ATTACHED
from monitor.agents.codex.delivery import Delivery
from monitor.agents.codex.find import Thread
from monitor.agents.codex.frame import Frame, read
from monitor.agents.codex.hearing import heard
from monitor.agents.codex.launching import asking, attaching
from monitor.agents.codex.shared_wire import SharedWire, reached
from monitor.agents.codex.stopping import WHOLE, Stopping
from monitor.agents.codex.thread import ThreadState
from monitor.agents.fields import read_object
from monitor.channels.messages import Messages
from monitor.channels.receipts import Receipts
from monitor.channels.wire import NoWire, Wire
from monitor.config import state_folder
from monitor.errors import MonitorError
from monitor.events import Acted, Event
from monitor.processes.plan import Plan, Step
from monitor.processes.table import read as read_process
from monitor.streams.record import Record

_PACE, _AGAIN = 0.1, 2.0
"""Seconds between two looks at the socket, and between two attempts to connect: a thread that has just begun is
refused to others for a moment (measured)."""
_ASKED_AGAIN = 0.5
"""Seconds until the server is asked again which turn runs: for a moment after it has begun, its list of turns is
refused, or has the turn as one that was interrupted (measured)."""
_HOW: dict[When, str] = {
    "next": "into the turn that runs, with its next request to the model; it is shown in the user's window too",
    "now": "interrupts the turn that runs, and begins the next with your words",
    "later": "into the server's queue: a turn of its own, when the one that runs is over",
}


class SharedChannel:
    """One thread. Questions are answered only where the operator does; else the user's own window has them."""

    name = "Codex app-server"

    def __init__(self, found: Thread, pid: Callable[[], int], clock: Callable[[], float] = time.time) -> None:
        self._found = found
        self._pid = pid
        self._clock = clock
        self._receipts = Receipts(self.name, clock)
        self._log: Path | None = None
        self._tried = self._asked = 0.0
        self._is_connected = False
        self._use(NoWire("its server is being looked for"))
        self._connect()

    @property
    def due(self) -> float | None:
        """Soon while it is connected: what the server says waits in its socket."""
        return self._clock() + _PACE if self._is_connected else self._tried + _AGAIN

    def can(self, verb: Verb) -> str:
        """What a client of the server can do."""
        if verb in ("pause", "continue"):
            return WHOLE
        if self._wire.problem or self._thread.problem:
            return self._thread.problem or self._wire.problem
        if verb == "abort":
            return self._stopping.why_not()
        if verb in ("allow", "deny"):
            return self._asking.why_not(verb)
        return "" if verb in ("warn", "feedback") else "this is not done through the agent"

    def how(self, verb: Verb, when: When = "next") -> str:
        """In what way."""
        if self.can(verb):
            return ""
        if verb in ("warn", "feedback"):
            return _HOW[when] if self._thread.runs else "as the next turn"
        return self._stopping.how() if verb == "abort" else "as the answer to its question, for the user's window too"

    def plan(self) -> Plan | None:
        """No process would end."""
        return Plan((), (Step("ask", self._stopping.how()),)) if not self.can("abort") else None

    def offer(self, text: str) -> str:
        """It goes on by itself; there is no command to be given."""
        del text
        return ""

    def send(self, action: Action) -> None:
        """Begin to do it."""
        if reason := self.can(action.verb):
            self._receipts.refuse(action, reason)
        elif action.verb == "abort":
            self._stopping.begin(action)
        elif action.verb in ("allow", "deny"):
            self._asking.answer(action)
        else:
            self._receipts.begin(action, _HOW[action.when] if self._thread.runs else "")
            self._delivery.put(action)
            self._delivery.go_on()

    def hear(self, record: Record) -> None:
        """What goes over the socket, both ways."""
        found = read_object(record.data) if record.input.role == ATTACHED else ""
        frame = None if isinstance(found, str) else read(found)
        if frame is None:
            return
        for one in self._crew.hear(frame):
            self._hear(one)

    def _hear(self, frame: Frame) -> None:
        known = self._thread.turn
        self._thread.hear(frame)
        if frame.from_client:
            return
        for line in self._crew.joining(frame, [one.actor for one in self._found.inputs() if one.actor]):
            self._wire.say(line)
        if self._thread.turn and not known and frame.method != "turn/started":
            self._delivery.begun()
        status = heard(frame, self._thread.id, self._delivery, self._asking)
        if status is not None:
            self._delivery.over(status)
        self._stopping.heard(status)

    def observe(self, event: Event) -> None:
        """The socket says it all."""

    def receipts(self) -> list[Acted]:
        """What is new."""
        if self._is_connected:
            self._messages.take("sent to its server")
            if self._wire.problem or self._thread.problem:
                self._lose()
            elif self._thread.missed and self._clock() >= self._asked + _ASKED_AGAIN:
                self._ask()
            self._delivery.go_on()
        elif self._clock() >= self._tried + _AGAIN:
            self._connect()
        return self._receipts.take()

    def close(self) -> None:
        """Hang up; nothing of the thread changes."""
        self._wire.close()
        if self._log is not None:
            with suppress(OSError):
                self._log.unlink()

    def _use(self, wire: Wire) -> None:
        self._wire = wire
        self._messages = Messages(wire, self._receipts)
        self._thread = ThreadState(wire.say, secrets.token_hex(4))
        self._thread.id = self._found.session
        self._asking = Asking(self._receipts, self._thread.say, ours=False)
        self._delivery = Delivery(self._thread, self._messages, self._receipts, queues=True)
        self._crew = Crew(self._found.session)
        self._stopping = Stopping(self._receipts, self._thread, self._crew, wire.say)

    def _connect(self) -> None:
        self._tried = self._clock()
        pid = self._pid()
        opened = reached(pid) if pid else None
        if opened is None:
            self._use(NoWire("its server's socket cannot be reached"))
            return
        try:
            log = self._log or _fresh(self._found.session)
            wire = SharedWire(opened, log)
        except (MonitorError, OSError) as error:
            opened.close()
            self._use(NoWire(f"what its server says cannot be written down: {error}"))
            return
        self._log, self._is_connected = log, True
        self._use(wire)
        for line in (*attaching(self._found.session), self._crew.asking()):
            wire.say(line)
        self._asked = self._clock()
        self._found.attach(log)

    def _ask(self) -> None:
        """Ask which turn runs."""
        self._asked = self._clock()
        self._wire.say(asking(self._found.session))

    def _lose(self) -> None:
        why = self._thread.problem or self._wire.problem
        self._is_connected, self._tried = False, self._clock()
        self._delivery.lose(why)
        self._stopping.lose(why)
        self._wire.close()


def _fresh(thread: str) -> Path:
    """Where the socket's texts are written down; what monitors that were killed have left there is removed."""
    folder = state_folder("control")
    for path in folder.glob("codex-*.jsonl"):
        pid = path.stem.rpartition("-")[2]
        if pid.isdigit() and (int(pid) == os.getpid() or read_process(int(pid)) is None):
            path.unlink(missing_ok=True)
    return folder / f"codex-{thread}-{os.getpid()}.jsonl"

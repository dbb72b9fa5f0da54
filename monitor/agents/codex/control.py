"""Reaches a thread of Codex by an app-server: turns are begun, steered, interrupted and queued for."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable

from monitor.actions import Action, Verb, When
from monitor.agents.codex.asking import Asking
from monitor.agents.codex.decode import BESIDE
from monitor.agents.codex.delivery import Delivery
from monitor.agents.codex.frame import read
from monitor.agents.codex.hearing import heard
from monitor.agents.codex.thread import ThreadState
from monitor.agents.fields import read_object
from monitor.channels.body import Body
from monitor.channels.messages import Messages
from monitor.channels.receipts import Receipts
from monitor.channels.sent import Sent
from monitor.channels.ways import Ways
from monitor.channels.wire import Wire
from monitor.events import Acted, Event
from monitor.processes.identity import Identity
from monitor.processes.plan import WAIT, Plan
from monitor.streams.record import Record

_SOON = 0.05
_HOW: dict[When, str] = {
    "next": "into the turn that runs, with its next request to the model",
    "now": "interrupts the turn that runs, and begins the next with your words",
    "later": "as a turn of its own, when the one that runs is over",
}
_STOPS = "interrupts the turn, then closes its standard input"


class CodexChannel:
    """One thread of an app-server that monitor started; all it knows it hears from the log of the wire.

    It says nothing before it has heard the first `begin` bytes, which were there when it came.
    """

    name = "Codex app-server"

    def __init__(
        self,
        wire: Wire,
        find: Callable[[], Identity | None],
        *,
        task: str = "",
        begin: int = 0,
        mark: str = "",
        sent: Sent | None = None,
        resuming: Callable[[str, str], str] = lambda _thread, _text: "",
        wait: float = WAIT,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._wire = wire
        self._resuming = resuming
        self._clock = clock
        self._receipts = Receipts(self.name, clock)
        self._messages = Messages(wire, self._receipts, sent)
        self._thread = ThreadState(wire.say, secrets.token_hex(4))
        self._asking = Asking(self._receipts, self._thread.say, ours=True)
        self._body = Body(
            find, self._receipts, ask=self._ask, asking=lambda: _STOPS, mark=mark, wait=wait, clock=clock
        )  # fmt: skip
        self._body.look(now=True)
        self._ways = Ways(
            self._body,
            self._receipts,
            self._asking,
            problem=lambda: self._thread.problem or wire.problem,
            say=self._say,
        )
        self._delivery = Delivery(self._thread, self._messages, self._receipts, task)
        self._begin, self._heard = begin, 0
        self._ending = False

    @property
    def due(self) -> float | None:
        """Soon while anything is under way."""
        busy = self._wire.waits or self._delivery or self._receipts.open()
        return self._clock() + _SOON if busy else self._body.due

    def can(self, verb: Verb) -> str:
        """Words while its input is open; answers while something is asked; the rest by its processes."""
        return self._ways.can(verb)

    def how(self, verb: Verb, when: When = "next") -> str:
        """In what way."""
        if self.can(verb):
            return ""
        if verb in ("allow", "deny"):
            return "as the answer to its question"
        if verb not in ("warn", "feedback"):
            return _STOPS if verb == "abort" else "by signals to its process and all it started"
        return _HOW[when] if self._thread.runs else "as the next turn"

    def plan(self) -> Plan | None:
        """What an abort would end."""
        return self._body.plan()

    def offer(self, text: str) -> str:
        """The command that goes on with its thread."""
        return self._resuming(self._thread.id, text) if self._thread.id else ""

    def send(self, action: Action) -> None:
        """Begin to do it."""
        self._ways.send(action)

    def hear(self, record: Record) -> None:
        """What goes over the wire, both ways."""
        if record.input.role != BESIDE:
            return
        self._heard = record.offset + record.length
        found = read_object(record.data)
        frame = None if isinstance(found, str) else read(found)
        if frame is None:
            return
        self._thread.hear(frame)
        if frame.from_client:
            if not frame.method:
                self._asking.settled(frame.id)
            return
        status = heard(frame, self._thread.id, self._delivery, self._asking)
        if status is not None:
            self._over(status)

    def observe(self, event: Event) -> None:
        """The wire says it all."""

    def receipts(self) -> list[Acted]:
        """What is new."""
        self._messages.take("sent to its app-server")
        self._body.step()
        if self._body.gone:
            self._delivery.lose("the agent ended before it took the message up")
        self._go_on()
        return self._receipts.take()

    def close(self) -> None:
        """Let go."""
        self._wire.close()

    def _say(self, action: Action) -> None:
        self._receipts.begin(action, _HOW[action.when] if self._thread.runs else "")
        self._delivery.put(action)
        self._go_on()

    def _go_on(self) -> None:
        """Begin a turn with what waits; not before all is heard that was there, nor once the run is to end."""
        if self._heard >= self._begin and not self._ending and not self._wire.problem:
            self._delivery.go_on()

    def _over(self, status: str) -> None:
        """A turn has ended."""
        self._delivery.over(status)
        if self._ending:
            self._wire.finish()

    def _ask(self) -> str:
        """Drop what waits, interrupt what runs, and end the input once that is done."""
        if self._wire.problem:
            return ""
        self._ending = True
        self._delivery.drop("dropped before it was sent: the run was aborted")
        if not self._thread.turn:
            self._wire.finish()
            return "its standard input was closed"
        self._thread.interrupt()
        return "asked to interrupt its turn"

"""Reaches an agent that speaks the Agent Client Protocol and that monitor started: it is that agent's client."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable
from typing import Any

from monitor.actions import Action, Verb, When
from monitor.agents.acp.asking import Asking
from monitor.agents.acp.frame import Frame, read
from monitor.agents.acp.waiting import Waiting
from monitor.agents.fields import Object, parts, raw, read_object
from monitor.channels.body import Body
from monitor.channels.messages import worded
from monitor.channels.receipts import Receipts
from monitor.channels.sent import Sent
from monitor.channels.ways import Ways
from monitor.channels.wire import Wire
from monitor.events import Acted, Event
from monitor.processes.identity import Identity
from monitor.processes.plan import WAIT, Plan
from monitor.streams.record import Record
from monitor.text import clean

_SOON = 0.05
_BEGIN = {"protocolVersion": 1, "clientCapabilities": {}}
_AFTER = "as the next prompt, when the running request is over"
_STOPS = "cancels the request, then closes its standard input"
_CUT = "cancels the running request, waits until it is cancelled, then asks with your words"


class AcpChannel:
    """One session. All it knows of the session it hears from the log of the wire, which holds both directions.

    It says nothing before it has heard the first `begin` bytes, which were there when it came. There is never more
    than one prompt at a time: agents take a second one to mean different things, and some mix the two up (measured).
    """

    name = "Agent Client Protocol"

    def __init__(
        self,
        wire: Wire,
        find: Callable[[], Identity | None],
        *,
        cwd: str,
        task: str = "",
        begin: int = 0,
        mark: str = "",
        sent: Sent | None = None,
        resuming: Callable[[str, str], str] | None = None,
        wait: float = WAIT,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._wire = wire
        self._cwd = cwd
        self._resuming = resuming
        self._clock = clock
        self._receipts = Receipts(self.name, clock)
        self._asking = Asking(self._receipts, self._send)
        self._body = Body(
            find, self._receipts, ask=self._ask, asking=lambda: "" if wire.problem else _STOPS,
            mark=mark, wait=wait, clock=clock,
        )  # fmt: skip
        self._body.look(now=True)
        self._ways = Ways(self._body, self._receipts, self._asking, problem=self._why_not, say=self._say)
        self._number = secrets.randbelow(1 << 30)
        self._methods: dict[str, str] = {}
        """Requests of the client's that are not answered, by number."""
        self._session = ""
        self._problem = ""
        """Why the agent gave no session."""
        self._begin, self._heard = begin, 0
        self._initialized = False
        self._waiting = Waiting(self._receipts, sent, task)
        self._lines: dict[int, str] = {}
        self._current: Action | None = None
        """The message that the running prompt carries, where it is ours."""
        self._cancelling = self._ending = False

    @property
    def due(self) -> float | None:
        """Soon while anything is under way."""
        busy = self._wire.waits or self._waiting or self._receipts.open()
        return self._clock() + _SOON if busy else self._body.due

    def can(self, verb: Verb) -> str:
        """Words while its input is open; answers while something is asked; the rest by its processes."""
        return self._ways.can(verb)

    def how(self, verb: Verb, when: When = "next") -> str:
        """In what way."""
        if self.can(verb) or verb not in ("warn", "feedback"):
            return "" if self.can(verb) else "over its standard input"
        if not self._running:
            return "as the next prompt"
        return _AFTER if when == "later" else _CUT

    def plan(self) -> Plan | None:
        """What an abort would end."""
        return self._body.plan()

    def offer(self, text: str) -> str:
        """What goes on with its session, where `resuming` knows how."""
        return self._resuming(self._session, text) if self._resuming and self._session else ""

    def send(self, action: Action) -> None:
        """Begin to do it."""
        self._ways.send(action)

    def hear(self, record: Record) -> None:
        """What goes over the wire, both ways."""
        self._heard = record.offset + record.length
        found = read_object(record.data)
        frame = None if isinstance(found, str) else read(found)
        if frame is None:
            return
        if frame.sender == "client" and frame.method:
            self._methods |= {frame.id: frame.method} if frame.id else {}
            if frame.method == "session/prompt" and self._heard <= self._begin:
                self._current = self._waiting.said(_text(frame))
        elif frame.method == "session/update":
            self._working()
        elif frame.method:
            self._asking.hear(frame, cancelling=self._cancelling)
        elif frame.sender != "client":
            self._answered(frame)
        else:
            self._asking.settled(frame)

    def observe(self, event: Event) -> None:
        """The wire says it all."""

    def receipts(self) -> list[Acted]:
        """What is new."""
        for number, problem in self._wire.poll():
            action = self._lines.pop(number, "")
            self._receipts.tell(action, "failed" if problem else "delivered", problem or "sent as a prompt")
        self._body.step()
        if self._body.gone:
            self._waiting.drop("the agent ended before it took the message up")
        if self._heard >= self._begin:
            self._waiting.settle()
        self._go_on()
        return self._receipts.take()

    def close(self) -> None:
        """Let go."""
        self._wire.close()

    def _why_not(self) -> str:
        return self._problem or self._wire.problem

    @property
    def _running(self) -> bool:
        return "session/prompt" in self._methods.values()

    def _say(self, action: Action) -> None:
        cuts = self._running and action.when != "later"
        waits = "waits until the running request is cancelled" if cuts else "waits for the running request"
        self._receipts.begin(action, waits if self._running else "")
        self._waiting.put(action)
        if cuts:
            self._cancel()
        self._go_on()

    def _go_on(self) -> None:
        """Open the session, and send the next message once nothing runs."""
        if self._why_not() or self._ending or self._heard < self._begin:
            return
        if not self._session:
            if self._initialized and "session/new" not in self._methods.values():
                self._request("session/new", {"cwd": self._cwd, "mcpServers": []})
            return
        if self._waiting and not self._running:
            action = self._current = self._waiting.next()
            prompt = [{"type": "text", "text": worded(action)}]
            self._cancelling = False
            self._lines[self._request("session/prompt", {"sessionId": self._session, "prompt": prompt})] = action.id

    def _working(self) -> None:
        if self._current is not None and self._running and not self._cancelling:
            self._receipts.tell(self._current.id, "seen", "the agent works on it")

    def _answered(self, frame: Frame) -> None:
        method = self._methods.pop(frame.id, "")
        result = frame.result or {}
        if frame.error is not None and method in ("initialize", "session/new"):
            self._problem = f"the agent gave no session: {clean(raw(frame.error, 'message'))}"
            self._waiting.drop(self._problem)
        elif method == "initialize":
            self._initialized = True
        elif method == "session/new":
            self._session = raw(result, "sessionId")
        elif method == "session/prompt":
            self._prompt_ended(raw(result, "stopReason") or "an error")

    def _prompt_ended(self, reason: str) -> None:
        if self._current is not None:
            seen = self._receipts.receipt(self._current.id) == "seen"
            words = f"the request it began has ended: {reason}"
            self._receipts.tell(self._current.id, "done" if seen or reason == "end_turn" else "failed", words)
        self._current = None
        self._cancelling = False
        if self._ending:
            self._wire.finish()

    def _ask(self) -> str:
        """Drop what is queued, cancel what runs, and end the input once that is done."""
        if self._wire.problem:
            return ""
        self._ending = True
        self._waiting.drop("dropped before it was sent: the run was aborted")
        if not self._running:
            self._wire.finish()
            return "its standard input was closed"
        self._cancel()
        return "asked to cancel"

    def _cancel(self) -> None:
        if self._running and not self._cancelling:
            self._cancelling = True
            self._asking.cancel()
            self._send({"method": "session/cancel", "params": {"sessionId": self._session}})

    def _request(self, method: str, params: Object) -> int:
        self._number += 1
        self._methods[repr(self._number)] = method
        return self._send({"id": self._number, "method": method, "params": params})

    def _send(self, message: dict[str, Any]) -> int:
        return self._wire.say(json.dumps({"jsonrpc": "2.0", **message}))


def _text(frame: Frame) -> str:
    """The words of a prompt."""
    return "".join(raw(one, "text") for one in parts(frame.params, "prompt"))


def first_line() -> str:
    """What is said to such an agent first."""
    return json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": _BEGIN})

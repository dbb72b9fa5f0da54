"""Reaches a Claude Code that monitor started: messages, interrupts and permissions over its stream-json input."""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Callable
from uuid import uuid4

from monitor.actions import Action, Verb, When
from monitor.agents.claude.permissions import Permissions
from monitor.agents.fields import Object, part, raw, read_object
from monitor.channels.body import GONE, Body
from monitor.channels.messages import Messages, framed, worded
from monitor.channels.receipts import Receipt, Receipts
from monitor.channels.sent import Sent
from monitor.channels.ways import Ways
from monitor.channels.wire import Wire
from monitor.events import Acted, Event, Prompted, RequestEnded, RunStarted, Said, Thought, ToolCalled
from monitor.processes.identity import Identity
from monitor.processes.plan import WAIT, Plan
from monitor.streams.record import Record

_SIGNS = (b"command_lifecycle", b"control_re", b"control_cancel", b"user_message_uuid")
"""What a line must hold to say anything of messages or permissions; `control_re` begins both directions' types."""
_SOON = 0.05
_HOW = {
    "now": "cuts the turn off after the call that runs, and begins the next with it",
    "next": "into the running request, after the call that runs",
    "later": "as a prompt of its own, when the running request is over",
}
_STOPS = "interrupts the request, then closes its standard input"
_ENDED = f"Claude Code has ended ({GONE}); its session can be resumed"
_BEGINS = "as its next prompt: no request is running"
_STATES: dict[str, tuple[Receipt, str]] = {
    "queued": ("delivered", "queued by Claude Code"),
    "started": ("seen", "taken into the conversation"),
    "completed": ("done", "the turn that took it up is complete"),
}


class ClaudeChannel:
    """One run that monitor started. What it says stands in its stream, which `hear` is given."""

    name = "stream-json"

    def __init__(
        self,
        wire: Wire,
        find: Callable[[], Identity | None],
        *,
        session: str = "",
        cwd: str = "",
        mark: str = "",
        sent: Sent | None = None,
        wait: float = WAIT,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._wire = wire
        self._session = session
        self._cwd = cwd
        self._clock = clock
        self._receipts = Receipts(self.name, clock)
        self._messages = Messages(wire, self._receipts, sent)
        self._permissions = Permissions(self._messages, self._receipts)
        self._body = Body(
            find, self._receipts, ask=self._interrupt, asking=lambda: "" if wire.problem else _STOPS, mark=mark, wait=wait, clock=clock
        )  # fmt: skip
        self._body.look(now=True)
        self._ways = Ways(
            self._body, self._receipts, self._permissions, problem=lambda: wire.problem, say=self._say, ended=_ENDED
        )
        self._interrupts: set[str] = set()
        self._idle = False
        """Whether the last request has ended and no other has begun."""

    @property
    def due(self) -> float | None:
        """Soon while anything is under way."""
        return self._clock() + _SOON if self._wire.waits or self._receipts.open() else self._body.due

    def can(self, verb: Verb) -> str:
        """Words while its input is open; answers while something is asked; the rest by its processes."""
        return self._ways.can(verb)

    def how(self, verb: Verb, when: When = "next") -> str:
        """In what way."""
        if self.can(verb):
            return ""
        if verb not in ("warn", "feedback"):
            return "over its standard input"
        return _BEGINS if self._idle else _HOW[when]

    def plan(self) -> Plan | None:
        """What an abort would end."""
        return self._body.plan()

    def offer(self, text: str) -> str:
        """Resuming the session with this text."""
        if not self._session:
            return ""
        command = shlex.join(["claude", "--resume", self._session, "-p", framed(text)])
        return f"cd {shlex.quote(self._cwd)} && {command}" if self._cwd else command

    def send(self, action: Action) -> None:
        """Begin to do it."""
        self._ways.send(action)

    def hear(self, record: Record) -> None:
        """Acknowledgements, answers and questions in the stream."""
        asked = self._permissions.asked and b"tool_use_id" in record.data
        if not asked and not any(sign in record.data for sign in _SIGNS):
            return
        found = read_object(record.data)
        if isinstance(found, str):
            return
        match raw(found, "type"):
            case "command_lifecycle":
                self._followed(raw(found, "command_uuid"), raw(found, "state"))
            case "control_response":
                self._answered(part(found, "response"))
            case "control_request" | "control_cancel_request":
                self._permissions.hear(found)
            case "user":
                self._permissions.returned(found)
            case "system":
                self._requested(found)
            case _:
                pass

    def observe(self, event: Event) -> None:
        """Which session it is, and whether a request is running."""
        if event.actor:
            return
        if isinstance(event, RunStarted):
            self._session = event.session or self._session
        elif isinstance(event, (Prompted, Said, Thought, ToolCalled, RequestEnded)):
            self._idle = isinstance(event, RequestEnded)

    def receipts(self) -> list[Acted]:
        """What is new."""
        self._messages.take()
        self._body.step()
        if self._body.gone:
            self._messages.lose("Claude Code ended before it took the message up")
        return self._receipts.take()

    def close(self) -> None:
        """Let go."""
        self._wire.close()

    def _say(self, action: Action) -> None:
        self._receipts.begin(action, self.how(action.verb, action.when))
        key = str(uuid4())
        message = {"role": "user", "content": worded(action)}
        told = {"type": "user", "message": message, "parent_tool_use_id": None, "session_id": "", "uuid": key}
        self._messages.say(action, key, json.dumps({**told, "priority": action.when}))

    def _interrupt(self) -> str:
        """Take back what is queued, which would begin another turn, and interrupt the one that runs."""
        if self._wire.problem:
            return ""
        for key in self._messages.waiting:
            self._control({"subtype": "cancel_async_message", "message_uuid": key})
        self._interrupts.add(self._control({"subtype": "interrupt"}))
        return "asked to interrupt"

    def _control(self, request: Object) -> str:
        name = f"monitor-{uuid4()}"
        self._wire.say(json.dumps({"type": "control_request", "request_id": name, "request": request}))
        return name

    def _answered(self, response: Object) -> None:
        """The interrupt was carried out: no more input, so that it ends."""
        if raw(response, "request_id") not in self._interrupts:
            return
        for key in part(response, "response").get("still_queued") or ():
            if isinstance(key, str):
                self._control({"subtype": "cancel_async_message", "message_uuid": key})
        self._wire.finish()

    def _followed(self, key: str, state: str) -> None:
        if state in _STATES:
            self._messages.tell(key, *_STATES[state])
        elif state == "cancelled" and key in self._messages.waiting:
            self._messages.tell(key, "failed", "taken back before the model saw it: the run was interrupted")
        elif state == "cancelled":
            self._messages.tell(key, "done", "the turn that took it up was interrupted")

    def _requested(self, found: Object) -> None:
        """The request that is being sent to the model names the messages it holds."""
        keys = found.get("user_message_uuids")
        if raw(found, "subtype") != "status" or not isinstance(keys, list):
            return
        for key in keys:
            if isinstance(key, str) and self._messages.knows(key):
                self._messages.tell(key, "seen", "stands in the request sent to the model")

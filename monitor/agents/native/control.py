"""Reaches an agent that speaks monitor's own format: it is told by control lines, and answers with events.

On its standard input, or on the socket `SESSION.sock` that it makes in the folder `control` of monitor's state, such an
agent reads one JSON object a line:
`{"control": "message", "id": ID, "text": TEXT, "by": "operator" or "monitor", "when": "now", "next" or "later"}` and
`{"control": "abort"}`. That it has read a message shows from a `Prompted` event by `operator` that carries its text;
that it obeys an abort from its end.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable

from monitor.actions import Action, Verb, When
from monitor.channels.body import SIGNALLED, Body
from monitor.channels.hold import RESTS
from monitor.channels.messages import Messages, worded
from monitor.channels.receipts import Receipts
from monitor.channels.sent import Sent
from monitor.channels.wire import Wire
from monitor.events import Acted, Event, Prompted, RunEnded, RunStarted
from monitor.processes.identity import Identity
from monitor.processes.plan import WAIT, Plan
from monitor.streams.record import Record

_SOON = 0.05
_STDIN = "its standard input"
_WHEN = {
    "now": "to cut off what runs and be taken up at once",
    "next": "to be taken up at its next step",
    "later": "to be taken up when its request is over",
}
"""What the line asks for; the agent may do as it likes."""


class NativeChannel:
    """Control lines to an agent, and the evidence in its events."""

    name = "control lines"

    def __init__(
        self,
        wire: Wire,
        find: Callable[[], Identity | None],
        *,
        know: Callable[[str], None] = lambda _: None,
        mark: str = "",
        sent: Sent | None = None,
        into: str = _STDIN,
        wait: float = WAIT,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._wire = wire
        self._know = know
        self._into = into
        self._clock = clock
        self._receipts = Receipts(self.name, clock)
        self._messages = Messages(wire, self._receipts, sent)
        self._body = Body(
            find, self._receipts, ask=self._ask, asking=self._how_to_ask,
            mark=mark, wait=wait, clock=clock,
        )  # fmt: skip
        self._body.look(now=True)
        self._over = False

    @property
    def due(self) -> float | None:
        """Soon while anything is under way."""
        return self._clock() + _SOON if self._wire.waits else self._body.due

    def can(self, verb: Verb) -> str:
        """Words while its input is open; the rest by its processes."""
        if verb in SIGNALLED:
            why = self._body.can(verb)
            return RESTS if why and self._wire.problem == RESTS else why
        if verb not in ("warn", "feedback"):
            return "the control lines of monitor's format cannot do this"
        if self._over or self._body.gone:
            return "the run has ended"
        return self._wire.problem

    def how(self, verb: Verb, when: When = "next") -> str:
        """In what way; when it takes a message up is the agent's own affair."""
        if self.can(verb):
            return ""
        line = f"by a control line on {self._into}"
        return f"{line}, {_WHEN[when]}" if verb in ("warn", "feedback") else line

    def plan(self) -> Plan | None:
        """What an abort would end."""
        return self._body.plan()

    def offer(self, text: str) -> str:
        """How such an agent is resumed is not known."""
        del text
        return ""

    def send(self, action: Action) -> None:
        """Begin to do it."""
        if action.verb in SIGNALLED:
            self._body.perform(action)
        elif reason := self.can(action.verb):
            self._receipts.refuse(action, reason)
        else:
            self._receipts.begin(action)
            by = "monitor" if action.verb == "warn" else "operator"
            told = {"control": "message", "id": action.id, "text": worded(action), "by": by, "when": action.when}
            self._messages.say(action, action.id, json.dumps(told))

    def hear(self, record: Record) -> None:
        """Its events say it."""

    def observe(self, event: Event) -> None:
        """A prompt with a message's text shows that it was read; the end of the run, that no more will be."""
        if isinstance(event, Prompted) and event.by == "operator":
            self._messages.tell(self._messages.told(event.text), "seen", "the agent tells it among its prompts")
        elif isinstance(event, RunStarted) and not event.actor:
            self._know(event.session)
        elif isinstance(event, RunEnded) and not event.actor:
            self._over = True

    def receipts(self) -> list[Acted]:
        """What is new."""
        self._messages.take(f"written to {self._into}; this agent has not told that it read it")
        self._body.step()
        if self._over or self._body.gone:
            self._messages.lose("the run ended, and the agent has not told that it read it")
        return self._receipts.take()

    def close(self) -> None:
        """Let go."""
        self._wire.close()

    def _how_to_ask(self) -> str:
        return "" if self._wire.problem else f"a control line on {self._into}"

    def _ask(self) -> str:
        if self._wire.problem:
            return ""
        self._wire.say(json.dumps({"control": "abort"}))
        return "asked to end by a control line"

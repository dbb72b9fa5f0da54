"""Reaches an lcode that somebody else started: through the hooks of its config where they are installed."""

from __future__ import annotations

import time
from collections.abc import Callable

from monitor.actions import Action, Verb, When
from monitor.channels.hold import RESTS, Hold
from monitor.channels.messages import worded
from monitor.channels.receipts import Receipts
from monitor.channels.signalling import SignalChannel
from monitor.errors import MonitorError
from monitor.events import Acted, Event, RequestEnded, ToolReturned
from monitor.hooks.letters import Letters
from monitor.hooks.mailbox import Mailbox
from monitor.hooks.standing import reaching
from monitor.processes.identity import Identity
from monitor.processes.plan import Plan
from monitor.streams.record import Record
from monitor.text import clean

_PACE, _SOON = 2.0, 0.25
"""Seconds between two looks: at the config, at letters under way."""
_CALM = 10.0
"""Seconds between two looks at the config while it is only watched: what can be done shows when it is taken."""
_HOW: dict[Verb, str] = {
    "warn": "by its hook, behind the result of the next call",
    "feedback": "by its hook, behind the result of the next call",
    "deny": "by its hook: the next call it makes is refused",
}
_MISSING = "its hooks are not installed (monitor hooks install --agent lcode, before lcode starts)"
_DENIED = "The operator denied this call through monitor."


class LcodeHooks:
    """One lcode by its process, since its hooks name no session; all but words and denials goes by `signals`."""

    name = "hooks"

    def __init__(
        self,
        find: Callable[[], Identity | None],
        signals: SignalChannel,
        clock: Callable[[], float] = time.time,
        hold: Hold | None = None,
    ) -> None:
        self._find = find
        self._signals = signals
        self._clock = clock
        self._hold = hold or Hold()
        self._held, self._rests = self._hold.wanted, False
        self._receipts = Receipts(self.name, clock)
        self._letters = Letters(self._receipts)
        self._box: Mailbox | None = None
        self._looked = 0.0
        self._look()

    @property
    def due(self) -> float | None:
        """Soon while something is under way."""
        own = self._clock() + (_SOON if self._letters else _PACE)
        return min(own, self._signals.due or own)

    def can(self, verb: Verb) -> str:
        """Words and denials, while the hooks are installed and it lives."""
        if verb not in _HOW:
            return self._signals.can(verb)
        return self._signals.can("abort") or ("" if self._box is not None else self._without(verb))

    def how(self, verb: Verb, when: When = "next") -> str:
        """In what way."""
        if verb not in _HOW:
            return self._signals.how(verb, when)
        return "" if self.can(verb) else _HOW[verb]

    def plan(self) -> Plan | None:
        """What an abort would end."""
        return self._signals.plan()

    def offer(self, text: str) -> str:
        """The command that goes on with the session."""
        return self._signals.offer(text)

    def send(self, action: Action) -> None:
        """Begin to do it."""
        self._look(now=True)
        if action.verb not in _HOW:
            self._signals.send(action)
        elif self._box is None or self.can(action.verb):
            self._receipts.refuse(action, self.can(action.verb))
        else:
            denies = action.verb == "deny"
            self._receipts.begin(action, _HOW[action.verb])
            text = (clean(action.text) or _DENIED) if denies else worded(action)
            self._letters.leave(self._box, "deny" if denies else "words", action, text)

    def hear(self, record: Record) -> None:
        """What arrived stands in the results of calls."""

    def observe(self, event: Event) -> None:
        """What its calls gave back."""
        if isinstance(event, ToolReturned):
            self._letters.hear(event.output)
        elif isinstance(event, RequestEnded):
            self._letters.request_over()

    def receipts(self) -> list[Acted]:
        """What is new."""
        self._look()
        if self._box is not None:
            self._letters.follow(self._box)
        return [*self._receipts.take(), *self._signals.receipts()]

    def close(self) -> None:
        """Let go: a denial that waits is taken back, words stay for an hour."""
        self._signals.close()
        if self._box is not None:
            self._box.close()

    def _without(self, verb: Verb) -> str:
        return RESTS if self._rests else f"{_MISSING}; {self._signals.can(verb)}"

    def _look(self, *, now: bool = False) -> None:
        """See whether hooks are installed and whose they are, if it is time to."""
        wanted = self._hold.wanted
        if not now and wanted == self._held and self._clock() < self._looked + (_PACE if wanted else _CALM):
            return
        self._looked, self._held = self._clock(), wanted
        try:
            found = reaching("lcode", None)
            if found is not None and wanted and self._box is None and (process := self._find()) is not None:
                self._box = Mailbox("lcode", str(process.pid))
                self._letters.resume(self._box)
        except (MonitorError, OSError):
            found = None
        if self._box is not None and not wanted and not self._letters:
            self._box.close()
            self._box = None
        self._rests = found is not None and not wanted and self._box is None
        if found is None and self._box is not None:
            self._box.close()
            self._box = None
            self._letters.lose("its hooks were removed")

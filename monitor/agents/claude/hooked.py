"""Reaches a Claude Code that somebody else started: through its hooks where they are installed, else by signals."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

from monitor.actions import Action, Verb, When
from monitor.agents.claude.hook_records import told_in
from monitor.channels.hold import RESTS, Hold
from monitor.channels.messages import worded
from monitor.channels.receipts import Receipts
from monitor.channels.signalling import SignalChannel
from monitor.errors import MonitorError
from monitor.events import Acted, Event, Prompted, RequestEnded, Waiting
from monitor.hooks.letters import Letters
from monitor.hooks.mailbox import Kind, Mailbox
from monitor.hooks.refusals import WAIT, Refusals
from monitor.hooks.standing import reaching
from monitor.processes.plan import Plan
from monitor.snapshot import Snapshot
from monitor.streams.record import Record
from monitor.text import clean

_KINDS: dict[Verb, Kind] = {"warn": "words", "feedback": "words", "abort": "end", "deny": "deny"}
_PACE, _SOON, _HURRY = 2.0, 0.25, 0.05
"""Seconds between two looks: at the settings, at letters under way, and for a question that is about to come."""
_CALM = 30.0
"""Seconds between two looks at the settings while the session is only watched: what can be done shows when it is taken."""
_LIVELY = 60.0
"""Seconds after a hook has run during which the session lives, whatever is known of its process."""
_BOUNDARY = "by its hook, at the next tool call or result"
_HOW: dict[Verb, str] = {
    "warn": f"{_BOUNDARY}, else when it stops",
    "feedback": f"{_BOUNDARY}, else when it stops",
    "abort": f"{_BOUNDARY}: the run ends, the session stays open; asked again, SIGINT closes the session",
    "deny": "by its hook: the next call it makes is refused",
    "refuse": "by its hook, when it stops with a write outstanding",
}
_IDLE = "its request is over: nothing runs that could be ended; asked again, SIGINT closes the session"
_MISSING = "its hooks are not installed (monitor hooks install)"
_DEFAULTS: dict[Verb, str] = {
    "abort": "The operator ended this run through monitor.",
    "deny": "The operator denied this call through monitor.",
}


class HookedChannel:
    """One session. Without hooks it is as `signals` reaches it; they may come and go while it is watched."""

    name = "hooks"

    def __init__(
        self,
        session: str,
        folder: Callable[[], Path | None],
        signals: SignalChannel,
        clock: Callable[[], float] = time.time,
        hold: Hold | None = None,
    ) -> None:
        self._session = session
        self._folder = folder
        self._signals = signals
        self._clock = clock
        self._hold = hold or Hold()
        self._held, self._rests = self._hold.wanted, False
        self._receipts = Receipts(self.name, clock)
        self._letters = Letters(self._receipts)
        self._refusals = Refusals()
        self._box: Mailbox | None = None
        self._looked = self._expects = 0.0
        self._asks: dict[str, float] = {}
        """When each open question of the hook was first seen."""
        self._working = self._asks_user = False
        self._look()

    @property
    def hooked(self) -> bool:
        """Whether hooks are installed: they end a turn, and leave the session open."""
        return self._box is not None

    @property
    def due(self) -> float | None:
        """Soon while something is under way, at once when a stop is near."""
        now = self._clock()
        near = bool(self._asks) or now < self._expects
        own = now + (_HURRY if near and self._box is not None else _SOON if self._letters else _PACE)
        return min(own, self._signals.due or own)

    def can(self, verb: Verb) -> str:
        """Through hooks, while they are installed and the session lives."""
        if self._rests and verb in _HOW:
            return RESTS
        if self._box is None:
            why = self._signals.can(verb)
            return f"{_MISSING}; {why}" if why and verb in ("warn", "feedback", "refuse") else why
        if verb == "deny" and self._asks_user:
            return "its question stands in its own terminal, and is answered there"
        return self._gone(self._box) if verb in _HOW else self._signals.can(verb)

    def how(self, verb: Verb, when: When = "next") -> str:
        """In what way."""
        if self.can(verb):
            return ""
        return _HOW[verb] if self._box is not None and verb in _HOW else self._signals.how(verb, when)

    def plan(self) -> Plan | None:
        """What an abort would end: with hooks the run alone, and the processes only when it is asked again."""
        plan = self._signals.plan()
        if plan is None or self._box is None:
            return plan
        asked = replace(plan.steps[0], force="ask", words=_HOW["abort"], skipped="", asked=False)
        return replace(plan, steps=(asked, *(replace(step, asked=True) for step in plan.steps)))

    def offer(self, text: str) -> str:
        """The command that resumes the session with this text."""
        return self._signals.offer(text)

    def send(self, action: Action) -> None:
        """Begin to do it."""
        self._look(now=True)
        box, verb = self._box, action.verb
        if box is None or verb not in _HOW:
            self._signals.send(action)
        elif verb == "abort" and action.force in ("terminate", "kill"):
            self._letters.take_back(box, "end", "taken back: the session is ended by signals")
            self._signals.send(action)
        elif reason := self.can(verb) or (_IDLE if verb == "abort" and not self._working else ""):
            self._receipts.refuse(action, reason)
        elif verb == "refuse":
            self._receipts.begin(action, _HOW[verb])
            self._refusals.order(action)
        else:
            self._receipts.begin(action, _HOW[verb])
            text = clean(action.text) or _DEFAULTS[verb] if verb in _DEFAULTS else worded(action)
            self._letters.leave(box, _KINDS[verb], action, text, action.subject if verb == "deny" else "")

    def hear(self, record: Record) -> None:
        """What its hooks gave it stands in the transcript."""
        if self._letters and b"ook" in record.data:
            self._letters.hear(told_in(record.data))

    def observe(self, event: Event) -> None:
        """Whether it works; a claim is followed by a stop."""
        if event.actor or event.copied:
            return
        if isinstance(event, RequestEnded):
            self._working = False
            self._expects = self._clock() + WAIT
            self._letters.request_over()
        elif isinstance(event, Waiting):
            self._asks_user = not event.over
        elif isinstance(event, Prompted):
            self._working = True
            if event.by == "user":
                self._refusals.prompted()

    def judge(self, told: Callable[[], Snapshot]) -> None:
        """What is to be said of the run now: the hook may ask for it."""
        if self._box is not None:
            self._refusals.know(told())

    def receipts(self) -> list[Acted]:
        """What is new."""
        self._look()
        if self._box is not None:
            self._box.arm(self._refusals.armed() if self._box.alone else None)
            self._letters.follow(self._box)
            self._answer(self._box)
        return [*self._receipts.take(), *self._signals.receipts()]

    def close(self) -> None:
        """Let go: an end or a denial that waits is taken back, words stay for an hour."""
        self._signals.close()
        if self._box is not None:
            self._box.close()

    def _look(self, *, now: bool = False) -> None:
        """See whether hooks are installed, if it is time to."""
        wanted = self._hold.wanted
        if not now and wanted == self._held and self._clock() < self._looked + (_PACE if wanted else _CALM):
            return
        self._looked, self._held = self._clock(), wanted
        try:
            found = reaching("claude", self._folder())
            self._refusals.standing = found.refuse if found is not None else "never"
            if found is not None and wanted and self._box is None:
                self._box = Mailbox("claude", self._session)
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

    def _gone(self, box: Mailbox) -> str:
        """Why nothing will take a letter; empty while the session lives."""
        met = box.met()
        return "" if met is not None and self._clock() - met < _LIVELY else self._signals.can("abort")

    def _answer(self, box: Mailbox) -> None:
        """Say whether the agent may stop, as soon as that is known."""
        now = self._clock()
        asked = box.asked() if box.alone else ()
        self._asks = {ask.token: self._asks.get(ask.token, now) for ask in asked}
        for ask in asked:
            answer = self._refusals.answer(ask.said, late=now > self._asks[ask.token] + WAIT - 1)
            if answer is None:
                continue
            box.answer(ask.token, answer.reason)
            if answer.reason:
                self._refused(answer.reason)

    def _refused(self, reason: str) -> None:
        action = Action(self._refusals.refused() or uuid4().hex[:12], "refuse", reason, by="policy")
        if self._receipts.receipt(action.id) is None:
            self._receipts.begin(action, _HOW["refuse"])
        self._letters.say(action, reason, "its stop was refused")

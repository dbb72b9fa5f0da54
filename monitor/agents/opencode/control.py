"""Reaches a session through its server: words, an end, and answers to what it asks."""

from __future__ import annotations

import time
from collections.abc import Callable

from monitor.actions import Action, Verb, When
from monitor.agents.fields import part, raw
from monitor.agents.opencode.courier import Courier
from monitor.agents.opencode.frame import Frame, frame_of
from monitor.agents.opencode.parts import keep
from monitor.agents.opencode.server import Server
from monitor.agents.opencode.tools import call_of
from monitor.agents.opencode.words import Words
from monitor.channels.body import Body
from monitor.channels.messages import worded
from monitor.channels.receipts import Receipts
from monitor.events import Acted, Event, Prompted, RequestEnded, Said, Thought, ToolCalled
from monitor.processes.identity import Identity
from monitor.processes.plan import WAIT, Plan
from monitor.streams.record import Record
from monitor.text import clean

_SOON = 0.05
_SIGNS = (b"permission.", b'"text"', b'"assistant"', b'"message.updated', b'"callID"')
_HOW: dict[When, str] = {
    "now": "ends what runs, and begins the next request with it",
    "next": "into the running request, at its next step",
    "later": "as a prompt of its own, when the running request is over",
}
_BEGINS = "as its next prompt: no request is running"
_ASKS = "asks its server to stop the session, which stays open"
_IDLE = "its request is over: nothing runs that could be ended"
_ENDS = "ends its server, which is this run's alone, by signals to its process and all it started"
_DENIED = "The operator denied this call."
_GONE = "its server is gone"


class OpenCodeChannel:
    """One session of one server. `rival` tells why another process may work on the same session, while one may.

    A server with a `mark` was started for this session alone: once its request is over, an abort ends the server.
    """

    def __init__(
        self,
        server: Server,
        session: str,
        folder: str,
        find: Callable[[], Identity | None],
        *,
        rival: Callable[[], str] = lambda: "",
        mark: str = "",
        wait: float = WAIT,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.name = server.way
        self._server, self._session, self._folder = server, session, folder
        self._rival = rival
        self._wait = wait
        self._clock = clock
        self._receipts = Receipts(self.name, clock)
        self._words = Words(self._receipts)
        self._courier = Courier()
        self._own = bool(mark)
        self._body = Body(
            find, self._receipts, asking=lambda: "" if self._closes else _ASKS, mark=mark, wait=wait, clock=clock
        )
        self._body.look(now=True)
        self._aborts: dict[str, tuple[Action, float]] = {}
        """With the time at which signals follow."""
        self._held: list[Action] = []
        """Words that wait for the request to be over."""
        self._asked: dict[str, str] = {}
        """Of each call that waits for an answer, the question; of a call that was not told, the question by itself."""
        self._answers: dict[str, str] = {}
        """Of each question that was answered here, the action."""
        self._named: dict[str, str] = {}
        """How the run names each call, by the model's id for it."""
        self._working = False
        self._owns = False
        """The session was seen at work on this server."""

    @property
    def due(self) -> float | None:
        """Soon while anything is under way."""
        return self._clock() + _SOON if self._courier.waits or self._receipts.open() else self._body.due

    def can(self, verb: Verb) -> str:
        """All but measures, while the server lives."""
        if verb in ("pause", "continue"):
            return self._body.can(verb)
        if self._body.gone:
            return _GONE
        if verb == "abort":
            return self._body.can(verb) if self._closes else "" if self._working or self._aborts else _IDLE
        if verb in ("allow", "deny"):
            return "" if self._asked else "nothing waits for approval"
        if verb not in ("warn", "feedback"):
            return "this is not done through the agent"
        return "" if self._owns else self._rival()

    def how(self, verb: Verb, when: When = "next") -> str:
        """In what way."""
        if self.can(verb):
            return ""
        if verb in ("warn", "feedback"):
            return _HOW[when] if self._working else _BEGINS
        if verb == "abort":
            return _ENDS if self._closes else _ASKS
        return f"over its {self.name}"

    def plan(self) -> Plan | None:
        """What an abort would end: all of it, or where the server does not obey."""
        return self._body.plan()

    def offer(self, text: str) -> str:
        """Nothing: as long as the server lives it takes words, and it belongs to whoever started it."""
        del text
        return ""

    def send(self, action: Action) -> None:
        """Begin to do it."""
        verb = action.verb
        if verb in ("pause", "continue") or (verb == "abort" and self._closes and not self._body.gone):
            self._body.perform(action)
        elif reason := self.can(verb):
            self._receipts.refuse(action, reason)
        elif verb == "abort":
            self._receipts.begin(action, _ASKS)
            self._abort(action)
        elif verb in ("allow", "deny"):
            self._answer(action)
        else:
            self._receipts.begin(action, self.how(verb, action.when))
            self._say(action)

    def hear(self, record: Record) -> None:
        """What the server says of words and questions."""
        if not any(sign in record.data for sign in _SIGNS):
            return
        frame = frame_of(record.data)
        if isinstance(frame, Frame) and frame.type.startswith("permission."):
            self._questioned(frame)
        elif isinstance(frame, Frame):
            told = part(frame.data, "part")
            if raw(told, "callID"):
                keep(self._named, f"{raw(told, 'messageID')} {raw(told, 'callID')}", call_of(told))
            if frame.session == self._session:
                self._words.hear(frame)

    def observe(self, event: Event) -> None:
        """Whether it works; that it is idle proves that an abort was obeyed."""
        if event.actor:
            return
        if isinstance(event, (Prompted, Said, Thought, ToolCalled)):
            self._working = True
            self._owns = self._owns or (isinstance(event, (Said, Thought)) and event.delta)
        elif isinstance(event, RequestEnded):
            self._rested(event)

    def receipts(self) -> list[Acted]:
        """What is new."""
        for key, problem in self._courier.poll():
            self._carried(key, problem)
        now = self._clock()
        for name, (action, until) in list(self._aborts.items()):
            if now >= until:
                self._insist(name, action)
        self._body.step()
        if self._body.gone:
            self._words.lose(_GONE)
        return self._receipts.take()

    def close(self) -> None:
        """Let go; the session goes on."""
        self._courier.close()

    @property
    def _closes(self) -> bool:
        """Whether an abort ends the server: it is this run's alone, and nothing is left in it to be stopped."""
        return self._own and (self._body.stopping or not (self._working or self._aborts))

    def _say(self, action: Action) -> None:
        if self._working and action.when != "next":
            self._held.append(action)
            if action.when == "now":
                self._courier.send("", lambda: self._server.abort(self._session, self._folder))
            return
        self._words.begin(action)
        self._courier.send(action.id, lambda: self._server.prompt(self._session, self._folder, worded(action)))

    def _abort(self, action: Action) -> None:
        self._aborts[action.id] = (action, self._clock() + self._wait)
        self._courier.send(action.id, lambda: self._server.abort(self._session, self._folder))

    def _insist(self, name: str, action: Action) -> None:
        """The session did not become idle in time."""
        del self._aborts[name]
        if action.force != "ask" and not self._body.can("abort"):
            self._body.perform(action)
        else:
            self._receipts.tell(name, "failed", f"its session was not idle after {self._wait:.0f} s")

    def _carried(self, key: str, problem: str) -> None:
        if key in self._aborts:
            action, until = self._aborts[key]
            if problem:
                self._aborts[key] = (action, self._clock())
            self._receipts.tell(key, "delivered" if not problem else "queued", problem or "its server has it", until)
        elif key in self._answers.values():
            self._receipts.tell(key, "failed" if problem else "delivered", problem or "its server has the answer")
        elif key:
            self._words.answered(key, problem)

    def _rested(self, event: RequestEnded) -> None:
        self._working = False
        aborted = event.how == "interrupted"
        for name in self._aborts:
            words = "its session is idle" if aborted else "its session is idle: it had ended by itself"
            self._receipts.tell(name, "done", words)
        self._aborts.clear()
        self._words.over(aborted=aborted)
        held, self._held = self._held, []
        for action in held:
            self._say(action)

    def _questioned(self, frame: Frame) -> None:
        asked = raw(frame.data, "id")
        if frame.type == "permission.replied":
            question = raw(frame.data, "requestID") or raw(frame.data, "permissionID")
            self._asked = {call: one for call, one in self._asked.items() if one != question}
            self._receipts.tell(self._answers.pop(question, ""), "done", "its server told the answer")
        elif frame.type in ("permission.asked", "permission.updated") and asked not in self._asked.values():
            tool = part(frame.data, "tool") or frame.data
            self._asked[self._named.get(f"{raw(tool, 'messageID')} {raw(tool, 'callID')}", asked)] = asked

    def _answer(self, action: Action) -> None:
        first, question = next(iter(self._asked.items()))
        lone = len(self._asked) == 1 and first == question  # of which nobody told what it is about
        call = first if lone or not action.subject else action.subject
        if call not in self._asked:
            self._receipts.refuse(action, "this call no longer waits for approval")
            return
        question = self._asked.pop(call)
        answer, words = ("once", "") if action.verb == "allow" else ("reject", clean(action.text) or _DENIED)
        self._receipts.begin(action)
        self._answers[question] = action.id
        self._courier.send(action.id, lambda: self._server.reply(question, self._folder, answer, words))

"""Brings messages into a thread: into the turn that runs, as the next turn, or as one of their own later."""

from __future__ import annotations

from typing import Literal

from monitor.actions import Action
from monitor.agents.codex.frame import Frame
from monitor.agents.codex.thread import ThreadState, words
from monitor.agents.fields import Object, parts, raw
from monitor.channels.messages import Messages, worded
from monitor.channels.receipts import Receipts

_Method = Literal["turn/start", "turn/steer", "thread/queue/add"]


class Delivery:
    """A message carries its action's id, and is seen when Codex tells of a message of the user's with that id.

    Where the server `queues`, what is for later waits there; else it waits here.
    """

    def __init__(
        self, thread: ThreadState, messages: Messages, receipts: Receipts, task: str = "", *, queues: bool = False
    ) -> None:
        self._thread = thread
        self._messages = messages
        self._receipts = receipts
        self._queues = queues
        self._waiting: list[Action] = [Action("", "feedback", task)] if task else []
        """What begins a turn once none runs."""
        self._steered: dict[str, Action] = {}
        """What was sent into a turn and is not seen yet, by its id."""
        self._taken: list[str] = []
        """What the turn that runs has taken up."""

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def put(self, action: Action) -> None:
        """Send it, or keep it until it can be; the action must have been begun."""
        turn = self._thread.turn
        if action.when == "next" and turn:
            self._say(action, "turn/steer", expectedTurnId=turn)
        elif action.when == "later" and self._thread.runs and self._queues:
            self._say(action, "thread/queue/add")
        else:
            self._waiting.append(action)
            if action.when == "now" and turn:
                self._thread.interrupt()

    def begun(self) -> None:
        """A turn has begun: what came while it was asked for goes into it, or ends it."""
        for action in [one for one in self._waiting if one.when == "next"]:
            self._waiting.remove(action)
            self._say(action, "turn/steer", expectedTurnId=self._thread.turn)
        if any(one.when == "now" for one in self._waiting):
            self._thread.interrupt()

    def go_on(self) -> None:
        """Begin a turn with what waits, once none runs."""
        if self._waiting and self._thread.id and not self._thread.runs:
            action = self._waiting.pop(0)
            self._thread.starting = True
            self._say(action, "turn/start")

    def answered(self, frame: Frame) -> None:
        """Codex refused a request: a turn that ended meanwhile cannot be steered, but followed by another."""
        key = self._thread.key_of(frame.id)
        if not key or frame.error is None:
            return
        why = raw(frame.error, "message")
        action = self._steered.pop(key, None)
        if action is not None and "turn" in why:
            self._waiting.insert(0, action)
        else:
            self._messages.tell(key, "failed", f"Codex said: {why}")

    def item(self, item: Object) -> None:
        """A message of the user's stands in the thread."""
        if raw(item, "type") != "userMessage":
            return
        told = "\n".join(raw(one, "text") for one in parts(item, "content"))
        key = raw(item, "clientId") or self._messages.told(told)
        if self._messages.knows(key) and key not in self._taken:
            self._steered.pop(key, None)
            self._taken.append(key)
            self._messages.tell(key, "seen", "stands in the thread as a message of the user's")

    def over(self, status: str) -> None:
        """A turn has ended: what was taken up in it is done with it."""
        for key in self._taken:
            self._messages.tell(key, "done", f"the turn that took it up has ended: {status}")
        self._taken.clear()

    def drop(self, why: str) -> None:
        """None of what waits here will be sent."""
        for action in self._waiting:
            self._receipts.tell(action.id, "failed", why)
        self._waiting.clear()

    def lose(self, why: str) -> None:
        """Nothing more will be taken up."""
        self.drop(why)
        self._messages.lose(why)

    def _say(self, action: Action, method: _Method, **more: str) -> None:
        known = {"clientUserMessageId": action.id} if action.id else {}
        self._steered |= {action.id: action} if action.id and method == "turn/steer" else {}
        line = self._thread.line(method, action.id, input=words(worded(action)), **known, **more)
        self._messages.say(action, action.id, line)

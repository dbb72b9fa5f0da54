"""What a client of an app-server knows of its thread: which it is, which turn runs, and which requests are open."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from monitor.agents.codex.frame import Frame
from monitor.agents.codex.launching import START, TURNS
from monitor.agents.fields import Object, part, parts, raw


class ThreadState:
    """Heard from both directions of the wire."""

    def __init__(self, say: Callable[[str], int], prefix: str) -> None:
        self.id = ""
        self.turn = ""
        """The turn that runs; empty while none does."""
        self.starting = False
        """A turn was asked for and has not begun."""
        self.problem = ""
        """Why the thread could not be begun."""
        self._works = False
        """The server says that the thread is at work."""
        self._say = say
        self._prefix = prefix
        self._count = 0
        self._start: str | int | None = None
        """The request by which a turn was asked for last."""

    @property
    def runs(self) -> bool:
        """Whether a turn runs, or is about to."""
        return bool(self.turn) or self.starting or self._works

    @property
    def missed(self) -> bool:
        """Whether a turn runs whose beginning was not heard: the server has to be asked which."""
        return self._works and not self.turn and not self.starting

    def hear(self, frame: Frame) -> None:
        """A message of either side."""
        thread = raw(frame.params, "threadId")
        if frame.from_client:
            if frame.method == "turn/start":
                self.starting, self._start = True, frame.id
            return
        if frame.error is not None and frame.id is not None and frame.id == self._start:
            self.starting = False
        if frame.id == TURNS and not frame.method and not self.turn:
            latest = next(iter(parts(frame.result or {}, "data")), {})
            self.turn = raw(latest, "id") if raw(latest, "status") == "inProgress" else ""
            self._works = self._works and raw(latest, "status") not in ("completed", "failed")
        elif frame.id == START and not frame.method:
            if frame.error is not None:
                self.problem = f"Codex gave no thread: {raw(frame.error, 'message')}"
            told = part(frame.result or {}, "thread")
            self.id = self.id or raw(told, "id")
            self._works = _at_work(told)
        elif thread in ("", self.id):
            self._told(frame)

    def _told(self, frame: Frame) -> None:
        match frame.method:
            case "turn/started":
                self.turn, self.starting = raw(part(frame.params, "turn"), "id"), False
            case "turn/completed":
                self.turn, self.starting, self._works = "", False, False
            case "thread/status/changed":
                self._works = _at_work(frame.params)

    def line(self, method: str, key: str, **params: Any) -> str:
        """A request of this thread; its answer carries `key`."""
        self._count += 1
        number = f"{self._prefix}-{self._count}:{key}"
        return json.dumps({"id": number, "method": method, "params": {"threadId": self.id, **params}})

    def interrupt(self) -> None:
        """Ask that the turn that runs be ended."""
        self._say(self.line("turn/interrupt", "", turnId=self.turn))

    def say(self, message: dict[str, Any]) -> int:
        """Send a message."""
        return self._say(json.dumps(message))

    def key_of(self, number: object) -> str | None:
        """The key of what we asked; none for what another asked."""
        if not isinstance(number, str) or not number.startswith(f"{self._prefix}-"):
            return None
        return number.partition(":")[2]


def _at_work(told: Object) -> bool:
    return raw(part(told, "status"), "type") == "active"


def words(text: str) -> list[Object]:
    """A text as the input of a turn."""
    return [{"type": "text", "text": text}]

"""Answers what an app-server asks its client: whether a command may run, or a change be made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from monitor.actions import Action, Verb
from monitor.agents.codex.frame import Frame
from monitor.agents.fields import raw
from monitor.channels.receipts import Receipts
from monitor.text import clean

_APPROVALS = ("item/commandExecution/requestApproval", "item/fileChange/requestApproval")
_WORDS = {"allow": "accept", "deny": "decline"}
_MOST = 200
_UNKNOWN = {"code": -32601, "message": "monitor offers no such method"}


class Asking:
    """The server's open questions, by their numbers."""

    def __init__(self, receipts: Receipts, send: Callable[[dict[str, Any]], int], *, ours: bool) -> None:
        self._receipts = receipts
        self._send = send
        self._ours = ours
        """Nobody else answers: what this client does not know is refused, so that nothing waits for ever."""
        self._open: dict[str | int, tuple[str, str]] = {}
        """By its number the call it is about, and the thread that waits."""

    def why_not(self, verb: Verb) -> str:
        """Empty while something is asked that can be answered so."""
        del verb
        return "" if self._open else "nothing waits for approval"

    def hear(self, frame: Frame, thread: str) -> None:
        """A request of the server's, about a call of this thread."""
        if frame.id is None:
            return
        if frame.method in _APPROVALS and len(self._open) < _MOST:
            self._open[frame.id] = clean(raw(frame.params, "itemId")), thread
        elif self._ours:
            self._send({"id": frame.id, "error": _UNKNOWN})

    def settled(self, number: object) -> None:
        """A question was answered, here or elsewhere."""
        if isinstance(number, str | int):
            self._open.pop(number, None)

    def answer(self, action: Action) -> None:
        """Allow or deny the call that the action names; where it names none, the first that waits."""
        chosen = next((number for number, (call, _) in self._open.items() if call == action.subject), None)
        if chosen is None and action.subject:
            self._receipts.refuse(action, "this call does not wait for an answer")
            return
        number = chosen if chosen is not None else next(iter(self._open))
        del self._open[number]
        self._receipts.begin(action)
        decision = _WORDS[action.verb]
        self._send({"id": number, "result": {"decision": decision}})
        lost = "; the protocol carries no words with a denial" if action.text and action.verb == "deny" else ""
        self._receipts.tell(action.id, "done", f"answered with {decision}{lost}")

    def over(self, thread: str) -> None:
        """The thread's turn has ended, and what it asked with it."""
        self._open = {number: about for number, about in self._open.items() if about[1] != thread}

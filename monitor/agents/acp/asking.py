"""Answers what an agent asks its client: permissions, and what this client does not do."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from monitor.actions import Action, Verb
from monitor.agents.acp.frame import Frame
from monitor.agents.fields import Object, part, parts, raw
from monitor.channels.receipts import Receipts
from monitor.text import clean

_MOST = 200
_KINDS = {"allow": ("allow_once", "allow_always"), "deny": ("reject_once", "reject_always")}
_UNKNOWN = {"code": -32601, "message": "monitor offers no such method"}


class Asking:
    """The agent's open questions, by the number of their request."""

    def __init__(self, receipts: Receipts, send: Callable[[dict[str, Any]], int]) -> None:
        self._receipts = receipts
        self._send = send
        self._open: dict[str, tuple[Any, Object]] = {}

    def why_not(self, verb: Verb) -> str:
        """Empty while something is asked that can be answered so."""
        if not self._open:
            return "nothing waits for approval"
        return (
            "" if any(_choice(asked, verb) for _, asked in self._open.values()) else "the agent offers no such answer"
        )

    def hear(self, frame: Frame, *, cancelling: bool) -> None:
        """A request of the agent's; one that this client does not know is refused, so that the agent does not wait."""
        if not frame.id:
            return
        number = _number(frame.id)
        if frame.method != "session/request_permission":
            self._send({"id": number, "error": _UNKNOWN})
        elif cancelling:
            self._send({"id": number, "result": {"outcome": {"outcome": "cancelled"}}})
        elif len(self._open) < _MOST:
            self._open[frame.id] = (number, frame.params)

    def settled(self, frame: Frame) -> None:
        """A question was answered, here or by an earlier monitor."""
        self._open.pop(frame.id, None)

    def answer(self, action: Action) -> None:
        """Allow or deny the call that the action names; where it names none, the first that waits."""
        named = (key for key, (_, asked) in self._open.items() if _is(action.subject, asked))
        key = next(named if action.subject else iter(self._open), "")
        number, asked = self._open.get(key, (None, {}))
        option = _choice(asked, action.verb)
        if not option:
            self._receipts.refuse(action, "this call does not wait for such an answer")
            return
        del self._open[key]
        self._receipts.begin(action)
        self._send({"id": number, "result": {"outcome": {"outcome": "selected", "optionId": option}}})
        lost = "; the protocol carries no words with a denial" if action.text and action.verb == "deny" else ""
        self._receipts.tell(action.id, "done", f"answered with the agent's own option {clean(option)}{lost}")

    def cancel(self) -> None:
        """All that is asked is called off, as the protocol wants it when a request is cancelled."""
        for number, _ in self._open.values():
            self._send({"id": number, "result": {"outcome": {"outcome": "cancelled"}}})
        self._open.clear()


def _choice(asked: Object, verb: Verb) -> str:
    """The option that answers so, the one for this call alone before the one for good."""
    offered = {raw(option, "kind"): raw(option, "optionId") for option in parts(asked, "options")}
    return next((offered[kind] for kind in _KINDS.get(verb, ()) if offered.get(kind)), "")


def _is(name: str, asked: Object) -> bool:
    """Whether a question is about the call of this name: its id, numbered in a later session, and where it is used again."""
    call = clean(raw(part(asked, "toolCall"), "toolCallId"))
    return bool(call) and re.fullmatch(rf"(?:\d+\.)?{re.escape(call)}(?:#\d+)?", name) is not None


def _number(written: str) -> Any:
    """The number of a request as the agent gave it."""
    return int(written) if written.lstrip("-").isdigit() else written[1:-1]

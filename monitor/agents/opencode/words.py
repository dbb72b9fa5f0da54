"""Words on their way into a session: from the server that took them to the step of the model that holds them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from monitor.actions import Action
from monitor.agents.fields import part, raw
from monitor.agents.opencode.frame import Frame
from monitor.channels.messages import worded
from monitor.channels.receipts import Receipts
from monitor.text import clean

TAKEN = "its server has it"
STANDS = "stands in the conversation, for the next step"
UNANSWERED = "the run was aborted before a step took it up: it stands in the conversation unanswered"


@dataclass(frozen=True, slots=True)
class _Word:
    action: str
    text: str
    message: str = ""
    """The message that it became."""


class Words:
    """Each by its action, until the request that took it up is over."""

    def __init__(self, receipts: Receipts) -> None:
        self._receipts = receipts
        self._open: dict[str, _Word] = {}

    @property
    def waiting(self) -> bool:
        """Whether any was not taken up yet."""
        return any(self._receipts.receipt(name) in ("queued", "delivered") for name in self._open)

    def begin(self, action: Action) -> None:
        """An action's words are on their way."""
        self._open[action.id] = _Word(action.id, worded(action).strip())

    def answered(self, action: str, problem: str) -> None:
        """What the server said of them."""
        if problem:
            self._receipts.tell(action, "failed", problem)
            self._open.pop(action, None)
        elif self._receipts.receipt(action) == "queued":
            self._receipts.tell(action, "delivered", TAKEN)

    def hear(self, frame: Frame) -> None:
        """The message that they became, and the step whose prompt it is, or a later one."""
        told, info = part(frame.data, "part"), part(frame.data, "info")
        if frame.type == "message.part.updated" and raw(told, "type") == "text":
            words = clean(raw(told, "text")).strip()
            taken = {one.message for one in self._open.values()}
            found = next((one for one in self._open.values() if not one.message and one.text == words), None)
            if found is not None and raw(told, "messageID") not in taken:
                self._open[found.action] = replace(found, message=raw(told, "messageID"))
                self._receipts.tell(found.action, "delivered", STANDS)
        elif frame.type == "message.updated" and raw(info, "role") == "assistant":
            for one in self._open.values():
                if one.message and raw(info, "parentID") >= one.message:
                    self._receipts.tell(one.action, "seen", "the model's next step was begun with it")

    def over(self, *, aborted: bool) -> None:
        """The request is over."""
        for name in list(self._open):
            if self._receipts.receipt(name) == "seen":
                self._receipts.tell(name, "done", "the request that took it up is over")
                del self._open[name]
            elif aborted and self._open[name].message:
                self._receipts.tell(name, "failed", UNANSWERED)
                del self._open[name]

    def lose(self, why: str) -> None:
        """The server is gone."""
        for name in list(self._open):
            self._receipts.tell(name, "failed", why)
            del self._open[name]

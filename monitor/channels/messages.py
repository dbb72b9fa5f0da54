"""Messages on their way to an agent: each known by its line on the wire and by its id with the agent."""

from __future__ import annotations

from monitor.actions import Action
from monitor.channels.receipts import Receipt, Receipts
from monitor.channels.sent import Sent
from monitor.channels.wire import Wire
from monitor.text import clean

_VOICE = "Notice from monitor, a tool that watches this run (not from the user):\n"
_RESUMED = "Feedback on what you did so far. Nothing of it is applied yet:\n"
WRITTEN = "written to its standard input"
_RANK = ("queued", "delivered", "seen")


def worded(action: Action) -> str:
    """What is sent: a warning in the monitor's voice, feedback in the operator's own words."""
    return _VOICE + clean(action.text) if action.verb == "warn" else clean(action.text)


def framed(text: str) -> str:
    """Feedback with which an ended run is resumed: after all that it did before, and not to be taken for done."""
    return f"{_RESUMED}{clean(text)}"


class Messages:
    """Follows each message from the wire to the evidence that it arrived."""

    def __init__(self, wire: Wire, receipts: Receipts, sent: Sent | None = None) -> None:
        self._wire = wire
        self._receipts = receipts
        self._sent = sent
        self._lines: dict[int, str] = {}
        self._open: dict[str, tuple[str, str]] = {}
        """By the id with the agent: the action, and the text."""
        receipts.record = sent
        for key, action in sent.earlier() if sent else ():
            receipts.begin(action, "sent by an earlier monitor", sent.times(action.id) if sent else None)
            self._open[key] = (action.id, worded(action))

    @property
    def waiting(self) -> tuple[str, ...]:
        """Ids of those that the agent has not taken up, in order."""
        return tuple(key for key, (action, _) in self._open.items() if self._receipts.receipt(action) in _RANK[:2])

    def say(self, action: Action, key: str, line: str) -> None:
        """Send an action's message; the action must have been begun."""
        if key:
            self._open[key] = (action.id, worded(action))
            if self._sent is not None:
                self._sent.add(key, action)
        self._lines[self._wire.say(line)] = action.id

    def take(self, written: str = WRITTEN) -> None:
        """What the wire says of lines; `written` words that the agent's pipe has one."""
        for number, problem in self._wire.poll():
            action = self._lines.pop(number, "")
            if problem:
                self._receipts.tell(action, "failed", problem)
            elif self._receipts.receipt(action) == "queued":
                self._receipts.tell(action, "delivered", written)

    def tell(self, key: str, receipt: Receipt, evidence: str) -> None:
        """What the agent says of a message."""
        action, _ = self._open.get(key, ("", ""))
        self._receipts.tell(action, receipt, evidence)
        if receipt in ("done", "failed"):
            self._open.pop(key, None)

    def knows(self, key: str) -> bool:
        """Whether it is one of ours."""
        return key in self._open

    def told(self, text: str) -> str:
        """The id of the first message not taken up yet with this text; empty when there is none."""
        return next((key for key in self.waiting if self._open[key][1].strip() == text.strip()), "")

    def lose(self, why: str) -> None:
        """The agent is gone: what it had not taken up will never be."""
        for key in self.waiting:
            self.tell(key, "failed", why)

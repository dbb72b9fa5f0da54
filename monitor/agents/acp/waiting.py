"""Messages that wait for the running prompt to end: they are with monitor, not with the agent."""

from __future__ import annotations

from collections import deque

from monitor.actions import Action
from monitor.channels.messages import worded
from monitor.channels.receipts import Receipts
from monitor.channels.sent import Sent

_EARLIER = "given to an earlier monitor"
_LOST = "never sent: the monitor that held it is gone"


class Waiting:
    """A queue of one session; what an earlier monitor held is looked for in the log of the wire."""

    def __init__(self, receipts: Receipts, sent: Sent | None, task: str) -> None:
        self._receipts = receipts
        self._sent = sent
        self._queue: deque[Action] = deque([Action("", "feedback", task)] if task else ())
        self._earlier: dict[str, Action] = {}
        receipts.record = sent
        for key, action in sent.earlier() if sent else ():
            receipts.begin(action, _EARLIER, sent.times(action.id) if sent else None)
            self._earlier[key] = action

    def __bool__(self) -> bool:
        return bool(self._queue)

    def put(self, action: Action) -> None:
        """Keep it, on disk too, until its turn comes."""
        if self._sent is not None:
            self._sent.add(action.id, action)
        self._queue.append(action)

    def next(self) -> Action:
        """The first; it is to be sent now."""
        return self._queue.popleft()

    def drop(self, why: str) -> None:
        """None of them will be sent."""
        for action in self._queue:
            self._receipts.tell(action.id, "failed", why)
        self._queue.clear()

    def said(self, text: str) -> Action | None:
        """An earlier monitor sent this prompt: the message it carries, where it is one."""
        key = next((key for key, one in self._earlier.items() if worded(one).strip() == text.strip()), "")
        action = self._earlier.pop(key, None)
        if action is not None:
            self._receipts.tell(action.id, "delivered", "sent as a prompt by an earlier monitor")
        return action

    def settle(self) -> None:
        """The log is known: what was never sent never will be, unless the monitor that holds it still lives."""
        for key in [key for key in self._earlier if self._sent is None or not self._sent.held(key)]:
            self._receipts.tell(self._earlier.pop(key).id, "failed", _LOST)

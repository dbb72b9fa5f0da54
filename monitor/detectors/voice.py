"""What one actor is saying: the reply it is in, and how its replies of this request went."""

from __future__ import annotations

from monitor.detectors.numbers import ThinkingNumbers
from monitor.detectors.reply_text import ReplyText
from monitor.events import Spoken


class Voice:
    """The open reply of an actor."""

    __slots__ = ("_numbers", "answer", "circled", "flag", "message", "noted", "over", "thinking", "turn")

    def __init__(self, numbers: ThinkingNumbers) -> None:
        self._numbers = numbers
        self.turn = 0
        self.message = ""
        self.over = False
        """The reply is complete: what comes without its message id is another."""
        self.circled = 0
        """Replies of this request that went in circles."""
        self.flag: int | None = None
        """The number of the flag that this reply raised."""
        self.noted = False
        """The agent's own guard has told of this reply."""
        self.thinking = ReplyText(numbers)
        self.answer = ReplyText(numbers)

    def takes(self, event: Spoken) -> bool:
        """Whether the event is of the open reply, or begins another; one of an earlier reply is neither."""
        if event.turn < self.turn:
            return False
        told = bool(event.message and self.message)
        if event.turn > self.turn or (event.message != self.message if told else self.over):
            self._begin(event)
        self.message = self.message or event.message
        return True

    def _begin(self, event: Spoken) -> None:
        """Another reply begins."""
        self.turn, self.message, self.over = event.turn, event.message, False
        self.flag, self.noted = None, False
        self.thinking = ReplyText(self._numbers)
        self.answer = ReplyText(self._numbers)

    def copy(self) -> Voice:
        """Another that goes on from here."""
        other = Voice(self._numbers)
        for name in self.__slots__:
            setattr(other, name, getattr(self, name))
        other.thinking, other.answer = self.thinking.copy(), self.answer.copy()
        return other

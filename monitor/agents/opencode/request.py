"""How far a session is with what it was asked, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass, replace

from monitor.agents.fields import Object, part, raw, text
from monitor.events import Outcome, RequestEnded

_ABORTED = "MessageAbortedError"
_GOES_ON = frozenset(("", "tool-calls", "unknown"))
"""What a reply ends on, after which OpenCode asks its model again."""
_EDGE = 4_000
"""Characters kept from either end of an answer: what it says of itself stands at its edges."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is known of the request that a session works on, or worked on last."""

    working: bool = False
    newest: str = ""
    """The id of the latest prompt."""
    reply: str = ""
    """The latest reply, and whether it is still being written."""
    open: bool = False
    answer: str = ""
    """What the latest reply says."""
    finish: str = ""
    error: tuple[str, str] | None = None
    """Name and words of the error that it met."""
    rejected: Outcome | None = None
    """The latest call was rejected without a word, which ends the run."""
    retrying: bool = False
    held: bool = False
    """The session was said to be idle while its reply was not complete: the rest is waited for."""

    @property
    def alone(self) -> bool:
        """Whether the end of its reply is all that was told of it: how it ended cannot be said."""
        return not self.newest and not self.answer and self.error is None

    def prompted(self, message: str) -> Request:
        """The user said something."""
        newest = max(self.newest, message)
        return replace(self, newest=newest) if self.working else Request(working=True, newest=newest)

    def replying(self, message: str) -> Request:
        """A reply began, or goes on."""
        if message == self.reply:
            return self if self.working or not self.open else replace(self, working=True)
        return Request(working=True, newest=self.newest, reply=message, open=True)

    def said(self, words: str) -> Request:
        """The reply says more; only its edges are kept."""
        told = f"{self.answer}\n{words}" if self.answer else words
        if len(told) > 3 * _EDGE:
            told = f"{told[:_EDGE]}\n…\n{told[-_EDGE:]}"
        return replace(self, answer=told, retrying=False)

    def failed(self, error: Object) -> Request:
        """An error came."""
        told = raw(error, "name"), text(part(error, "data"), "message") or text(error, "message")
        return replace(self, error=told)

    def complete(self, finish: str) -> Request:
        """The reply is whole."""
        return replace(self, open=False, finish=finish or self.finish)

    def over(self, prompt: str) -> bool:
        """Whether nothing follows the reply that is complete, which answers `prompt`."""
        if self.error is not None or self.rejected is not None:
            return True
        return self.finish not in _GOES_ON and self.newest <= max(prompt, "")

    def ended(self) -> RequestEnded:
        """How it ended."""
        if self.error is not None:
            name, words = self.error
            if name == _ABORTED:
                return RequestEnded(how="interrupted", text="aborted")
            if name == "MessageOutputLengthError":
                return RequestEnded(how="limit", text="the reply reached its limit of tokens")
            return RequestEnded(how="error", text=words or text({"name": name}, "name"))
        if self.rejected is not None:
            who = "a person denied the call" if self.rejected == "denied" else "the call was refused"
            return RequestEnded(how="interrupted", text=f"it stopped when {who}")
        if self.finish == "content-filter":
            return RequestEnded(how="refused", text=self.answer)
        if self.answer.strip() and self.finish not in _GOES_ON:
            return RequestEnded(how="answered", text=self.answer)
        if self.retrying or self.finish in _GOES_ON:
            return RequestEnded(how="interrupted", text="it stopped before it had answered")
        if self.finish == "length":
            return RequestEnded(how="limit", text="the reply reached its limit of tokens")
        return RequestEnded(how="error", text="it stopped without an answer")

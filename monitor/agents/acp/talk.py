"""One session on the wire: its prompts, its reply, its calls."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from monitor.agents.acp.calls import Calls
from monitor.agents.acp.replies import Reply


class Talk:
    """The state of one session."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        """Sets its messages and calls apart from those of other sessions on the same wire; empty for the first."""
        self.reply = Reply()
        self.calls = Calls(prefix)
        self.prompts: tuple[str, ...] = ()
        """The requests that are not answered yet."""
        self.loading = False
        """An older conversation is told again."""
        self.active = False
        """Something has happened since the last request ended."""
        self.cancelling = False
        """The client has cancelled, and waits."""
        self.tells_begin = False
        """The agent tells when a call is under way."""
        self.denied = False
        """The latest call was denied by a person, and nothing was said or called since."""
        self.stopped = ""
        """The status with which lcode says, in the latest result, that it stopped the request."""
        self.latest: Literal["", "words", "result"] = ""
        """What came last in the request."""
        self.echoed = False
        """The latest record was a piece of the user's own words."""

    @property
    def message(self) -> str:
        """The id of the present reply."""
        return f"{self.prefix}r{self.reply.number}"

    @property
    def busy(self) -> bool:
        """Whether the agent is at work."""
        return bool(self.prompts) or self.active

    def prompted(self, number: str) -> None:
        """The agent was told something."""
        if not self.busy:
            self.latest = ""
        self.prompts = (*self.prompts, number)[-50:]
        self.reply, self.active = self.reply.closed(), True
        self.denied, self.stopped = False, ""

    def said(self, reply: Reply) -> None:
        """A piece of a reply has come."""
        self.reply, self.active, self.latest = reply, True, "words"
        self.denied, self.stopped = False, ""

    def called(self) -> None:
        """A call of the present reply has come; what was said before it was no answer."""
        self.reply, self.active, self.latest = self.reply.begun().answerless(), True, "words"
        self.denied, self.stopped = False, ""

    def returned(self, *, denied: bool, stopped: str) -> None:
        """A result has come."""
        self.reply, self.latest = self.reply.closed(), "result"
        self.denied, self.stopped = denied, stopped

    def close(self, name: str) -> None:
        """A call gets no result any more."""
        call = self.calls[name]
        if call is not None:
            self.calls.put(name, replace(call, over=True))

    def ended(self) -> None:
        """A prompt was answered."""
        self.reply = self.reply.closed().answerless()
        self.active = self.cancelling = self.denied = False
        self.stopped = ""

    def loaded(self) -> None:
        """The older conversation has been told again: all that comes now is new."""
        self.calls.forget()
        self.ended()
        self.loading, self.latest = False, ""

    def copy(self) -> Talk:
        """Another that goes on from here."""
        other = Talk(self.prefix)
        other.__dict__.update(self.__dict__)
        other.calls = self.calls.copy()
        return other

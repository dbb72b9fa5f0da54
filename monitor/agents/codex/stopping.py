"""Ends the turns of a thread that lives in a server with others, its sub-agents' too: Codex itself lets those go on."""

from __future__ import annotations

from collections.abc import Callable

from monitor.actions import Action
from monitor.agents.codex.crew import Crew
from monitor.agents.codex.thread import ThreadState
from monitor.channels.receipts import Receipts
from monitor.text import plural

STAYS = "the thread stays open, and its server goes on with others"
IDLE = "no turn runs that could be interrupted"
WHOLE = "other threads live in its server's process: no signal is sent to that"


class Stopping:
    """An abort is done when every turn that was asked to end has ended, by the server's word for each."""

    def __init__(self, receipts: Receipts, thread: ThreadState, crew: Crew, say: Callable[[str], int]) -> None:
        self._receipts = receipts
        self._thread = thread
        self._crew = crew
        self._say = say
        self._actions: list[str] = []
        self._asked: set[str] = set()
        """The threads of the sub-agents that were asked."""
        self._status = ""
        """How the thread's own turn ended."""

    def why_not(self) -> str:
        """Empty while a turn runs."""
        return "" if self._thread.turn or self._crew.turns else IDLE

    def how(self) -> str:
        """What would be ended."""
        return f"interrupts {self._turns()}; {STAYS}"

    def begin(self, action: Action) -> None:
        """Ask for it."""
        self._receipts.begin(action, self.how())
        if action.force in ("terminate", "kill"):
            self._receipts.tell(action.id, "failed", WHOLE)
            return
        told = self._turns()
        self._actions.append(action.id)
        self._asked |= set(self._crew.turns)
        for line in self._crew.interrupting():
            self._say(line)
        if self._thread.turn:
            self._thread.interrupt()
        self._receipts.tell(action.id, "delivered", f"asked to interrupt {told}")

    def heard(self, status: str | None) -> None:
        """The server has said something: with a status, that the thread's own turn has ended."""
        self._status = status or self._status
        if not self._actions or self._thread.turn or self._asked & set(self._crew.turns):
            return
        own = f"its turn has ended: {self._status}" if self._status else ""
        others = f"no turn of {plural(len(self._asked), 'sub-agent')} runs any more" if self._asked else ""
        for action in self._actions:
            words = "; ".join(one for one in (own, others) if one)
            self._receipts.tell(action, "seen", words)
            self._receipts.tell(action, "done", words)
        self._actions.clear()
        self._asked.clear()

    def lose(self, why: str) -> None:
        """The server cannot be heard any more."""
        for action in self._actions:
            self._receipts.tell(action, "failed", why)
        self._actions.clear()

    def _turns(self) -> str:
        """The turns that run, in words."""
        others = len(self._crew.turns)
        if not others:
            return "its turn"
        below = f"{'that' if others == 1 else 'those'} of {plural(others, 'sub-agent')}"
        return f"its turn and {below}" if self._thread.turn else f"the turn of {plural(others, 'sub-agent')}"

"""The three ways to a run that monitor started: signals to its processes, answers to its questions, words on its line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from monitor.actions import Action, Verb
from monitor.channels.body import GONE, SIGNALLED, Body
from monitor.channels.receipts import Receipts


class Questions(Protocol):
    """What the agent asks, as far as it is open."""

    def why_not(self, verb: Verb) -> str:
        """Empty while something is asked that can be answered so."""

    def answer(self, action: Action) -> None:
        """Allow or deny a call."""


class Ways:
    """Chooses the way of an action; `problem` says why the line takes nothing, `say` puts words on it."""

    def __init__(
        self,
        body: Body,
        receipts: Receipts,
        questions: Questions,
        *,
        problem: Callable[[], str],
        say: Callable[[Action], None],
        ended: str = f"the agent has ended ({GONE})",
    ) -> None:
        self._body = body
        self._receipts = receipts
        self._questions = questions
        self._problem = problem
        self._say = say
        self._ended = ended

    def can(self, verb: Verb) -> str:
        """Words while its line is open; answers while something is asked; the rest by its processes."""
        if verb in SIGNALLED:
            return self._body.can(verb)
        if not self._body.alive:
            return self._ended
        if problem := self._problem():
            return problem
        if verb in ("allow", "deny"):
            return self._questions.why_not(verb)
        return "" if verb in ("warn", "feedback") else "this is not done through the agent"

    def send(self, action: Action) -> None:
        """Begin to do it, or refuse."""
        if action.verb in SIGNALLED:
            self._body.perform(action)
        elif reason := self.can(action.verb):
            self._receipts.refuse(action, reason)
        elif action.verb in ("allow", "deny"):
            self._questions.answer(action)
        else:
            self._say(action)

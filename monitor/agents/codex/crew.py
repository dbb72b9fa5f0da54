"""The sub-agents of a thread that a server holds, and which of them work: Codex itself lets them outlast its turn."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator

from monitor.agents.codex import delegating
from monitor.agents.codex.family import Family
from monitor.agents.codex.frame import Frame
from monitor.agents.fields import part, parts, raw

_LOADED, _RESUMED, _TURNS, _ENDS = "monitor-loaded", "monitor-join:", "monitor-turns:", "monitor-interrupt:"
"""The ids of what is asked; all but the first end with the thread."""
_EARLY = 200
"""Messages that are kept of threads of which it is not known whose they are."""


class Crew:
    """Heard from what the server tells a client of the root's; those begun before have to be asked for."""

    def __init__(self, root: str) -> None:
        self._family = Family()
        self._family.root = root
        self.turns: dict[str, str] = {}
        """The turns that run, by their threads."""
        self._early: deque[Frame] = deque(maxlen=_EARLY)

    def hear(self, frame: Frame) -> list[Frame]:
        """A message, and all that are known with it to be the run's own.

        A sub-agent may begin its turn, and ask, before the server says who started it: that is kept until it does.
        """
        if frame.from_client:
            return [frame]
        for _ in delegating.joined(frame, self._family):
            pass
        known = self._let_in()
        if self._family.actor(_thread(frame)) is None and _thread(frame):
            self._early.append(frame)
        else:
            known.append(frame)
        for one in known:
            self._heard(one)
        return known

    def knows(self, thread: str) -> bool:
        """Whether a thread is one of the sub-agents'."""
        return bool(self._family.actor(thread))

    def asking(self) -> str:
        """Asks which threads the server holds: one that it does not hold is not to be taken up for being listened to."""
        return _line(_LOADED, "thread/loaded/list")

    def joining(self, frame: Frame, kin: Iterable[str]) -> Iterator[str]:
        """Asks, once that is answered, to hear of those that are kin, and which turns of theirs run."""
        if frame.id != _LOADED or frame.method:
            return
        held = (frame.result or {}).get("data")
        for thread in kin:
            if isinstance(held, list) and thread in held and not self.knows(thread):
                for _ in self._family.joins(thread, ""):
                    pass
                yield _line(_RESUMED + thread, "thread/resume", threadId=thread, excludeTurns=True)
                yield _line(_TURNS + thread, "thread/turns/list", threadId=thread, limit=1)

    def interrupting(self) -> Iterator[str]:
        """Asks that all their turns be ended."""
        for thread, turn in self.turns.items():
            yield _line(_ENDS + thread, "turn/interrupt", threadId=thread, turnId=turn)

    def _let_in(self) -> list[Frame]:
        """What was kept of threads that are known by now."""
        known = [one for one in self._early if self.knows(_thread(one))]
        if known:
            self._early = deque((one for one in self._early if not self.knows(_thread(one))), _EARLY)
        return known

    def _heard(self, frame: Frame) -> None:
        if not frame.method:
            self._answered(str(frame.id), frame)
        elif self.knows(_thread(frame)):
            self._turned(frame, _thread(frame))

    def _answered(self, ident: str, frame: Frame) -> None:
        if ident.startswith(_TURNS):
            latest = next(iter(parts(frame.result or {}, "data")), {})
            if raw(latest, "status") == "inProgress":
                self.turns[ident.removeprefix(_TURNS)] = raw(latest, "id")
        elif ident.startswith(_ENDS) and frame.error is not None:
            self.turns.pop(ident.removeprefix(_ENDS), None)

    def _turned(self, frame: Frame, thread: str) -> None:
        if frame.method == "turn/started":
            self.turns[thread] = raw(part(frame.params, "turn"), "id")
        elif frame.method == "turn/completed":
            self.turns.pop(thread, None)


def _thread(frame: Frame) -> str:
    return raw(frame.params, "threadId")


def _line(ident: str, method: str, **params: object) -> str:
    return json.dumps({"id": ident, "method": method, "params": params})

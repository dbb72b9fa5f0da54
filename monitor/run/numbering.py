"""Numbers events as they are folded in: their order, their request, their turn."""

from __future__ import annotations

import msgspec

from monitor.events import (
    Event,
    Prompted,
    ReplyEnded,
    RequestEnded,
    RunStarted,
    Said,
    Thought,
    ToolCalled,
    ToolReturned,
)

_RECENT = 64
"""Messages an actor may still come back to: a whole message told after its pieces, a call told again."""
_ACTORS = 10_000
"""Actors whose turns are counted on; of more, those begun first begin anew."""


class _Turns:
    """The turns of one actor."""

    __slots__ = ("count", "open", "recent")

    def __init__(self) -> None:
        self.count = 0
        self.open = False
        self.recent: dict[str, int] = {}

    def of(self, message: str) -> int:
        """The turn of a reply's part; a message not seen before begins a new one."""
        if not message:
            self.count += not self.open
        elif message in self.recent:
            self.open = True
            return self.recent[message]
        else:
            self.count += 1
            self.recent[message] = self.count
            if len(self.recent) > _RECENT:
                del self.recent[next(iter(self.recent))]
        self.open = True
        return self.count

    def copy(self) -> _Turns:
        other = _Turns()
        other.count, other.open, other.recent = self.count, self.open, dict(self.recent)
        return other


class Numbering:
    """Gives each event its seq, request and turn.

    A request begins with a user's prompt, or with the operator's words once the last one was answered; hook and
    harness texts never begin one, so a second claim after a nudge is the second claim of one request.
    """

    __slots__ = ("_answered", "_own", "_turns", "request", "seq")

    def __init__(self) -> None:
        self.seq = -1
        self.request = 0
        self._answered = True
        self._turns: dict[str, _Turns] = {}
        self._own: set[str] = set()
        """Actors whose turns no copy holds too: the others' are copied before they go on."""

    def number(self, event: Event) -> Event:
        """The same event with its numbers; one that was copied from an older run belongs to no turn of this one."""
        self.seq += 1
        if event.copied:
            return msgspec.structs.replace(event, seq=self.seq, request=self.request, turn=0)
        turns = self._of(event.actor)
        turn = turns.count
        match event:
            case Thought() | Said() | ToolCalled() | ReplyEnded():
                turn = turns.of(event.message)
                turns.open = turns.open and not isinstance(event, ReplyEnded)
            case ToolReturned():
                turns.open = False
            case Prompted():
                turns.open = False
                self._prompted(event)
            case RequestEnded() if not event.actor:
                self._answered = True
            case RunStarted() if event.parent is not None:
                turn = 0
            case _:
                pass
        return msgspec.structs.replace(event, seq=self.seq, request=self.request, turn=turn)

    def _of(self, actor: str) -> _Turns:
        turns = self._turns.get(actor)
        if turns is not None and actor in self._own:
            return turns
        self._own.add(actor)
        turns = self._turns[actor] = _Turns() if turns is None else turns.copy()
        if len(self._turns) > _ACTORS:
            gone = next(one for one in self._turns if one)
            del self._turns[gone]
            self._own.discard(gone)
        return turns

    def _prompted(self, event: Prompted) -> None:
        if event.actor:
            return
        begins = event.by == "user" and event.into == "new"
        if begins or (event.by in ("user", "operator") and self._answered) or not self.request:
            self.request += 1
            self._answered = False

    def copy(self) -> Numbering:
        """Another that goes on from here."""
        other = Numbering()
        other.seq, other.request, other._answered = self.seq, self.request, self._answered
        other._turns = dict(self._turns)
        self._own = set()
        return other

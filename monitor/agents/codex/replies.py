"""Tells the model's replies apart: a rollout holds their items one by one."""

from __future__ import annotations

from collections.abc import Sequence

from monitor.events import Event, ReplyEnded


class Replies:
    """The reply that comes in; it ends where its usage is told, or where the next one begins."""

    def __init__(self, name: str = "r") -> None:
        self._name = name
        self._count = 0
        self._is_open = False
        self._unended = False
        """Its end was not told yet."""
        self._says = self._calls = False
        self._parts = 0
        """Its words and thoughts so far, each a part of its own."""

    @property
    def message(self) -> str:
        """The name of the latest reply."""
        return f"{self._name}{self._count}"

    @property
    def begun(self) -> bool:
        """Whether any has come."""
        return self._count > 0

    def open(self, *, says: bool = False, calls: bool = False) -> str:
        """An item of a reply came; the name of its reply."""
        if not self._is_open:
            self._count += 1
            self._is_open, self._unended, self._says, self._calls, self._parts = True, True, False, False, 0
        self._says, self._calls = self._says or says, self._calls or calls
        return self.message

    def part(self) -> int:
        """The place of the words or thoughts that came now among those of its reply."""
        self._parts += 1
        return self._parts - 1

    def answered(self) -> None:
        """A result came: calls go with it to the model, and what follows is its next reply."""
        self._is_open = False

    def close(self) -> Sequence[Event]:
        """The reply is complete."""
        if not self._is_open and not self._unended:
            return ()
        self._is_open = self._unended = False
        empty = not (self._says or self._calls)
        return (ReplyEnded(message=self.message, stop="tools" if self._calls else "end", empty=empty),)

    def copy(self) -> Replies:
        """Another that goes on from here."""
        other = Replies()
        other.__dict__.update(self.__dict__)
        return other

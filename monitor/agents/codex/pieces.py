"""Tells the replies on the wire of an app-server apart, and which piece belongs to which item of them."""

from __future__ import annotations

_MOST = 200
"""Items that are remembered: pieces come for the open ones."""


class Pieces:
    """Counts replies as a rollout does: each ends where its usage is told, or its turn."""

    def __init__(self) -> None:
        self._ended = 0
        """Replies that have ended."""
        self._open = False
        self._parts = 0
        self._items: dict[str, tuple[str, int]] = {}

    @property
    def message(self) -> str:
        """The name of the reply that comes in."""
        return f"r{self._ended + 1}"

    def open(self) -> str:
        """Something of a reply came; the name of the reply."""
        self._open = True
        return self.message

    def spoken(self, item: str) -> tuple[str, int]:
        """The reply of words or thoughts, and their place in it."""
        if item not in self._items:
            self._items[item] = (self.open(), self._parts)
            self._parts += 1
            if len(self._items) > _MOST:
                del self._items[next(iter(self._items))]
        return self._items[item]

    def used(self) -> str:
        """The reply's usage was told: the reply is complete, one with nothing to be seen on the wire too."""
        ended = self.message
        self._ended, self._open, self._parts = self._ended + 1, False, 0
        return ended

    def turn_over(self) -> str:
        """The turn has ended, its last reply without a usage; the reply's name, empty where none was open."""
        return self.used() if self._open else ""

    def copy(self) -> Pieces:
        """Another that goes on from here."""
        other = Pieces()
        other.__dict__.update(self.__dict__)
        other._items = dict(self._items)
        return other

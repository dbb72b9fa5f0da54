"""What the user said, where two inputs tell it: the first that does has it."""

from __future__ import annotations

from typing import Literal

Side = Literal["wire", "rollout"]
_MOST = 100
"""Prompts that one side has told and the other has not, yet."""


class Prompts:
    """The prompts of a thread whose wire and rollout are both read."""

    def __init__(self) -> None:
        self._ahead: dict[Side, list[int]] = {"wire": [], "rollout": []}
        """By their hash: they may be long."""

    def first(self, side: Side, words: str) -> bool:
        """Whether this side is the first to tell it."""
        other: Side = "rollout" if side == "wire" else "wire"
        key = hash(words)
        if key in self._ahead[other]:
            self._ahead[other].remove(key)
            return False
        self._ahead[side] = [*self._ahead[side], key][-_MOST:]
        return True

    def copy(self) -> Prompts:
        """Another that goes on from here."""
        made = Prompts()
        made._ahead = {side: list(told) for side, told in self._ahead.items()}
        return made

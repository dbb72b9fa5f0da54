"""The root's words since it last did something: among them is its answer, if it told it in words of its own."""

from __future__ import annotations

from collections import deque

from monitor.events import Said

_TEXTS = 20
"""Texts that are kept; an answer is nearly always the last."""
_TAIL = 2_000
"""Characters of each that are compared, from its end."""


class Spoken:
    """Which row showed which words, for as long as they may be the answer."""

    def __init__(self) -> None:
        self._rows: deque[int] = deque(maxlen=_TEXTS)
        self._tails: dict[int, str] = {}

    def clear(self) -> None:
        """The root works on: what it said before is no answer."""
        self._rows.clear()
        self._tails.clear()

    def hear(self, row: int, event: Said) -> None:
        """Keep what a row says now; a piece goes on with what the row says already."""
        if row in self._tails:
            self._rows.remove(row)
        self._tails[row] = ((self._tails.get(row, "") if event.delta else "") + event.text)[-_TAIL:]
        self._rows.append(row)
        self._tails = {one: self._tails[one] for one in self._rows}

    def answer(self, text: str) -> int | None:
        """The row of the latest words that are this text or its end, or end with it; of no text simply the latest."""
        if not text.strip():
            return self._rows[-1] if self._rows else None
        told = _bare(text[-_TAIL:])
        return next((row for row in reversed(self._rows) if _same(_bare(self._tails[row]), told)), None)


def _bare(text: str) -> str:
    """A text without its white space, which a log may set otherwise."""
    return "".join(text.split())


def _same(one: str, other: str) -> bool:
    return bool(one) and (one.endswith(other) or other.endswith(one))

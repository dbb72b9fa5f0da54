"""How often the last sentences of a streamed text were said before."""

from __future__ import annotations

import re
from collections import deque

from monitor.text import shorten, width

WINDOW = 20
"""Counted sentences that density is taken over."""
_SHORTEST = 20
"""Terminal cells under which a sentence does not count."""
_LONGEST = 65_536
"""Characters after which a sentence ends by itself."""
_GENERATION = 4_000
"""Different sentences after which the counts of those not said lately are dropped; two generations are kept."""
_SHOWN = 300
_STOPS = "。！？｡．։؟۔।॥።"
STOPS = re.compile(f"[{_STOPS}]")
"""The stops of scripts that put no space after them, or have their own."""
_ENDS = re.compile(r"\n|\.\s+|!\s+|\?\s+")
_ENDS_AT_STOPS = re.compile("|".join((_ENDS.pattern, *_STOPS)))

Ended = tuple[int, int, str]
"""The characters from the start after which a sentence is known to have ended; then, how many of the last sentences
are repeated, and the latest of these, up to 300 characters."""


class Sentences:
    """Counts the sentences of a text as it streams; neither memory nor the cost of a piece grows with the text.

    Sentences end at a newline and at white space after `.`, `!` or `?`; in a copy made `at_stops`, at other scripts' stops too.
    White space is folded, and case does not matter.
    """

    __slots__ = (
        "_again",
        "_ends",
        "_fed",
        "_fresh",
        "_new",
        "_old",
        "_parts",
        "_recent",
        "_said",
        "_size",
        "repeated",
        "stopped",
    )

    def __init__(self, said: int = 4) -> None:
        self._ends = _ENDS
        self._said = said
        """Times a sentence was said in this reply from which it counts as repeated."""
        self._parts: list[str] = []
        """The sentence that has not ended yet, and its length."""
        self._size = 0
        self.stopped = False
        """The open sentence ends in a stop, so that white space would end it."""
        self._fed = 0
        self._new: dict[int, int] = {}
        self._old: dict[int, int] = {}
        self._recent: deque[int] = deque()
        self._fresh = 0
        """How many sentences in a row were new."""
        self.repeated = 0
        """How many of the last sentences are repeated ones."""
        self._again = ""

    @property
    def density(self) -> float | None:
        """The share of the last 20 sentences that are repeated; none before there are 20."""
        return self.repeated / WINDOW if len(self._recent) == WINDOW else None

    def ends(self, limit: int) -> int:
        """How many sentences must end, at the least, before `limit` of the last ones can be repeated ones.

        While each of the last 20 is new, `said` of them are repeated only when all but one of these have been said after
        them; else one more can make that many so.
        """
        if self._fresh >= WINDOW:
            return -(-(self._said - 1) * limit // self._said)
        return max(WINDOW - len(self._recent), -(-(limit - self.repeated) // self._said))

    def feed(self, text: str) -> list[Ended]:
        """Take in more text; the sentences that ended and count are told, from the twentieth on."""
        told: list[Ended] = []
        if not text:
            return told
        if self.stopped and text[0].isspace():
            self._end("", self._fed, 1, told)
        begin = 0
        for found in self._ends.finditer(text):
            start, end = found.span()
            last = start if text[start] == "\n" else start + 1
            if begin == 0 or last - begin > _LONGEST:
                self._end(text[begin:last], self._fed + last, end > last, told)
            elif (last - begin) * 2 >= _SHORTEST:
                self._count(text[begin:last], self._fed + last + (end > last), told)
            begin = end
        rest = text[begin:] if begin else text
        if rest:
            self._parts.append(rest)
            self._size += len(rest)
            self.stopped = rest[-1] in ".!?"
        self._fed += len(text)
        if self._size > _LONGEST:
            self._break(told)
        return told

    def close(self) -> list[Ended]:
        """The open sentence ends here."""
        told: list[Ended] = []
        self._end("", self._fed, 0, told)
        return told

    @property
    def room(self) -> int:
        """Characters that can come before the open sentence is too long to hold."""
        return _LONGEST - self._size + 1

    def copy(self, *, at_stops: bool = False) -> Sentences:
        """Another that goes on from here; `at_stops`: it ends sentences at every script's stops."""
        other = Sentences(self._said)
        for name in self.__slots__:
            setattr(other, name, getattr(self, name))
        other._parts, other._recent = list(self._parts), self._recent.copy()
        other._new, other._old = dict(self._new), dict(self._old)
        if at_stops:
            other._ends = _ENDS_AT_STOPS
        return other

    def _end(self, piece: str, at: int, more: int, told: list[Ended]) -> None:
        """The open sentence ends with this piece, as is known `more` characters later."""
        if self._parts:
            self._parts.append(piece)
            piece = "".join(self._parts)
            self._parts.clear()
            self._size = 0
        self.stopped = False
        while len(piece) > _LONGEST:
            self._count(piece[:_LONGEST], at - len(piece) + _LONGEST + 1, told)
            piece = piece[_LONGEST:]
        if len(piece) * 2 >= _SHORTEST:
            self._count(piece, at + more, told)

    def _break(self, told: list[Ended]) -> None:
        """The open sentence is too long to hold: what is too much of it ends."""
        piece = "".join(self._parts)
        while len(piece) > _LONGEST:
            self._count(piece[:_LONGEST], self._fed - len(piece) + _LONGEST + 1, told)
            piece = piece[_LONGEST:]
        self._parts, self._size = [piece], len(piece)

    def _count(self, piece: str, at: int, told: list[Ended]) -> None:
        if piece.isascii() and piece.isprintable() and "  " not in piece:
            sentence = piece.strip().lower()
        else:
            sentence = " ".join(piece.split()).lower()
        if len(sentence) < _SHORTEST and (sentence.isascii() or width(sentence) < _SHORTEST):
            return
        key, recent, new = hash(sentence), self._recent, self._new
        if len(recent) == WINDOW:
            gone = recent.popleft()
            if (new.get(gone) or self._old[gone]) >= self._said:
                self.repeated -= 1
        count = (new.get(key) or self._old.get(key, 0)) + 1
        new[key] = count
        recent.append(key)
        self._fresh = self._fresh + 1 if count == 1 else 0
        if count >= self._said:
            self.repeated += 1 if count > self._said else recent.count(key)
            self._again = shorten(sentence, _SHOWN)
        if len(new) >= _GENERATION:
            self._new, self._old = {}, new
        if len(recent) == WINDOW:
            told.append((at, self.repeated, self._again))

"""Whether a streamed text ends in one piece repeated exactly, over and over, with or without sentences."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

_LONGEST = 1_024
"""Characters of the piece that is repeated, at most."""
_LEAST = 400
"""Characters of all its repeats together, at least."""
_LEAST_DATA = 4_000
"""The same where the piece is a ruler, a table or code: a draft may well hold hundreds of such."""
_BLOCK = 224
"""Characters between two searches for candidates."""
_ANCHOR = 24
"""Characters that must come back at a distance before that distance is looked into."""
_CANDIDATES = 32
_DIGIT = "\x00"
"""Stands for up to four digits in a row; no text that was cleaned holds it."""
_DIGITS = re.compile(r"\d{1,4}")
_SIGNS = re.compile(r"[^\w\s.,:!?'\"…’“”。、，！？-]|_")
_LETTERS = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class Cycle:
    """A piece that came back again and again."""

    at: int
    """Characters from the start at which it had come back often enough."""
    text: str
    """The piece, the numbers in it shown as `#`."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A period that the text has had for a while, and the characters that must go on with it."""

    period: int
    more: int
    counters: int
    """How many numbers may change in the repeats: one in words, none in a table or code."""


class Cycles:
    """Looks for a period of up to 1,024 characters; exact at every character, whatever pieces the text comes in.

    Digits are folded, so that a counter does not hide a loop; but where more than one number changes in the repeats,
    the text is a list that moves forward. The text is taken in blocks:
    only where a period has nearly lasted long enough at a block's start is that block looked at closely.
    """

    __slots__ = ("_block", "_candidates", "_digits", "_held", "_kept", "_near", "_passed", "_raw", "_repeats")

    def __init__(self, repeats: int = 8) -> None:
        self._repeats = max(repeats, 2)
        """Times a piece must come in a row."""
        self._passed = 0
        """Characters in whole blocks."""
        self._block = ""
        """The block that is not whole yet."""
        self._digits = 0
        """Digits at the open block's beginning that would be folded with those before it."""
        self._near = ""
        """The folded text that candidates are searched in."""
        self._kept: deque[str] = deque()
        """The folded blocks before the open one, as many as the longest cycle takes, and their length."""
        self._held = 0
        self._raw: deque[str] = deque(maxlen=_LONGEST * self._repeats // _BLOCK + 2)
        """The blocks as they came."""
        self._candidates: tuple[_Candidate, ...] = ()

    def feed(self, text: str) -> Cycle | None:
        """Take in more text; the first cycle that it completes."""
        text = self._block + text
        if len(text) < _BLOCK and not self._candidates:
            self._block = text
            return None
        start = 0
        while len(text) - start >= _BLOCK:
            self._block = text[start : start + _BLOCK]
            start += _BLOCK
            found = self._look() if self._candidates else None
            if found:
                return found
            self._close()
        self._block = text[start:]
        return self._look() if self._candidates else None

    @property
    def room(self) -> int:
        """Characters that can come before there is anything to look at."""
        return 0 if self._candidates else _BLOCK - len(self._block)

    def copy(self) -> Cycles:
        """Another that goes on from here."""
        other = Cycles(self._repeats)
        for name in self.__slots__:
            setattr(other, name, getattr(self, name))
        other._kept, other._raw = self._kept.copy(), self._raw.copy()
        return other

    def _folded(self) -> str:
        """The open block with its digits folded; those that go on from the block before it are folded with these."""
        block = self._block
        if block.isascii() and len(block.encode().translate(None, b"0123456789")) == len(block):
            return block
        return _DIGITS.sub(_DIGIT, block[self._swallowed() :])

    def _swallowed(self) -> int:
        """How many digits at the open block's beginning are folded with those before it."""
        at = 0
        while at < self._digits and self._block[at : at + 1].isdecimal():
            at += 1
        return at

    def _look(self) -> Cycle | None:
        """Whether a candidate has gone on for long enough within the open block."""
        folded = self._folded()
        whole = self._near + folded
        start = len(self._near)
        reached = [
            one
            for one in self._candidates
            if one.more <= len(folded) and whole[start - one.period :][: one.more] == folded[: one.more]
        ]
        if not reached:
            return None
        self._candidates = tuple(one for one in self._candidates if one not in reached)
        for one in sorted(reached, key=lambda one: (one.more, one.period)):
            end = start + one.more
            piece, at = whole[end - one.period : end], self._where(one.more)
            if self._changing(at, one.period, piece.count(_DIGIT)) <= one.counters:
                return Cycle(self._passed + at, piece.replace(_DIGIT, "#"))
        return None

    def _where(self, folded: int) -> int:
        """How many characters of the open block make this many folded ones."""
        begin, run = self._swallowed(), 0
        for at, char in enumerate(self._block[begin:], begin + 1):
            digit = char.isdecimal()
            folded -= not digit or run % 4 == 0
            run = run + 1 if digit else 0
            if not folded:
                return at
        return len(self._block)

    def _changing(self, end: int, period: int, count: int) -> int:
        """How many numbers of the piece that ends here, in the open block, were others in one of its last repeats."""
        if not count:
            return 0
        text = ("".join(self._raw) + self._block[:end])[-4 * period * self._repeats - 16 :]
        numbers = _DIGITS.findall(text)
        rounds = min(len(numbers) // count, self._repeats)
        last = numbers[len(numbers) - rounds * count :]
        last = last[:-1] if text[-1].isdecimal() else last  # it may go on
        return sum(len(set(last[place::count])) > 1 for place in range(count))

    def _close(self) -> None:
        """The open block is whole: keep it, and search for the periods that the text has now."""
        folded = self._folded()
        run = 0
        while run < _BLOCK and self._block[-run - 1].isdecimal():
            run += 1
        self._digits = (self._digits - run if run == _BLOCK else -run) % 4
        self._passed += _BLOCK
        self._raw.append(self._block)
        self._kept.append(folded)
        self._held += len(folded)
        while self._held - len(self._kept[0]) > _LONGEST * self._repeats:
            self._held -= len(self._kept.popleft())
        self._near = near = (self._near + folded)[-_LONGEST - _ANCHOR :]
        at = near.rfind(near[-_ANCHOR:], 0, len(near) - 1)
        self._candidates = tuple(self._search(at)) if at >= 0 else ()

    def _search(self, at: int) -> Iterator[_Candidate]:
        near, anchor = self._near, self._near[-_ANCHOR:]
        whole = "".join(self._kept)
        for _ in range(_CANDIDATES):
            period = len(near) - len(anchor) - at
            if found := self._candidate(whole, period):
                yield found
            at = near.rfind(anchor, 0, at + len(anchor) - 1)
            if at < 0:
                return

    def _candidate(self, whole: str, period: int) -> _Candidate | None:
        """The period, where it may last long enough within one more block."""
        need = max(_LEAST, self._repeats * period) - period
        if not _lasts(whole, period, max(need - _BLOCK, _ANCHOR)):
            return None
        counters = 1
        if not _is_prose(whole[-period:]):
            need = max(_LEAST_DATA, self._repeats * period) - period
            counters = 0
            if not _lasts(whole, period, need - _BLOCK):
                return None
        run = max(need - _BLOCK, _ANCHOR)
        while run < need - 1 and run + period < len(whole) and whole[-run - 1] == whole[-run - 1 - period]:
            run += 1
        return _Candidate(period, need - run, counters)


def _lasts(whole: str, period: int, run: int) -> bool:
    """Whether each of the last `run` characters is the one a period before it."""
    return len(whole) >= run + period and whole[-run:] == whole[-run - period : -period]


def _is_prose(piece: str) -> bool:
    """Words, rather than a ruler, numbers, a table or code."""
    return len(_SIGNS.findall(piece)) <= max(1, len(piece) / 8) and len(_LETTERS.findall(piece)) >= len(piece) / 3

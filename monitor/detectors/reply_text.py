"""The thinking, or the answer, of one model reply as it streams."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from zlib import crc32

from monitor.detectors.cycles import Cycle, Cycles
from monitor.detectors.numbers import DEFAULTS, ThinkingNumbers
from monitor.detectors.sentences import STOPS, WINDOW, Ended, Sentences

_HELD = 224
"""Characters that are held back, at most, while nothing can be found in them."""
_CLOSEST, _CLOSEST_WIDE = 21, 10
"""Characters between the ends of two sentences that count, at the least; and where some take two cells."""
_PARTS = 64
"""Parts of a reply that a whole text may still be told of."""

Rule = Literal["circles", "cycle"]


@dataclass(frozen=True, slots=True)
class Circling:
    """A text goes in circles."""

    at: int
    """Characters from its start."""
    rule: Rule
    text: str
    """What is repeated."""


class ReplyText:
    """Judges one text sentence by sentence; the same whatever pieces it comes in.

    Pieces are held back, and judged together, for as long as they cannot hold enough ends of sentences.
    """

    __slots__ = (
        "_before", "_circles", "_cycles", "_fine", "_held", "_holds", "_numbers", "_part", "_parts", "_room", "_sentences", "_wide_room",
        "found", "length", "told",
    )  # fmt: skip

    def __init__(self, numbers: ThinkingNumbers) -> None:
        self._numbers = numbers
        self._circles = numbers.circles if numbers.circles and numbers.said else WINDOW + 1
        """Repeated sentences among the last 20 from which a text goes in circles; more than 20 never are."""
        self._cycles = Cycles(numbers.repeats) if numbers.repeats else None
        self._sentences = Sentences(numbers.said or DEFAULTS.thinking.said)
        self._fine: Sentences | None = None
        """The same with every script's stops, from the first of them on."""
        self._held: list[str] = []
        self._holds = 0
        self._room = self._wide_room = 0
        """Characters before anything can be found; and where some take two cells."""
        self._part: int | None = None
        """The part that is told now, and of all parts the length and a digest."""
        self._parts: dict[int, tuple[int, int]] = {}
        self._before: ReplyText | None = None
        """The state before the open part, should its whole turn out to be another text."""
        self.length = 0
        self.told: list[float] = []
        """The densities since they were last taken away."""
        self.found: Circling | None = None
        """The first circling; nothing is looked for after it."""

    @property
    def density(self) -> float | None:
        """The share of the last 20 counted sentences that are repeated; none before there are 20."""
        coarse, fine = self._sentences.density, self._fine.density if self._fine else None
        return coarse if fine is None else max(coarse or 0.0, fine)

    def piece(self, part: int, text: str) -> bool:
        """Take in more of a part; true when it was judged, so that something may be new."""
        if part != self._part:
            self._open(part)
        self.length += len(text)
        self._held.append(text)
        self._holds += len(text)
        if not text.isascii():
            self._room = min(self._room, self._wide_room)
        if self._holds < self._room:
            return False
        self.judge()
        return True

    def judge(self) -> None:
        """Judge what was held back; nothing but its density can come of it."""
        if not self._holds:
            return
        text = self._held[0] if len(self._held) == 1 else "".join(self._held)
        self._held.clear()
        self._holds = 0
        if self._part is not None:
            length, digest = self._parts.get(self._part, (0, 0))
            self._parts[self._part] = (length + len(text), _digest(text, digest))
        if self._fine is None and not text.isascii() and STOPS.search(text):
            self._fine = self._sentences.copy(at_stops=True)
        ended = self._sentences.feed(text)
        if self._fine:
            self._weigh(self._fine.feed(text), ended)
        elif ended:
            self._weigh(ended, [])
        if self._cycles:
            self._search(self._cycles.feed(text))
        self._rest()

    def whole(self, part: int, text: str, *, cut: bool = False) -> bool:
        """Take in a part as a whole: one equal to its pieces adds nothing, else it replaces them.

        A text that the log has cut replaces nothing, nor does one of a part before the open one.
        """
        self.judge()
        length, digest = self._parts.get(part, (0, 0))
        if part not in self._parts or (part == self._part and _digest(text[:length]) == digest and len(text) > length):
            return self.piece(part, text[length:])
        if (cut or part != self._part or self._before is None) or (len(text) == length and _digest(text) == digest):
            return False
        before, found, told = self._before, self.found, self.told
        for name in self.__slots__:
            setattr(self, name, getattr(before, name))
        self.found, self.told = found or before.found, told
        return self.piece(part, text)

    def copy(self) -> ReplyText:
        """Another that goes on from here."""
        other = ReplyText(self._numbers)
        for name in self.__slots__:
            setattr(other, name, getattr(self, name))
        other._sentences = self._sentences.copy()
        other._fine = self._fine.copy() if self._fine else None
        other._cycles = self._cycles.copy() if self._cycles else None
        other._held, other._parts, other.told = list(self._held), dict(self._parts), list(self.told)
        return other

    def _open(self, part: int) -> None:
        """Another part begins: the sentence before it has ended."""
        self.judge()
        known = part in self._parts
        self._before = None
        if not known:
            self._before = self.copy()
            self._parts[part] = (0, 0)
            if len(self._parts) > _PARTS:
                del self._parts[next(iter(self._parts))]
        self._part = part
        ended = self._sentences.close()
        self._weigh(self._fine.close() if self._fine else ended, ended if self._fine else [])

    def _rest(self) -> None:
        """How many characters can come before anything can be found."""
        room = self._cycles.room if self._cycles else _HELD
        ends = _HELD
        for sentences in (self._sentences, self._fine) if self._fine else (self._sentences,):
            room = min(room, sentences.room)
            ends = min(ends, sentences.ends(self._circles) - sentences.stopped - 1)
        self._room, self._wide_room = min(room, ends * _CLOSEST), min(room, ends * _CLOSEST_WIDE)

    def _weigh(self, ended: list[Ended], coarse: list[Ended]) -> None:
        """Whether one of these sentences makes the text go in circles."""
        for at, repeated, again in ended:
            self.told.append(repeated / WINDOW)
            if repeated >= self._circles and not self.found:
                self.found = Circling(at, "circles", again)
        for at, repeated, again in coarse:
            if repeated >= self._circles and (not self.found or at < self.found.at):
                self.found = Circling(at, "circles", again)

    def _search(self, cycle: Cycle | None) -> None:
        """Whether a piece of the text has come back often enough; of two rules the first to hold counts."""
        if cycle and (self.found is None or cycle.at < self.found.at):
            self.found = Circling(cycle.at, "cycle", cycle.text)
        if self.found:
            self._cycles = None


def _digest(text: str, before: int = 0) -> int:
    return crc32(text.encode("utf-8", "surrogatepass"), before)

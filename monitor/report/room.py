"""Cuts a text made of sections to the room there is, and says what was left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from monitor.text import plural

_NOTE = 1_000
"""Units kept free for the last line."""


@dataclass(frozen=True, slots=True)
class Piece:
    """The least that is left out at once, such as a row of a table."""

    text: str
    counted: str = ""
    """What it is, in the singular, its plural made with an s; empty for what nobody misses, such as a title."""


@dataclass(frozen=True, slots=True)
class Section:
    """Pieces that stand together; of too many the last are left out."""

    pieces: tuple[Piece, ...]
    first: bool = False
    """It gets its room before those that are not."""


def units(text: str) -> int:
    """The length as a browser counts it: signs beyond the basic plane count twice."""
    return len(text) + sum(sign > "\uffff" for sign in text)


def fit(sections: Sequence[Section], most: int) -> str:
    """The sections in at most so many units, with a last line that counts what was left out."""
    whole = "".join(piece.text for section in sections for piece in section.pieces)
    if units(whole) <= most:
        return whole
    room = most - _NOTE
    sizes = [sum(units(piece.text) for piece in section.pieces) for section in sections]
    firsts = shares([size if section.first else 0 for size, section in zip(sizes, sections, strict=True)], room)
    others = shares([0 if one.first else size for size, one in zip(sizes, sections, strict=True)], room - sum(firsts))
    left: Counter[str] = Counter()
    kept = [_kept(section, first + other, left) for section, first, other in zip(sections, firsts, others, strict=True)]
    return "".join(kept) + _note(left, most)


def shares(sizes: Sequence[int], room: int) -> list[int]:
    """How much of the room each size gets: all it needs, as long as none gets more while another is cut."""
    given = [0] * len(sizes)
    waiting = sorted((size, index) for index, size in enumerate(sizes) if size)
    for place, (size, index) in enumerate(waiting):
        given[index] = min(size, max(room, 0) // (len(waiting) - place))
        room -= given[index]
    return given


def _kept(section: Section, room: int, left: Counter[str]) -> str:
    texts, full = [], False
    for piece in section.pieces:
        room -= units(piece.text)
        full = full or room < 0
        if not full:
            texts.append(piece.text)
        elif piece.counted:
            left[piece.counted] += 1
    return "".join(texts)


def _note(left: Counter[str], most: int) -> str:
    named = [plural(count, noun) for noun, count in left.items()]
    return f"\n**Cut:** this text may have {most:,} characters. Left out: {_listed(named)}.\n"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "nothing but titles"

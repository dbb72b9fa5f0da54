"""Stretches of a text to take out, and what is put in their place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

WALL = "\ufdd0"
"""Stands for a mark while a text is searched: a code point that is no character. Every pattern treats it as a
letter where it looks around itself, and none reaches across it, so that a second search finds nothing new."""
BREAKS = rf"{WALL}\x00-\x08\x0b-\x1f\u2400-\u2426"
"""Within a class of characters: what no value goes across. A terminal's controls, also as they are shown."""
SHAPE, BESIDE = range(2)
"""How a secret is known: by its own shape, or by what stands beside it."""

_FREE = re.compile(
    rf"(?<![A-Za-z0-9{WALL}])|(?<=\\[nrt])|(?<=[0-9\[;]m)|(?<=\[K)|(?<=%[0-9A-Fa-f][0-9A-Fa-f])|(?<=u00[0-9a-f][0-9a-f])"
)
_MARK = re.compile(rf"\[redacted: [a-z0-9][a-z0-9. -]{{1,30}}\]|{WALL}")
_WORD = re.compile(r"[A-Za-z0-9_-]*")


@dataclass(frozen=True, slots=True)
class Span:
    """One stretch of a text that is a secret."""

    start: int
    end: int
    kind: str
    rank: int = SHAPE
    """Of two that overlap, the one with the lower rank names the kind."""


def free(text: str, at: int) -> bool:
    """Whether a word can begin here: no letter or digit stands before it, but for the end of an escape.

    Escapes are JSON's, a terminal's colour, a URL's.
    """
    return _FREE.match(text, at) is not None


def mark(kind: str) -> str:
    """What is put in a secret's place."""
    return f"[redacted: {kind}]"


def walled(text: str) -> tuple[str, list[str]]:
    """The text with a wall for each mark it holds already, and these marks in their order."""
    if "[redacted: " not in text and WALL not in text:
        return text, []
    return _MARK.sub(WALL, text), _MARK.findall(text)


def joined(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """The spans in order, overlapping ones as one, each up to the end of the word it ends in."""
    whole: Span | None = None
    for span in sorted(spans, key=lambda one: (one.start, -one.end)):
        one = Span(span.start, _word_end(text, span), span.kind, span.rank)
        if whole is None or one.start >= whole.end:
            if whole is not None:
                yield whole
            whole = one
        else:
            known = min(whole, one, key=lambda either: either.rank)
            whole = Span(whole.start, max(whole.end, one.end), known.kind, known.rank)
    if whole is not None:
        yield whole


def _word_end(text: str, span: Span) -> int:
    """Where the word ends: a secret that goes on further than its shape says is taken out whole."""
    found = _WORD.match(text, span.end)
    return found.end() if found else span.end


def replaced(text: str, marks: list[str], spans: Iterable[Span]) -> str:
    """The walled text with each span's mark in its place, and its own marks again where they stood."""
    pieces, at, kept = [], 0, iter(marks)
    for span in spans:
        pieces.append(_unwalled(text[at : span.start], kept))
        for _ in range(text.count(WALL, span.start, span.end)):
            next(kept)
        pieces.append(mark(span.kind))
        at = span.end
    pieces.append(_unwalled(text[at:], kept))
    return "".join(pieces)


def _unwalled(text: str, marks: Iterator[str]) -> str:
    return re.sub(WALL, lambda _: next(marks), text) if WALL in text else text

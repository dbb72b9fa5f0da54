"""Quoted lines of a file: number, bar, text; what matches the guess in bold, spaces at the end shown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from textual.content import Content

from monitor.ui.pen import Pen
from monitor.ui.present.lines import put, role

WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
"""The parts of identifiers: split at case, digits and underscores."""
NONE: frozenset[str] = frozenset()
_WIDEST = 4_000
"""Characters of a line that may reach the screen."""


def words(text: str) -> frozenset[str]:
    """The words of a guess that are worth finding again: two letters or more, without case."""
    return frozenset(word.lower() for word in WORDS.findall(text[:4_000]) if len(word) > 1)


def hits(text: str, wanted: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Where wanted words stand; neighbours joined by an underscore are one."""
    begin = end = -1
    for found in WORDS.finditer(text):
        if found.group().lower() not in wanted:
            continue
        if end >= 0 and text[end : found.start()] in ("", "_"):
            end = found.end()
            continue
        if end >= 0:
            yield begin, end
        begin, end = found.span()
    if end >= 0:
        yield begin, end


def quoted(pen: Pen, text: str, number: str, wanted: frozenset[str] = NONE) -> Content:
    """One line in its gutter; of a longer one than any screen, only its beginning is looked at."""
    text = text[:_WIDEST].expandtabs(4)
    body = text.rstrip(" ")
    dots = pen.mark("space") * (len(text) - len(body))
    line = put(body)
    for begin, end in hits(line.plain, wanted) if wanted else ():
        line = line.stylize(role("accent", bold=True), begin, end)
    gutter = put((f"{number:>5} ", role("muted")), (pen.mark("bar") + " ", role("rule")))
    return gutter + line + put((dots, role("warn", bold=True)))


def undented(lines: Sequence[str]) -> tuple[list[str], int]:
    """The lines without the indent they all share, and how many cells that was."""
    spread = [line.expandtabs(4) for line in lines]
    full = [line for line in spread if line.strip()]
    by = min((len(line) - len(line.lstrip(" ")) for line in full), default=0)
    return [line[by:] for line in spread], by

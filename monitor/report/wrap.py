"""Fits text into the columns of a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import chop_cells

from monitor.text import clean, line, width

_LEAST = 8
"""Cells a text gets however deep it is indented."""


def wrap(text: str, columns: int, lead: str = "", then: str | None = None) -> Iterator[str]:
    """The text on lines of at most so many terminal cells, the first begun by `lead`, the others by `then`.

    Without `then` the others are indented as far as `lead` reaches. Runs of spaces become one; a word longer
    than a line is broken.
    """
    indent = " " * width(lead) if then is None else then
    room = max(columns - max(width(lead), width(indent)), _LEAST)
    start, row = lead, ""
    for word in _words(text, room):
        if row and width(row) + 1 + width(word) > room:
            yield start + row
            start, row = indent, word
        else:
            row = f"{row} {word}" if row else word
    yield (start + row).rstrip()


def quote(text: str, columns: int, lead: str) -> Iterator[str]:
    """One line exactly as it stands: tabs are made visible, spaces at its end counted, and nothing is left out."""
    shown = clean(text).replace("\t", "␉").replace("\n", "␊")
    bare = shown.rstrip(" ")
    spaces = len(shown) - len(bare)
    if spaces:
        bare += f" [{spaces} trailing space{'s' * (spaces > 1)}]"
    start = lead
    for piece in chop_cells(bare, max(columns - width(lead), _LEAST)) or [""]:
        yield start + piece if piece else start.rstrip()
        start = " " * width(lead)


def paragraphs(text: str, columns: int, lead: str) -> Iterator[str]:
    """A text of several lines, each wrapped; one with more than single spaces is quoted, since they may matter."""
    for one in clean(text).split("\n"):
        exact = one.startswith(" ") or "  " in one or "\t" in one
        yield from quote(one, columns, lead) if exact else wrap(one, columns, lead)


def _words(text: str, room: int) -> Iterator[str]:
    for word in line(text).split():
        if width(word) > room:
            yield from chop_cells(word, room)
        else:
            yield word

"""Text that nobody vouches for, written in Markdown so that it stays text.

Backslashes are not enough on a forge: it makes links of mentions, issue numbers, commits and addresses after the
Markdown is read. Only code is left alone, so all but plain words is written as code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from monitor.text import clean, line, shorten

_LETTER = "[A-Za-z\u00a1-\U0010ffff]"
_WORD = rf"(?![A-Fa-f]{{7,}}\b){_LETTER}+"
_PLAIN = re.compile(
    rf"[(\"']?(?:{_WORD}(?:['’-]{_WORD})*|x?[0-9]{{1,3}}(?:,[0-9]{{3}})*%?|[0-9]{{1,6}})[.,;:!?]?[)\"']?[.,;:]?"
)
"""A word or a number of a sentence; one that could be the beginning of a commit's id is none."""
_TICKS = re.compile(r"`+")


def code(text: str) -> str:
    """The text on one line as code, whatever it holds; empty when it is."""
    text = line(text)
    if not text:
        return ""
    fence = "`" * (_longest(text) + 1)
    pad = " " if text[0] == "`" or text[-1] == "`" or (text[0] == text[-1] == " " and text.strip()) else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def inline(text: str, most: int = 600) -> str:
    """A sentence: its plain words as they are, everything else in it as code."""
    pieces: list[str] = []
    odd: list[str] = []
    for word in shorten(line(text), most).split():
        if _PLAIN.fullmatch(word) is None:
            odd.append(word)
            continue
        pieces += _odd(odd)
        odd = []
        pieces.append(word)
    return " ".join([*pieces, *_odd(odd)])


def _odd(words: list[str]) -> list[str]:
    """Words that stand together as one piece of code, a sign at its end left outside."""
    text = " ".join(words)
    if len(text) > 1 and text[-1] in ".,;:":
        return [code(text[:-1]) + text[-1]]
    return [code(text)] if text else []


def fenced(lines: Iterable[str]) -> str:
    """The lines as they stand, between fences longer than any run of backticks in them."""
    text = clean("\n".join(lines))
    fence = "`" * max(_longest(text) + 1, 3)
    return f"{fence}\n{text}\n{fence}\n"


def row(cells: Iterable[str]) -> str:
    """A row of a table, of what the functions above made."""
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |\n"


def head(titles: Iterable[str]) -> str:
    """The beginning of a table."""
    names = list(titles)
    return f"{row(names)}{row('---' for _ in names)}"


def _longest(text: str) -> int:
    return max((len(run) for run in _TICKS.findall(text)), default=0)

"""Where a text may be cut: never inside what a reader takes for one character."""

from __future__ import annotations

import unicodedata

_JOINER = "\u200d"
_VOWELS = range(0x1160, 0x1200)
"""Hangul vowels and finals: they go on a syllable that has begun."""


def cut(text: str, most: int) -> tuple[str, bool]:
    """At most `most` characters of the text, and whether there is more."""
    if len(text) <= most:
        return text, False
    at = most
    while at and _joined(text, at):
        at -= 1
    return text[:at], True


def _joined(text: str, at: int) -> bool:
    """Whether the characters before and at an index belong together."""
    before, here = text[at - 1], text[at]
    if here.isascii():
        return before == _JOINER
    code = ord(here)
    return (
        _JOINER in (before, here)
        or unicodedata.category(here)[0] == "M"
        or 0x1F3FB <= code <= 0x1F3FF  # skin tones
        or code in _VOWELS
        or (_flag(here) and _flags_before(text, at) % 2 == 1)
        or 0xDC00 <= code <= 0xDFFF
    )


def _flag(char: str) -> bool:
    return 0x1F1E6 <= ord(char) <= 0x1F1FF


def _flags_before(text: str, at: int) -> int:
    """How many letters of flags stand directly before; two make one flag."""
    begin = at
    while begin and _flag(text[begin - 1]):
        begin -= 1
    return at - begin

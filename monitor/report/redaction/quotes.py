"""Finds the end of a quoted text, also of one quoted within a quoted one."""

from __future__ import annotations

import re

from monitor.report.redaction.spans import WALL

OPENING = re.compile(r"[bBfFrRuU@$]{0,2}(?P<slashes>\\{0,8})(?P<quote>\"\"\"|'''|[\"'`])")
_LONGEST = 8_000
"""Characters looked at for the closing quote."""


def closing(text: str, at: int) -> tuple[int, int, bool]:
    """Where the text within the quotes that open at `at` begins and ends, and whether it was closed before its line.

    Within JSON a quote has a backslash before it, within JSON in JSON three: it is closed by one with no more.
    """
    opening = OPENING.match(text, at)
    if opening is None:
        return at, at, False
    start, depth, quote = opening.end(), len(opening["slashes"]), opening["quote"]
    stop = _stop(text, start)
    end = text.find(quote, start, stop)
    while end >= 0:
        slashes = _slashes(text, start, end)
        if slashes <= depth or (not depth and slashes % 2 == 0):
            return start, end - min(slashes, depth), True
        end = text.find(quote, end + 1, stop)
    return start, stop, False


def _stop(text: str, start: int) -> int:
    """Where the search for the closing quote ends."""
    stop = min(start + _LONGEST, len(text))
    for border in ("\n", "⏎", WALL):
        found = text.find(border, start, stop)
        stop = found if found >= 0 else stop
    return stop


def _slashes(text: str, start: int, end: int) -> int:
    """How many backslashes stand before a quote."""
    at = end
    while at > start and text[at - 1] == "\\" and end - at < 16:
        at -= 1
    return end - at

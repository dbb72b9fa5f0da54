"""Private keys in their armour, whole or cut at either end."""

from __future__ import annotations

import re
from collections.abc import Iterator

from monitor.report.redaction.spans import WALL, Span

_ARMOUR = re.compile(r"-----(?P<side>BEGIN|END) (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_GAP = r"(?:[\s⏎]|\\{1,8}[nrt]|[\"'+,] {0,8})"
_GUTTER = r"(?:[0-9]{1,7} ?[|:│] ?)?"
_BODY = re.compile(
    rf"(?:{_GAP}{{0,40}}+{_GUTTER}[A-Z][A-Za-z-]{{2,20}}: [^\n⏎\\{WALL}]{{1,100}}){{0,8}}"
    rf"(?:{_GAP}{{0,40}}+{_GUTTER}[A-Za-z0-9+/]{{16,}}+={{0,2}})++"
    rf"(?:{_GAP}{{0,40}}+{_GUTTER}[A-Za-z0-9+/]{{1,15}}={{0,2}}(?=…|\Z))?"
)
"""What follows the first line while it is a key: headers, lines of base64, and the beginning of one at the text's end."""
_TAIL = re.compile(rf"(?:{_GUTTER}[A-Za-z0-9+/]{{1,200}}={{0,2}})?")
_LONGEST = 20_000
"""Characters of a key, at most."""
_KEY = re.compile(r"[A-Za-z0-9+/]{16}")
_ONLY = re.compile(rf"(?:{_GAP}|[A-Za-z0-9+/=])+")
"""What stands between first and last line when it is a key, and not code that looks for one."""
_TAIL_REACH = 4_000
_BREAK = re.compile(r"\\{1,8}n|\n|⏎")


def private_keys(text: str) -> Iterator[Span]:
    """The private keys in a text, each from its first line to its last or as far as it goes."""
    if "PRIVATE KEY" not in text:
        return
    begun: re.Match[str] | None = None
    before = 0
    for found in _ARMOUR.finditer(text):
        if found["side"] == "BEGIN":
            if begun is not None:
                yield from _cut(text, begun)
            begun = found
        elif begun is not None and _key(text, begun.end(), found.start()):
            yield Span(begun.start(), found.end(), "private key")
            begun = None
        else:
            begun, start = None, _tail(text, before, found.start())
            if start < found.start():
                yield Span(start, found.end(), "private key")
        before = found.end()
    if begun is not None:
        yield from _cut(text, begun)


def _key(text: str, start: int, end: int) -> bool:
    """Whether a key stands between its first and its last line."""
    return end - start <= _LONGEST and bool(_KEY.search(text, start, end) or _ONLY.fullmatch(text, start, end))


def _cut(text: str, begun: re.Match[str]) -> Iterator[Span]:
    """A key whose last line is missing; a first line alone is no key."""
    body = _BODY.match(text, begun.end())
    if body is not None:
        yield Span(begun.start(), body.end(), "private key")


def _tail(text: str, least: int, end: int) -> int:
    """Where the lines of base64 begin that lead to the last line of a key whose first is missing."""
    lowest = max(end - _TAIL_REACH, least)
    breaks = [found.span() for found in _BREAK.finditer(text, lowest, end)]
    kept = stop = end
    for at, after in reversed(breaks):
        if _TAIL.fullmatch(text[after:stop].strip(" \t\r\"'")) is None:
            return kept
        kept, stop = after, at
    whole = lowest == least and _TAIL.fullmatch(text[lowest:stop].strip(" \t\r\"'")) is not None
    return lowest if whole else kept

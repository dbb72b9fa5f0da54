"""Strings drawn at random that stand near a telling name: in a table, a list, a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator

from monitor.report.redaction.entropy import random
from monitor.report.redaction.spans import BESIDE, WALL, Span

_NEAR = 40
"""Characters between the name and the string, at most."""
_STRING = re.compile(rf"(?<![A-Za-z0-9+/_.={WALL}-])[A-Za-z0-9+/_-]{{20,}}+={{0,2}}+(?!{WALL})")
_BORDER = re.compile(rf"[\n⏎{WALL}]")
_NAME = re.compile(
    r"(?i:passw|passphrase|secret|credential|api.?key|access.?key|private.?key|auth.?key|\bkey\b|token\b|bearer)"
    r"|A[KS]IA[A-Z0-9]{12,}"
)
"""An access key's id tells too: its secret stands beside it."""


def near_names(text: str) -> Iterator[Span]:
    """The random strings with a telling name before them on their line."""
    if _NAME.search(text) is None:
        return
    for found in _STRING.finditer(text):
        start = found.start()
        head = _BORDER.split(text[max(start - _NEAR, 0) : start])[-1]
        if _NAME.search(head) is not None and random(found.group().rstrip("=")):
            yield Span(start, found.end(), "secret", BESIDE)


_ENCODED = re.compile(
    r"(?:^|⏎)[ \t]*+(?:[0-9]{1,7} ?[|:] ?)?[-+]?[ \t]{0,8}[\"']?(?P<body>[A-Za-z0-9+/]{60,76}={0,2})(?:\\n)?[\"']?,?[ \t\r]*+(?=$|⏎)",
    re.MULTILINE,
)


def encoded_lines(text: str) -> Iterator[Span]:
    """Lines that are base64 and nothing else, as of a key whose first line is not in the text."""
    for found in _ENCODED.finditer(text):
        if random(found["body"].rstrip("=")):
            yield Span(*found.span("body"), "base64 line", BESIDE)

"""Tells what was drawn at random from what a person wrote, and from names that are no secret."""

from __future__ import annotations

import re
from collections import Counter
from math import log2

LEAST = 16
"""Characters below which nothing is called random."""
_SAMPLE = 64
"""Characters looked at: enough to tell, and the cost of a long text is that of a short one."""
_DIGIT = re.compile(r"\d")
_LETTER = re.compile(r"[^\W\d_]")
_TURN = re.compile(r"(?<=[a-z])[A-Z0-9]|(?<=[A-Z])[0-9]|(?<=[0-9])[A-Za-z]|(?<=[A-Z][A-Z])[a-z]")
"""A change between small letters, capitals and digits that a word with a capital does not have."""
_PUBLIC = re.compile(
    r"(?:sha(?:1|224|256|384|512)[:=-])?(?:[0-9a-f]{4,128}|[0-9A-F]{4,128})"  # a hash, whole or short
    r"|sha(?:256|384|512)-[A-Za-z0-9+/=]{40,90}"  # subresource integrity, lock files
    r"|[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"  # a UUID
    r"|[0-9A-HJKMNP-TV-Z]{26}"  # a ULID
    r"|v?[0-9]+(?:[._][0-9]+)+(?:[-+._][A-Za-z0-9.+-]*)?"  # a version
    r"|[0-9]{4}-?[0-9]{2}-?[0-9]{2}[T_ -]?[0-9:.-]*Z?"  # a date or time
    r"|(?:toolu|srvtoolu|msg|call|req|resp|chatcmpl|cmpl|run|thread|evt|event|file|item|rs|fc|ses|session|step|task"
    r"|job|trace|span|agent|turn|prompt|batch|part)[_-][\w-]*"  # what agents and services number
)


def public(text: str) -> bool:
    """Whether the text is a hash, an id, a version or a time: random perhaps, and no secret."""
    return _PUBLIC.fullmatch(text) is not None


def bits(text: str) -> float:
    """Bits of information per character, by how often each occurs."""
    counts = Counter(text).values()
    return -sum(count / len(text) * log2(count / len(text)) for count in counts) if text else 0.0


def random(text: str) -> bool:
    """Whether the text looks drawn at random: many turns between letters and digits, hardly a character twice."""
    sample = text[:_SAMPLE]
    if len(text) < LEAST or _DIGIT.search(sample) is None or public(text[:256]):
        return False
    return len(_TURN.findall(sample)) >= len(sample) / 5 and bits(sample) >= 3.2


def mixed(text: str) -> bool:
    """Whether the text has letters and digits, as many passwords do and few words of a sentence."""
    part = text[:_SAMPLE]
    if len(part) < 6 or _DIGIT.search(part) is None or _LETTER.search(part) is None:
        return False
    return not public(text[:256])

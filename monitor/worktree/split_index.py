"""Puts together what git's index says where it is split: one file with most of it, another with what changed since."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

from monitor.worktree.budget import MeasureError
from monitor.worktree.gitindex import DAMAGED, Named

_WORD = 64
_RUN, _LITERALS = 1, 33
"""Where in a marker of a bitmap the length of its run begins, and how many words stand after it as they are."""
_LONGEST = (1 << 32) - 1


def shared_name(link: bytes, size: int) -> str:
    """The name of the file that holds most of the index; empty where none does. `size`: bytes of an id."""
    base = link[:size]
    return f"sharedindex.{base.hex()}" if base.strip(b"\0") else ""


def joined(shared: Sequence[Named], own: Sequence[Named], link: bytes) -> list[Named]:
    """All entries: of the shared ones some are gone and some replaced, in their order; the rest of our own is new.

    `link` is what the index says of the shared one after its id. Raises `MeasureError` where they do not fit.
    """
    try:
        gone, at = _bits(link, 0, len(shared))
        replaced, _ = _bits(link, at, len(shared))
        found = {number: entry for number, entry in enumerate(shared) if number not in gone}
        for entry, number in zip(own, replaced, strict=False):
            found[number] = entry._replace(path=entry.path or shared[number].path)
    except (struct.error, IndexError) as error:
        raise MeasureError(DAMAGED) from error
    if len(replaced) > len(own):
        raise MeasureError(DAMAGED)
    added = own[len(replaced) :]
    new = {entry.path for entry in added}
    return [*(entry for entry in found.values() if entry.path not in new), *added]


def _bits(data: bytes, at: int, most: int) -> tuple[dict[int, None], int]:
    """The places of the ones in a compressed bitmap (EWAH) in their order, and where it ends."""
    _, words = struct.unpack_from(">II", data, at)
    at += 8
    found = dict.fromkeys(one for one in _ones(struct.unpack_from(f">{words}Q", data, at), most) if one < most)
    return found, at + 8 * words + 4


def _ones(words: Sequence[int], most: int) -> Iterator[int]:
    at = bit = 0
    while at < len(words):
        marker = words[at]
        run = (marker >> _RUN & _LONGEST) * _WORD
        if marker & 1:
            yield from range(bit, min(bit + run, most))
        bit += run
        literals = marker >> _LITERALS
        for word in words[at + 1 : at + 1 + literals]:
            yield from (bit + place for place in range(_WORD) if word >> place & 1)
            bit += _WORD
        at += 1 + literals

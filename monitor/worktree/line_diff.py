"""Which lines differ between two contents: pure, and quick on any input."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

_CLOSE = 60_000
"""Pairs of lines, at most, that are compared one by one."""
_ROUNDS = 20
"""How often, on average, a line is looked at in search of those that stand once on either side."""
_BINARY = 8_000
"""Bytes at the beginning in which a zero byte makes contents binary, as git has it."""


class Block(NamedTuple):
    """Lines `old_from` to `old_to` of the old text stand as `new_from` to `new_to` in the new one; from 0, ends out."""

    old_from: int
    old_to: int
    new_from: int
    new_to: int


def is_binary(data: bytes) -> bool:
    """Whether contents are no text."""
    return b"\0" in data[:_BINARY]


def lines_of(data: bytes) -> list[bytes]:
    """The lines, each with its end; the last one may have none."""
    *whole, rest = data.split(b"\n")
    return [*(line + b"\n" for line in whole), *([rest] if rest else [])]


def counted(old: bytes, new: bytes) -> tuple[int | None, int | None]:
    """How many lines were added and removed; none for what is no text."""
    if is_binary(old) or is_binary(new):
        return None, None
    blocks = differing(lines_of(old), lines_of(new))
    return sum(one.new_to - one.new_from for one in blocks), sum(one.old_to - one.old_from for one in blocks)


def differing(old: Sequence[bytes], new: Sequence[bytes]) -> list[Block]:
    """The blocks that differ, in order; between two of them the texts are the same.

    Lines that stand once on either side are matched first, and what lies between them by itself; where no such line
    is left and much differs, it is replaced as a whole.
    """
    numbers: dict[bytes, int] = {}
    a, b = ([numbers.setdefault(line, len(numbers)) for line in side] for side in (old, new))
    found: list[Block] = []
    waiting = [Block(0, len(a), 0, len(b))]
    left = _ROUNDS * (len(a) + len(b))
    while waiting:
        block = _trimmed(a, b, waiting.pop())
        lines, others = block.old_to - block.old_from, block.new_to - block.new_from
        left -= lines + others
        if not lines or not others:
            found += [block] if lines or others else []
        elif anchors := _anchors(a, b, block) if left > 0 else []:
            waiting += _between(block, anchors)
        elif lines * others <= _CLOSE:
            found += _compared(a, b, block)
        else:
            found.append(block)
    return _joined(sorted(found))


def _trimmed(a: Sequence[int], b: Sequence[int], block: Block) -> Block:
    """Without the lines that are the same at the beginning and at the end."""
    a0, a1, b0, b1 = block
    while a0 < a1 and b0 < b1 and a[a0] == b[b0]:
        a0, b0 = a0 + 1, b0 + 1
    while a0 < a1 and b0 < b1 and a[a1 - 1] == b[b1 - 1]:
        a1, b1 = a1 - 1, b1 - 1
    return Block(a0, a1, b0, b1)


def _anchors(a: Sequence[int], b: Sequence[int], block: Block) -> list[tuple[int, int]]:
    """Pairs of places of lines that stand once on either side: as many as keep their order."""
    once = _once(a, block.old_from, block.old_to)
    other = _once(b, block.new_from, block.new_to)
    pairs = [(at, other[line]) for line, at in once.items() if line in other]
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for index, (_, at) in enumerate(pairs):
        place = bisect_left(tails, at)
        before.append(ends[place - 1] if place else -1)
        tails[place : place + 1] = [at]
        ends[place : place + 1] = [index]
    chain: list[tuple[int, int]] = []
    index = ends[-1] if ends else -1
    while index >= 0:
        chain.append(pairs[index])
        index = before[index]
    return chain[::-1]


def _once(side: Sequence[int], begin: int, end: int) -> dict[int, int]:
    """The place of each line that stands there once, in order."""
    counts = Counter(side[begin:end])
    return {side[at]: at for at in range(begin, end) if counts[side[at]] == 1}


def _between(block: Block, anchors: Sequence[tuple[int, int]]) -> list[Block]:
    places = [(block.old_from - 1, block.new_from - 1), *anchors, (block.old_to, block.new_to)]
    return [Block(one[0] + 1, two[0], one[1] + 1, two[1]) for one, two in pairwise(places)]


def _compared(a: Sequence[int], b: Sequence[int], block: Block) -> list[Block]:
    matcher = SequenceMatcher(None, a[block.old_from : block.old_to], b[block.new_from : block.new_to], autojunk=False)
    return [
        Block(block.old_from + i, block.old_from + j, block.new_from + k, block.new_from + m)
        for tag, i, j, k, m in matcher.get_opcodes()
        if tag != "equal"
    ]


def _joined(blocks: Sequence[Block]) -> list[Block]:
    """Blocks that touch are one."""
    found: list[Block] = []
    for block in blocks:
        if found and (found[-1].old_to, found[-1].new_to) == (block.old_from, block.new_from):
            found[-1] = Block(found[-1].old_from, block.old_to, found[-1].new_from, block.new_to)
        else:
            found.append(block)
    return found

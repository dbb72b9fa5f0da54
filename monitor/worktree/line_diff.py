"""Which lines differ between two contents: git's own comparison, which here reads no repository and no file."""

from __future__ import annotations

from typing import NamedTuple

_MOST = 50_000
"""Lines of both sides that are compared one by one; of more, what differs is one block: it would take seconds."""
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
    blocks = differing(old, new)
    return sum(one.new_to - one.new_from for one in blocks), sum(one.old_to - one.old_from for one in blocks)


def differing(old: bytes, new: bytes) -> list[Block]:
    """The blocks of lines that differ, in order; between two of them the texts are the same."""
    if old == new:
        return []
    if old.count(b"\n") + new.count(b"\n") > _MOST:
        return [_trimmed(lines_of(old), lines_of(new))]
    from pygit2 import Patch
    from pygit2.enums import DiffOption

    how = DiffOption.PATIENCE | DiffOption.INDENT_HEURISTIC | DiffOption.FORCE_TEXT
    patch = Patch.create_from(old, new, flag=how, context_lines=0, interhunk_lines=0)
    return [_block(hunk.old_start, hunk.old_lines, hunk.new_start, hunk.new_lines) for hunk in patch.hunks]


def _block(old_start: int, old_lines: int, new_start: int, new_lines: int) -> Block:
    """A hunk's ranges, which count from 1: an empty one stands behind the line before it."""
    old_from, new_from = old_start - bool(old_lines), new_start - bool(new_lines)
    return Block(old_from, old_from + old_lines, new_from, new_from + new_lines)


def _trimmed(a: list[bytes], b: list[bytes]) -> Block:
    """All but the lines that are the same at the beginning and at the end."""
    begin, most = 0, min(len(a), len(b))
    while begin < most and a[begin] == b[begin]:
        begin += 1
    end = 0
    while end < most - begin and a[-end - 1] == b[-end - 1]:
        end += 1
    return Block(begin, len(a) - end, begin, len(b) - end)

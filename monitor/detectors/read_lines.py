"""What the run itself read of its files: the closest lines of a finished log come from here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from monitor.worktree.closest import lines_of

_FILE = 200_000
"""Characters kept of a file."""
_ALL = 2_000_000
"""Characters kept in all."""
_BLOCK = 200
"""What a block costs beside its text, in characters."""
_HEADER = 8
"""Lines that may stand before the first numbered one."""
_NUMBERED = re.compile(r" {0,10}(\d{1,7})(\t|→)")
_WRAPPED = re.compile(r" {0,10}(\d{1,7})(\t|→|\| ?|: ?)")
"""Within tags, or a window on a file, other separators are line numbers too; elsewhere they may be the file's own text."""


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that follow one another."""

    first: int
    """The number of the first, from 1."""
    text: str
    count: int
    whole: bool = False
    """Not numbered, but read from the file's top."""

    @property
    def end(self) -> int:
        """The number after the last line's."""
        return self.first + self.count


class ReadLines:
    """The last text read of each file, dropped when the file is written."""

    def __init__(self) -> None:
        self._blocks: dict[str, tuple[Block, ...]] = {}
        self._size = 0

    def keep(self, key: str, output: str, *, from_top: bool) -> None:
        """Remember what a read call printed; text without line numbers only where it begins at the top."""
        block = block_of(output, from_top=from_top)
        if block is None:
            return
        old = self._blocks.pop(key, ())
        apart = [one for one in old if one.end <= block.first or block.end <= one.first]
        kept, size = [block], _size((block,))
        for one in reversed(() if block.whole else apart):
            more = _size((one,))
            if size + more <= _FILE:
                kept.append(one)
                size += more
        self._size += size - _size(old)
        self._blocks[key] = tuple(reversed(kept))
        while self._size > _ALL:
            self.drop(next(iter(self._blocks)))

    def drop(self, key: str) -> None:
        """Forget a file: it is another now."""
        self._size -= _size(self._blocks.pop(key, ()))

    def lines(self, key: str) -> tuple[list[str], list[int]] | None:
        """The lines known of a file and their numbers, in the file's order; none when it was not read."""
        blocks = self._blocks.get(key)
        if blocks is None:
            return None
        lines: list[str] = []
        numbers: list[int] = []
        for block in sorted(blocks, key=lambda one: one.first):
            lines += block.text.split("\n")
            numbers += range(block.first, block.end)
        return lines, numbers

    def copy(self) -> ReadLines:
        """Another that goes on from here."""
        other = ReadLines()
        other._blocks, other._size = dict(self._blocks), self._size
        return other


def block_of(output: str, *, from_top: bool) -> Block | None:
    """The file's lines in what a read printed, without line numbers and what stands around them."""
    text = output[:_FILE]
    lines = lines_of(text)
    if len(output) > _FILE:
        lines = lines[:-1]
    numbered = list(_numbered(lines))
    if numbered and 2 * len(numbered) >= len(lines) - _HEADER:
        return Block(numbered[0][0], "\n".join(line for _, line in numbered), len(numbered))
    return Block(1, "\n".join(lines), len(lines), whole=True) if from_top and lines else None


def _numbered(lines: list[str]) -> Iterator[tuple[int, str]]:
    """The first run of lines that are numbered one by one."""
    pattern = _WRAPPED if lines and lines[0].startswith(("<", "[File: ")) else _NUMBERED
    begun = None
    for at, line in enumerate(lines):
        found = pattern.match(line)
        if found is None or (begun is not None and int(found[1]) != begun + 1):
            if begun is not None or at >= _HEADER:
                return
            continue
        begun = int(found[1])
        yield begun, line[found.end() :]


def _size(blocks: Iterable[Block]) -> int:
    return sum(len(block.text) + _BLOCK for block in blocks)

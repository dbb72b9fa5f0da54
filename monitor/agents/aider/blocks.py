"""The SEARCH/REPLACE blocks of a reply, or of a notice that quotes one."""

from __future__ import annotations

import re
from dataclasses import dataclass

_SEARCH = re.compile(r"<{5,9} (?:SEARCH|ORIGINAL)\s*")
_DIVIDER = re.compile(r"={5,9}\s*")
_REPLACE = re.compile(r">{5,9} (?:REPLACE|UPDATED)\s*")
_FENCE = re.compile(r"\s*(?:`{3,}|~{3,}|</?(?:source|code|pre|codename|sourcecode)>)")
_DECORATION = " \t*`#:\"'"
_MOST = 20_000
"""Lines of a block; a longer one is given up."""
_LOOKED = 3
"""Lines before a block among which the file's name is looked for."""


@dataclass(frozen=True, slots=True)
class Block:
    """One change, as the model wrote it."""

    file: str
    old: str
    new: str
    line: int
    """The line it begins at, its file's name included."""
    offset: int

    @property
    def key(self) -> tuple[str, ...]:
        """The old text, however its lines are indented."""
        return tuple(line.strip() for line in self.old.split("\n") if line.strip())


class Blocks:
    """Reads blocks out of lines as they come."""

    def __init__(self) -> None:
        self._before: tuple[tuple[str, int, int], ...] = ()
        """The lines right before, each with its number and its offset."""
        self._file = ""
        self._part = ""
        """Which part of a block is being read; empty outside of one."""
        self._old: list[str] = []
        self._new: list[str] = []
        self._start = (0, 0)

    @property
    def inside(self) -> bool:
        """Whether the next line is a part of a block."""
        return self._part != ""

    def feed(self, line: str, number: int, offset: int) -> Block | None:
        """The block that ends with this line."""
        if not self._part:
            if _SEARCH.fullmatch(line):
                self._begin(number, offset)
            else:
                self._before = (*self._before, (line, number, offset))[-_LOOKED:]
        elif self._part == "old" and _DIVIDER.fullmatch(line):
            self._part = "new"
        elif _REPLACE.fullmatch(line):
            self._part, self._before = "", ()
            return Block(self._file, "\n".join(self._old), "\n".join(self._new), *self._start)
        else:
            (self._old if self._part == "old" else self._new).append(line)
            if len(self._old) + len(self._new) > _MOST:
                self.reset()
        return None

    def unclosed(self) -> Block | None:
        """The block that is being read, as far as it goes."""
        if not self._part:
            return None
        return Block(self._file, "\n".join(self._old), "\n".join(self._new), *self._start)

    def reset(self) -> None:
        """A block that was begun is given up; the next names its file anew."""
        self._before, self._part, self._file, self._old, self._new = (), "", "", [], []

    def copy(self) -> Blocks:
        """Another that goes on from here."""
        other = Blocks()
        other.__dict__.update(self.__dict__)
        other._old, other._new = list(self._old), list(self._new)
        return other

    def _begin(self, number: int, offset: int) -> None:
        """A block begins; its file is named right before it, or was before an earlier one."""
        self._part, self._old, self._new, self._start = "old", [], [], (number, offset)
        for line, at, place in reversed(self._before):
            if _FENCE.match(line) or not line.strip():
                continue
            self._file, self._start = line.strip(_DECORATION), (at, place)
            return

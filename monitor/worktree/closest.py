"""The lines of a file that resemble a text somebody looked for in vain. Pure, and total on any text."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Sequence

from monitor.events import CloseLine
from monitor.worktree.characters import cut
from monitor.worktree.words import Vocabulary

LINES = 5
"""Lines shown for a guess of one line."""
BLOCK = 30
"""Lines of a guess of several that are matched as a block."""
WORDS = 32
"""Words of a guess that count; of each line, where there are several."""
WIDTH = 200
"""Characters shown of a line."""
_TIES = 2_000
"""Places that score alike, of which the best is looked for."""
_WORK = 3_000_000
"""Pairs of lines compared at most, those of the rarest words first."""


def lines_of(text: str) -> list[str]:
    """The lines as an editor counts them: ended by a newline, with or without a carriage return before it."""
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return [line.removesuffix("\r") for line in lines] if "\r" in text else lines


def closest(lines: Sequence[str], guess: str, numbers: Sequence[int] | None = None) -> tuple[CloseLine, ...]:
    """The lines that resemble the guess, in the file's order; none when no word of it is there.

    A guess of one line finds up to five lines that share the most words with it: whole words, or parts of an
    identifier (`name` finds `app_name`). A guess of several finds the one block of as many lines that
    resembles it best. `numbers` are the lines' own where they are not 1, 2, 3.
    """
    numbers = range(1, len(lines) + 1) if numbers is None else numbers
    wanted = _trimmed(guess)
    chosen = _block(lines, wanted[:BLOCK], numbers) if len(wanted) > 1 else _single(lines, "".join(wanted))
    return tuple(CloseLine(numbers[at], *cut(lines[at], WIDTH)) for at in chosen)


def _trimmed(guess: str) -> list[str]:
    """The guess's lines without empty ones around them."""
    wanted = lines_of(guess)
    while wanted and not wanted[-1].strip():
        wanted.pop()
    while wanted and not wanted[0].strip():
        wanted.pop(0)
    return wanted


def _single(lines: Sequence[str], wanted: str) -> Sequence[int]:
    vocabulary = Vocabulary((wanted,), WORDS)
    wholes = vocabulary.wholes
    scored: list[tuple[int, int, int]] = []
    for at, line in enumerate(lines):
        marks = vocabulary.marks(line)
        if marks:
            whole = (marks & wholes).bit_count()
            scored.append((whole, marks.bit_count() - whole, -at))
    return sorted(-at for *_, at in heapq.nlargest(LINES, scored))


def _block(lines: Sequence[str], wanted: Sequence[str], numbers: Sequence[int]) -> Sequence[int]:
    """The place where the block scores best; a line counts by the words it shares, and more when it is equal.

    Of places that score alike, the one with the most lines equal to the guess's, empty ones too.
    """
    scores = _scores(lines, wanted)
    length = len(wanted)
    best, where, ties = (0, 0), None, 0
    for shifted, score in enumerate(scores):
        if not score or score < best[0] or (score == best[0] and ties == _TIES):
            continue
        first = shifted - length + 1
        begin, end = max(first, 0), min(first + length, len(lines))
        if numbers[end - 1] - numbers[begin] != end - 1 - begin:
            continue
        ties = ties + 1 if score == best[0] else 0
        equal = sum(lines[at] == wanted[at - first] for at in range(begin, end))
        if (score, equal) > best:
            best, where = (score, equal), range(begin, end)
    return where if where is not None else ()


def _scores(lines: Sequence[str], wanted: Sequence[str]) -> list[int]:
    """The score of each place the block may begin at; the first is where only its last line lies in the file."""
    last = len(wanted) - 1
    scores = [0] * (len(lines) + last)
    work = 0
    pairs = sorted(_pairs(lines, wanted), key=lambda pair: len(pair[2]))
    for index, value, places in pairs:
        work += len(places)
        if work > _WORK:
            break
        shift = last - index
        for at in places:
            scores[at + shift] += value
    return scores


def _pairs(lines: Sequence[str], wanted: Sequence[str]) -> list[tuple[int, int, list[int]]]:
    """Line of the guess, what it is worth, and the lines of the file it resembles that much."""
    vocabulary = Vocabulary(wanted, WORDS)
    wholes = vocabulary.wholes
    asked = [vocabulary.marks(line, WORDS) for line in wanted]
    stripped = {line.strip() for line in wanted}
    alike: defaultdict[int, list[int]] = defaultdict(list)
    equal: defaultdict[str, list[int]] = defaultdict(list)
    for at, line in enumerate(lines):
        marks = vocabulary.marks(line)
        if marks:
            alike[marks].append(at)
        if (bare := line.strip()) and bare in stripped:
            equal[bare].append(at)
    pairs = [(index, 4, equal[line.strip()]) for index, line in enumerate(wanted) if line.strip() in equal]
    for index, ask in enumerate(asked):
        for marks, places in alike.items():
            if shared := marks & ask:
                whole = (shared & wholes).bit_count()
                pairs.append((index, 3 * whole + shared.bit_count(), places))
    return pairs

"""A file's differences as lines to be shown: pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from monitor.text import clean, plural, shorten
from monitor.worktree.line_diff import Block, differing, is_binary, lines_of

CONTEXT = 3
"""Lines shown around a difference."""
LINES = 2_000
"""Lines shown of one file."""
_LONGEST = 1_000
"""Characters shown of one line."""
_NO_END = "\\ No newline at end of file"
_PLAIN = b"100644"
_KINDS = {_PLAIN: "a file", b"100755": "a program", b"120000": "a link"}
_OTHER = "of another kind"

What = Literal["created", "deleted", "modified", "moved", "mode", "same", "unknown"]


@dataclass(frozen=True, slots=True)
class Content:
    """A file at one moment."""

    data: bytes | None
    """None where it is not known."""
    mode: bytes = b""
    """As git writes it; empty where there is no file."""
    why: str = ""
    """Why the bytes are not known."""
    there: bool | None = True
    """Whether there is a file; none when that is not known."""


NOTHING = Content(b"", there=False)


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line of a diff."""

    sign: Literal[" ", "+", "-", "\\"]
    text: str
    """Clean, without its end."""
    old: int | None = None
    """Its number in the old file, from 1."""
    new: int | None = None


@dataclass(frozen=True, slots=True)
class Hunk:
    """Differences that lie close together, with the lines around them."""

    old_start: int
    old_count: int
    new_start: int
    new_count: int
    lines: tuple[DiffLine, ...]

    @property
    def header(self) -> str:
        """As a unified diff writes it."""
        return f"@@ -{_range(self.old_start, self.old_count)} +{_range(self.new_start, self.new_count)} @@"


@dataclass(frozen=True, slots=True)
class DiffText:
    """What differs in one file."""

    file: str
    what: What
    hunks: tuple[Hunk, ...] = ()
    added: int | None = None
    """Lines; none where they cannot be counted."""
    removed: int | None = None
    left_out: int = 0
    """Lines of the diff that are not shown."""
    note: str = ""
    """What lines cannot say: another mode, bytes that are no text, why nothing is shown."""
    was: str = ""
    """Where it lay before it moved."""
    where: str = ""
    """What git makes of it, where that is worth a word: untracked, or part of a repository within."""


def diff_of(file: str, old: Content, new: Content, *, most: int = LINES) -> DiffText:
    """What differs between a file at two moments."""
    file = clean(file)
    what = _what(old, new)
    for content, which in ((old, "before"), (new, "now")):
        if content.data is None or content.there is None:
            return DiffText(file, what, note=f"what it held {which} is not known: {clean(content.why)}")
    assert old.data is not None
    assert new.data is not None
    note = _mode_note(old, new)
    if is_binary(old.data) or is_binary(new.data):
        return DiffText(file, what, note="; ".join(filter(None, (note, _sizes(old, new) if what != "mode" else ""))))
    before, after = lines_of(old.data), lines_of(new.data)
    blocks = differing(old.data, new.data)
    hunks, left_out = _cut([_hunk(before, after, group) for group in _grouped(blocks)], most)
    return DiffText(
        file, what, hunks, sum(one.new_to - one.new_from for one in blocks),
        sum(one.old_to - one.old_from for one in blocks), left_out, note,
    )  # fmt: skip


def unified(diff: DiffText) -> Iterator[str]:
    """The lines of a unified diff."""
    yield f"--- {'/dev/null' if diff.what == 'created' else 'a/' + (diff.was or diff.file)}"
    yield f"+++ {'/dev/null' if diff.what == 'deleted' else 'b/' + diff.file}"
    if diff.note:
        yield f"# {diff.note}"
    for hunk in diff.hunks:
        yield hunk.header
        yield from (line.text if line.sign == "\\" else line.sign + line.text for line in hunk.lines)
    if diff.left_out:
        yield f"# {plural(diff.left_out, 'more line')} not shown"


def _what(old: Content, new: Content) -> What:
    if None in (old.there, new.there):
        return "unknown"
    if not (old.there and new.there):
        return "same" if old.there == new.there else "created" if new.there else "deleted"
    if None not in (old.data, new.data) and old.data == new.data:
        return "same" if old.mode == new.mode else "mode"
    return "modified"


def _sizes(old: Content, new: Content) -> str:
    """How much there is of what is no text."""
    before, now = (len(one.data or b"") for one in (old, new))
    if old.there and new.there:
        return f"no text: {plural(before, 'byte')} before, {now:,} now"
    return f"no text: {plural(now if new.there else before, 'byte')}"


def _mode_note(old: Content, new: Content) -> str:
    if old.there and new.there:
        return (
            "" if old.mode == new.mode else f"{_KINDS.get(old.mode, _OTHER)} before, {_KINDS.get(new.mode, _OTHER)} now"
        )
    mode = new.mode or old.mode
    return "" if mode in (b"", _PLAIN) else _KINDS.get(mode, _OTHER)


def _grouped(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """Blocks so near to each other that the lines around them touch."""
    group: list[Block] = []
    for block in blocks:
        if group and block.old_from - group[-1].old_to > 2 * CONTEXT:
            yield group
            group = []
        group.append(block)
    if group:
        yield group


def _hunk(before: Sequence[bytes], after: Sequence[bytes], group: Sequence[Block]) -> Hunk:
    lead = min(CONTEXT, group[0].old_from)
    old_from, new_from = group[0].old_from - lead, group[0].new_from - lead
    tail = min(CONTEXT, len(before) - group[-1].old_to)
    old_to, new_to = group[-1].old_to + tail, group[-1].new_to + tail
    lines: list[DiffLine] = []
    old, new = old_from, new_from
    for block in (*group, Block(old_to, old_to, new_to, new_to)):
        for at in range(old, block.old_from):
            lines += _line(" ", before[at], at + 1, new + at - old + 1)
        for at in range(block.old_from, block.old_to):
            lines += _line("-", before[at], at + 1, None)
        for at in range(block.new_from, block.new_to):
            lines += _line("+", after[at], None, at + 1)
        old, new = block.old_to, block.new_to
    return Hunk(old_from + 1, old_to - old_from, new_from + 1, new_to - new_from, tuple(lines))


def _line(sign: Literal[" ", "+", "-"], data: bytes, old: int | None, new: int | None) -> Iterator[DiffLine]:
    text = data.removesuffix(b"\n").decode("utf-8", "replace")
    yield DiffLine(sign, shorten(clean(text), _LONGEST), old, new)
    if not data.endswith(b"\n"):
        yield DiffLine("\\", _NO_END)


def _cut(hunks: Sequence[Hunk], most: int) -> tuple[tuple[Hunk, ...], int]:
    """The first lines of a diff, and how many more there are."""
    kept: list[Hunk] = []
    left = most
    for hunk in hunks:
        if left > 0:
            kept.append(replace(hunk, lines=hunk.lines[:left]))
        left -= len(hunk.lines)
    return tuple(kept), max(-left, 0)


def _range(start: int, count: int) -> str:
    """As a unified diff counts: an empty range stands behind the line before it."""
    return f"{start - 1},0" if not count else str(start) if count == 1 else f"{start},{count}"

"""Git's ignore rules, read as git reads them, for where git is not at hand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from monitor.worktree.wildmatch import compile_pattern


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of a file of ignore rules."""

    pattern: re.Pattern[bytes]
    negated: bool
    """It brings back what an earlier rule hid."""
    folders_only: bool
    whole: bool
    """It speaks of the path from the rules' folder on; else of the last part of the name alone."""


@dataclass(frozen=True, slots=True)
class Rules:
    """A file of ignore rules and the folder it speaks of."""

    folder: bytes
    """Relative to the top, ending with a slash; empty for the top itself."""
    rules: tuple[Rule, ...]


def parse_rules(data: bytes, folder: bytes = b"", *, ignore_case: bool = False) -> Rules:
    """The rules of a file, in its order; `wildmatch.PatternError` where a pattern could take for ever."""
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    return Rules(folder, tuple(rule for line in lines if (rule := _rule(line.removesuffix(b"\r"), ignore_case))))


def _rule(line: bytes, ignore_case: bool) -> Rule | None:
    if line.startswith(b"#"):
        return None
    line = _without_blanks(line)
    negated = line.startswith(b"!")
    pattern = line[negated:]
    folders_only = pattern.endswith(b"/")
    pattern = pattern.removesuffix(b"/")
    if not pattern:
        return None
    if b"/" not in pattern:
        return Rule(compile_pattern(pattern, ignore_case=ignore_case), negated, folders_only, whole=False)
    pattern = pattern.removeprefix(b"/")
    # Git compares what stands before the first special sign by itself, so that a `**` after it counts as leading.
    literal = re.split(rb"[*?\[\\]", pattern, maxsplit=1)[0]
    rest = compile_pattern(pattern[len(literal) :], literal=literal, ignore_case=ignore_case)
    return Rule(rest, negated, folders_only, whole=True)


def _without_blanks(line: bytes) -> bytes:
    """The line without blanks at its end; an escaped one stays."""
    kept = line.rstrip(b" ")
    escapes = len(kept) - len(kept.rstrip(b"\\"))
    return kept + b" " if escapes % 2 and len(kept) < len(line) else kept


def ignored(path: bytes, folder: bool, files: Sequence[Rules]) -> bool:
    """Whether rules hide a path; the rules nearest to it stand last and win, and in a file the last that matches."""
    for rules in reversed(files):
        within = path.removeprefix(rules.folder)
        for rule in reversed(rules.rules):
            if rule.folders_only and not folder:
                continue
            if rule.pattern.fullmatch(within if rule.whole else within.rpartition(b"/")[2]):
                return not rule.negated
    return False

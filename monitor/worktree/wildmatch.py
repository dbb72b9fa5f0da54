"""Git's path patterns as regular expressions over bytes."""

from __future__ import annotations

import re
import string

_CLASSES = {
    "alnum": string.ascii_letters + string.digits, "alpha": string.ascii_letters, "blank": " \t",
    "cntrl": "".join(map(chr, (*range(32), 127))), "digit": string.digits,
    "graph": string.ascii_letters + string.digits + string.punctuation, "lower": string.ascii_lowercase,
    "print": string.ascii_letters + string.digits + string.punctuation + " ", "punct": string.punctuation,
    "space": " \t\n\v\f\r", "upper": string.ascii_uppercase, "xdigit": string.hexdigits,
}  # fmt: skip
_RUNS = re.compile(rb"(?:\A|(?<=/))\*{2,}(?=/|\Z|\\/)")
_DEEP = 4
"""Parts `**` in one pattern: each multiplies the work on a path that does not match."""


class PatternError(ValueError):
    """A pattern that could take for ever."""


class _BrokenError(ValueError):
    """A pattern that matches nothing."""


def compile_pattern(pattern: bytes, *, literal: bytes = b"", ignore_case: bool = False) -> re.Pattern[bytes]:
    """The expression whose `fullmatch` is git's match of a whole path; a broken pattern matches nothing.

    A `*` stops at a slash; `**` as a whole part of the path does not. `literal` stands before the pattern.
    """
    if len(_RUNS.findall(pattern)) > _DEEP:
        raise PatternError(f"a pattern with more than {_DEEP} `**`")
    try:
        translated = re.escape(literal) + b"".join(_parts(pattern, ignore_case))
    except _BrokenError:
        translated = rb"(?!)"
    return re.compile(translated, re.DOTALL | (re.IGNORECASE if ignore_case else 0))


def _parts(pattern: bytes, ignore_case: bool) -> list[bytes]:
    """The expression of each part between slashes, the slashes between them included."""
    found: list[bytes] = []
    at = 0
    while True:
        run = _RUNS.match(pattern, at)
        part, at = (rb".*", run.end()) if run else _part(pattern, at, ignore_case)
        if at >= len(pattern):
            return [*found, part]
        escaped = pattern[at : at + 1] == b"\\"
        at += len(b"\\/") if escaped else len(b"/")
        # Before an escaped slash git does not try to let `**` stand for nothing.
        found.append(rb"(?:.*/)?" if run and not escaped else part + rb"/")


def _part(pattern: bytes, at: int, ignore_case: bool) -> tuple[bytes, int]:
    """One part up to its slash.

    What stands between two stars is found at its first place and never tried again: the star after it can
    make up for any later place. So no pattern takes more than the square of the length.
    """
    fixed = [b""]
    while at < len(pattern) and not pattern.startswith((b"/", b"\\/"), at):
        sign = pattern[at : at + 1]
        if sign == b"*":
            fixed.append(b"")
            at += 1
            continue
        if sign == b"[":
            piece, at = _bracket(pattern, at + 1, ignore_case)
        elif sign == b"?":
            piece, at = rb"[^/]", at + 1
        else:
            at += sign == b"\\"
            piece, at = re.escape(_sign(pattern, at)), at + 1
        fixed[-1] += piece
    if len(fixed) == 1:
        return fixed[0], at
    first, *between, last = fixed
    return first + b"".join(rb"(?>[^/]*?" + piece + rb")" for piece in between if piece) + rb"[^/]*" + last, at


def _sign(pattern: bytes, at: int) -> bytes:
    if at >= len(pattern):
        raise _BrokenError
    return pattern[at : at + 1]


def _bracket(pattern: bytes, at: int, ignore_case: bool) -> tuple[bytes, int]:
    """The set of bytes that begins at `at`, and where the pattern goes on; never a slash."""
    negated = pattern[at : at + 1] in (b"!", b"^") and at < len(pattern)
    at += negated
    members: set[int] = set()
    before: int | None = None
    first = True
    while first or _sign(pattern, at) != b"]":
        first = False
        name = re.compile(rb"\[:([^\]]*):\]").match(pattern, at)
        if name:
            members |= _class(name.group(1))
            before, at = None, name.end()
        elif before is not None and _sign(pattern, at) == b"-" and pattern[at + 1 : at + 2] not in (b"", b"]"):
            end, at = _member(pattern, at + 1)
            members |= set(range(before, end + 1))
            before = None
        else:
            before, at = _member(pattern, at)
            members.add(before)
    if ignore_case:
        members.update(bytes(members).swapcase())
    chosen = (set(range(256)) - members if negated else members) - {ord("/")}
    return (b"[" + b"".join(b"\\x%02x" % code for code in sorted(chosen)) + b"]" if chosen else rb"(?!)"), at + 1


def _member(pattern: bytes, at: int) -> tuple[int, int]:
    at += _sign(pattern, at) == b"\\"
    return _sign(pattern, at)[0], at + 1


def _class(name: bytes) -> set[int]:
    members = _CLASSES.get(name.decode("latin-1"))
    if members is None:
        raise _BrokenError
    return set(members.encode())

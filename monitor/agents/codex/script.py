"""Reads the JavaScript of Codex's code mode as far as it must: which patches it hands to `apply_patch`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from monitor.agents.apply_patch import changes_of
from monitor.events import Change

_PATCHES = "tools.apply_patch"
_BEGIN, _END = "*** Begin Patch", "*** End Patch"
_MOST = 50
"""Patches of one script that are looked into."""
_ESCAPE = re.compile(r"\\(u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r?\n|.)", re.DOTALL)
_SIGNS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_PIECED = re.compile(r"\s*\+")
"""The literal is one piece of a longer text."""


def patched(script: str) -> tuple[Change, ...]:
    """The changes a script asks for; one without a file where it makes up its patches as it runs."""
    if _PATCHES not in script:
        return ()
    found = tuple(change for patch, cut in _patches(script) for change in _changes(patch, cut=cut))
    return found or (Change("", cut=True),)


def _changes(patch: str, *, cut: bool) -> Iterator[Change]:
    for change in changes_of(patch):
        yield change if not cut else Change(change.file, change.op, change.old, change.new, to=change.to, cut=True)


def _patches(script: str) -> Iterator[tuple[str, bool]]:
    """The text literals that hold a patch, and whether a part of it stands elsewhere or is put in at run time."""
    end = 0
    for _ in range(_MOST):
        begin = script.find(_BEGIN, end)
        if begin < 0:
            return
        opening = _opening(script, begin, end)
        quote = script[opening] if opening is not None else ""
        close = _closing(script, begin, quote)
        literal = script[begin:close]
        pieced = _PIECED.match(script, close + 1) is not None or (quote == "`" and "${" in literal.replace(r"\${", ""))
        yield _unescaped(literal) if quote else literal, pieced or _END not in literal
        end = max(close, begin + len(_BEGIN))


def _opening(script: str, begin: int, least: int) -> int | None:
    """Where the quote stands that the patch follows."""
    before = begin - 1
    while before >= least and script[before] in " \n\t\\nr":
        before -= 1
    return before if before >= least and script[before] in "`\"'" else None


def _closing(script: str, begin: int, quote: str) -> int:
    """Where the literal ends; without a quote, where the patch does."""
    if not quote:
        end = script.find(_END, begin)
        return end + len(_END) if end >= 0 else len(script)
    at = begin
    while at < len(script) and script[at] != quote:
        at += 2 if script[at] == "\\" else 1
    return min(at, len(script))


def _unescaped(literal: str) -> str:
    if "\\" not in literal:
        return literal
    # JavaScript writes what lies beyond the first plane as two escapes, which make one sign only together.
    return _ESCAPE.sub(_sign, literal).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _sign(found: re.Match[str]) -> str:
    told = found[1]
    if told[0] in "ux" and len(told) > 1:
        number = int(told[1:].strip("{}"), 16)
        return chr(number) if number < 0x110000 else told
    return "" if told in ("\n", "\r\n") else _SIGNS.get(told, told)

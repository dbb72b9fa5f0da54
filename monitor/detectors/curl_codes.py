"""The bare status codes that `curl -w` was asked to print."""

from __future__ import annotations

import re

from monitor.shell.commands import Simple

_OPTION = re.compile(r"-[a-zA-Z]*w|--write-out")
_CODE = re.compile(r"%\{(?:http_code|response_code)\}")
_BESIDE = re.compile(r"%\{\w+\}|\$\{?\w+\}?|\\[rt]")
"""What stands for something else: curl's variables, the shell's, escapes."""


def printed(simple: Simple) -> list[re.Pattern[str]]:
    """Patterns for the lines in which a curl command prints the code, as their first group."""
    if simple.program != "curl":
        return []
    formats = [after for word, after in zip(simple.words, simple.words[1:], strict=False) if _OPTION.fullmatch(word)]
    formats += [word.partition("=")[2] for word in simple.words if word.startswith("--write-out=")]
    formats += [word[2:] for word in simple.words if word.startswith("-w%")]
    return [_pattern(piece) for text in formats for piece in re.split(r"\\n|\n", text) if _CODE.search(piece)]


def _pattern(piece: str) -> re.Pattern[str]:
    """One line of a format; only the words beside the code must match, so that no line takes long to look at."""
    before, after = _CODE.split(piece, maxsplit=1)
    left, right = _BESIDE.split(before)[-1], _BESIDE.split(after)[0]
    start = re.escape(left) if left else r"(?:^|\D)(?:\d{3})*" if not before and not after else r"(?<!\d)"
    end = re.escape(right) if right else r"(?!\d)" if after else r"\s*$"
    return re.compile(f"{start}([0-5]\\d\\d){end}")

"""Heredocs, as bash ends them."""

from __future__ import annotations

import re

_OPERATOR = re.compile(r"(?<![<\d])<<(?!<)(-?)[ \t]*(?:'([^'\n]+)'|\"([^\"\n]+)\"|\\?([\w.-]+))")


def without_heredocs(text: str) -> str:
    """The text without its heredocs' operators and bodies.

    The grammar takes an indented or trailing delimiter for an end, and fails on two heredocs in one line. An
    operator whose end never comes stays: it may be within quotes, and where it is not the grammar finds it.
    """
    if "<<" not in text:
        return text
    lines = text.split("\n")
    last = {line: at for at, line in enumerate(lines)}
    last_indented = {line.lstrip("\t"): at for at, line in enumerate(lines)}
    kept: list[str] = []
    at = 0
    while at < len(lines):
        line, at = lines[at], at + 1
        for found in _OPERATOR.finditer(line):
            word = found[2] or found[3] or found[4]
            if (last_indented if found[1] else last).get(word, -1) < at:
                break
            while (lines[at].lstrip("\t") if found[1] else lines[at]) != word:
                at += 1
            at, line = at + 1, line.replace(found[0], " ", 1)
        kept.append(line)
    return "\n".join(kept)

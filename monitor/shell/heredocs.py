"""Heredocs, as bash ends them."""

from __future__ import annotations

import re

_OPERATOR = re.compile(r"(?<![<\d])<<(?!<)(-?)[ \t]*(?:'([^'\n]+)'|\"([^\"\n]+)\"|\\?([\w.-]+))")


def without_heredocs(text: str) -> str:
    """The text without its heredocs' operators and bodies."""
    return split_heredocs(text)[0]


def split_heredocs(text: str, mark: str = " ") -> tuple[str, tuple[str, ...]]:
    """The text with `mark` for each heredoc's operator and without its body, and the bodies in their order.

    A `{}` in the mark becomes the number of the body. The grammar takes an indented or trailing delimiter for an
    end, and fails on two heredocs in one line. An operator whose end never comes stays: it may be within quotes,
    and where it is not the grammar finds it.
    """
    if "<<" not in text:
        return text, ()
    lines = text.split("\n")
    last = {line: at for at, line in enumerate(lines)}
    last_indented = {line.lstrip("\t"): at for at, line in enumerate(lines)}
    kept: list[str] = []
    bodies: list[str] = []
    at = 0
    while at < len(lines):
        line, at = lines[at], at + 1
        for found in _OPERATOR.finditer(line):
            word = found[2] or found[3] or found[4]
            if (last_indented if found[1] else last).get(word, -1) < at:
                break
            begin = at
            while (lines[at].lstrip("\t") if found[1] else lines[at]) != word:
                at += 1
            body = lines[begin:at]
            line = line.replace(found[0], mark.replace("{}", str(len(bodies))), 1)
            bodies.append("\n".join(one.lstrip("\t") for one in body) if found[1] else "\n".join(body))
            at += 1
        kept.append(line)
    return "\n".join(kept), tuple(bodies)

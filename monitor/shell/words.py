"""Words of a shell text, as the shell reads them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_LONGEST = 65_536
"""Characters of a command that are parsed; a longer one cannot be told."""
_DENSEST = 500
"""Special signs outside heredocs that are parsed: beyond them the parser may take seconds (measured, tree-sitter-bash
0.25.1)."""
_SPECIAL = re.compile(r"[^\s\w./:'\"-]|\bcase\b")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED_IN_QUOTES = re.compile(r"\\([\"$`\\])|\\\n")
SHELLS = ("sh", "bash", "zsh", "dash", "ksh")
_WRAPPERS = {
    "sudo": "-u -g -C -D -h -p -U", "doas": "-u -C", "time": "-f -o", "nohup": "", "env": "-u -C -S", "command": "",
    "builtin": "", "exec": "-a", "nice": "-n", "ionice": "-c -n", "stdbuf": "-i -o -e", "timeout": "-k -s",
    "xargs": "-I -n -P -L -d -s -a -E", "setsid": "", "caffeinate": "",
}  # fmt: skip
"""Programs that run the program after them, with the options of theirs that take a value."""


def parsed(text: str) -> Node | None:
    """The text's tree; none for a text without words, or one that is not to be parsed. Heredocs are taken out before."""
    if not text.strip() or len(text) > _LONGEST or len(_SPECIAL.findall(text)) > _DENSEST:
        return None
    return _parser().parse(text.encode("utf-8", "replace")).root_node


def nodes(root: Node) -> Iterator[Node]:
    """Every named node, in the order of the text."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack += reversed(node.named_children)


def word(node: Node) -> str:
    """A word as the shell reads it: without quotes and escapes, its expansions as written."""
    text = written(node)
    match node.type:
        case "raw_string":
            return text[1:-1]
        case "string" | "translated_string":
            body = text[text.find('"') + 1 : -1]
            return _ESCAPED_IN_QUOTES.sub(lambda found: found[1] or "", body) if "\\" in body else body
        case "concatenation" | "command_name":
            return "".join(word(child) for child in node.children)
        case "word":
            return _ESCAPED.sub(lambda found: "" if found[1] == "\n" else found[1], text) if "\\" in text else text
        case _:
            return text


def written(node: Node) -> str:
    """The node as it stands in the text."""
    return (node.text or b"").decode("utf-8", "replace")


def unwrapped(words: list[str]) -> list[str]:
    """The words from the program on that is really run."""
    while len(words) > 1 and (name := words[0].rpartition("/")[2]) in _WRAPPERS:
        valued, at = _WRAPPERS[name].split(), 1
        while at < len(words) and (words[at].startswith("-") or "=" in words[at].split("/")[0]):
            at += 2 if words[at] in valued else 1
        at += name == "timeout"
        if at >= len(words):
            return words
        words = words[at:]
    return words


def inner(words: Sequence[str]) -> str | None:
    """The script of `bash -c '…'`; none for any other command."""
    if not words or words[0].rpartition("/")[2] not in SHELLS:
        return None
    for at, option in enumerate(words[1:-1], 1):
        if re.fullmatch(r"-[a-z]*c[a-z]*", option):
            return words[at + 1]
    return None


@cache
def _parser() -> Parser:
    import tree_sitter_bash  # noqa: PLC0415 - only commands that matter are read, and the import takes its time
    from tree_sitter import Language, Parser  # noqa: PLC0415

    return Parser(Language(tree_sitter_bash.language()))

"""What a shell command does: its simple commands, the variables it sets, and what only reads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

from monitor.heredocs import without_heredocs

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_LONGEST = 65_536
"""Characters of a command that are parsed; a longer one cannot be told."""
_DENSEST = 500
"""Special signs outside heredocs that are parsed: beyond them the parser may take seconds (measured, tree-sitter-bash
0.25.1)."""
_DEEPEST = 2
"""How many shells within shells are looked into."""
_SPECIAL = re.compile(r"[^\s\w./:'\"-]|\bcase\b")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED_IN_QUOTES = re.compile(r"\\([\"$`\\])|\\\n")
_SHELLS = ("sh", "bash", "zsh", "dash", "ksh")
_WRAPPERS = {
    "sudo": "-u -g -C -D -h -p -U", "doas": "-u -C", "time": "-f -o", "nohup": "", "env": "-u -C -S", "command": "",
    "builtin": "", "exec": "-a", "nice": "-n", "ionice": "-c -n", "stdbuf": "-i -o -e", "timeout": "-k -s",
    "xargs": "-I -n -P -L -d -s -a -E", "setsid": "", "caffeinate": "",
}  # fmt: skip
"""Programs that run the program after them, with the options of theirs that take a value."""


def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


_NEUTRAL = _names(
    "[ [[ : break cd chmod continue cp date dirname basename echo exit export false hash kill ln mkdir mktemp mv popd"
    " printf pushd pwd read readlink realpath return rm rmdir seq set shift shopt sleep test touch trap true tty"
    " type ulimit umask unset wait whereis which whoami"
)
_READERS = _names(
    "ack ag awk base64 bat bzcat bzgrep cat cmp column comm cut diff dmesg du egrep fgrep file find fold gawk grep"
    " head hexdump jq journalctl less ls mawk md5sum more nl od paste rev rg sed sha256sum sort stat strings tac tail"
    " tee tr tree uniq wc xxd xzcat yq zcat zgrep zless"
)
_READING = {
    "git": ("blame", "branch", "cat-file", "describe", "diff", "grep", "log", "ls-files", "reflog", "rev-list",
            "rev-parse", "shortlog", "show", "stash list", "status", "tag"),
    "docker": ("compose logs", "logs"), "docker-compose": ("logs",), "podman": ("logs",), "kubectl": ("logs",),
    "gh": ("run view",), "adb": ("logcat",), "heroku": ("logs",), "pm2": ("logs",),
}  # fmt: skip
"""Programs that read, or print a log, under these sub-commands alone."""
_VALUED = frozenset({"-C", "-c", "-n", "-f", "-p", "--namespace", "--context", "--git-dir", "--work-tree"})

Effect = Literal["reads", "nothing", "unknown"]


@dataclass(frozen=True, slots=True)
class Simple:
    """One program with its arguments: quotes and wrappers (`sudo`, `timeout 30`) removed, expansions as written."""

    words: tuple[str, ...]

    @property
    def program(self) -> str:
        """The program's name without its folder."""
        return self.words[0].rpartition("/")[2] if self.words else ""

    @property
    def effect(self) -> Effect:
        """Whether it reads files or prints a log, does nothing worth a word, or more than can be told."""
        if self.program in _READERS:
            return "reads"
        if self.program in _NEUTRAL:
            return "nothing"
        below = self.sub_command + " "
        return "reads" if any(below.startswith(f"{sub} ") for sub in _READING.get(self.program, ())) else "unknown"

    @property
    def sub_command(self) -> str:
        """The words that are neither the program nor an option nor the value of a common one."""
        words, skip = [], False
        for word in self.words[1:12]:
            if not skip and not word.startswith("-"):
                words.append(word)
            skip = word in _VALUED and not skip
        return " ".join(words)


@dataclass(frozen=True, slots=True)
class Script:
    """A command read: every simple command in it, those in substitutions, functions and inner shells included."""

    commands: tuple[Simple, ...] = ()
    assigned: tuple[tuple[str, str], ...] = ()
    """Variables set anywhere in it, with their values as written."""
    sure: bool = True
    """False: not all of it could be read, so there may be more than this."""


def read(text: str, depth: int = 0) -> Script:
    """What a command does, as far as it can be told."""
    text = without_heredocs(text) if len(text) <= _LONGEST else ""
    if not text or len(_SPECIAL.findall(text)) > _DENSEST:
        return Script(sure=False)
    root = _parser().parse(text.encode("utf-8", "replace")).root_node
    found = _Found(depth, sure=not root.has_error)
    for node in _nodes(root):
        found.take(node)
    return Script(tuple(found.commands), tuple(found.assigned), found.sure)


class _Found:
    """What has been read of a script so far."""

    def __init__(self, depth: int, *, sure: bool) -> None:
        self.depth = depth
        self.sure = sure
        self.commands: list[Simple] = []
        self.assigned: list[tuple[str, str]] = []

    def take(self, node: Node) -> None:
        match node.type:
            case "command":
                for simple in _simples(node):
                    self._run(simple)
            case "variable_assignment":
                name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
                self.assigned.append((_text(name) if name else "", _word(value) if value else ""))
            case "heredoc_redirect":
                self.sure = False
            case _:
                pass

    def _run(self, simple: Simple) -> None:
        inner = _inner(simple)
        if inner is None:
            self.commands.append(simple)
        elif self.depth == _DEEPEST:
            self.sure = False
        else:
            script = read(inner, self.depth + 1)
            self.commands += script.commands
            self.assigned += script.assigned
            self.sure = self.sure and script.sure


@cache
def _parser() -> Parser:
    import tree_sitter_bash  # noqa: PLC0415 - only commands that matter are read, and the import takes its time
    from tree_sitter import Language, Parser  # noqa: PLC0415

    return Parser(Language(tree_sitter_bash.language()))


def _nodes(root: Node) -> Iterator[Node]:
    """Every named node, in the order of the text."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack += reversed(node.named_children)


def _simples(node: Node) -> Iterator[Simple]:
    """The command as it is, and what `find -exec` runs."""
    words = [
        _word(child) for child in node.named_children if child.type not in ("variable_assignment", "file_redirect")
    ]
    words = _unwrapped([word for word in words if word])
    if not words:
        return
    yield Simple(tuple(words))
    if words[0].rpartition("/")[2] == "find":
        for option in ("-exec", "-execdir", "-ok"):
            if option in words[:-1]:
                yield Simple(tuple(_unwrapped(words[words.index(option) + 1 :])))


def _unwrapped(words: list[str]) -> list[str]:
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


def _inner(simple: Simple) -> str | None:
    """The script of `bash -c '…'`; none for any other command."""
    if simple.program not in _SHELLS:
        return None
    for at, word in enumerate(simple.words[1:-1], 1):
        if re.fullmatch(r"-[a-z]*c[a-z]*", word):
            return simple.words[at + 1]
    return None


def _word(node: Node) -> str:
    """A word as the shell reads it: without quotes and escapes, its expansions as written."""
    text = _text(node)
    match node.type:
        case "raw_string":
            return text[1:-1]
        case "string" | "translated_string":
            inner = text[text.find('"') + 1 : -1]
            return _ESCAPED_IN_QUOTES.sub(lambda found: found[1] or "", inner) if "\\" in inner else inner
        case "concatenation" | "command_name":
            return "".join(_word(child) for child in node.children)
        case "word":
            return _ESCAPED.sub(lambda found: "" if found[1] == "\n" else found[1], text) if "\\" in text else text
        case _:
            return text


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")

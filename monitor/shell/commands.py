"""What a shell command does: its simple commands, the variables it sets, and what only reads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from monitor.shell.heredocs import without_heredocs
from monitor.shell.words import inner, nodes, parsed, unwrapped, word, written

if TYPE_CHECKING:
    from tree_sitter import Node

_DEEPEST = 2
"""How many shells within shells are looked into."""


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
        for one in self.words[1:12]:
            if not skip and not one.startswith("-"):
                words.append(one)
            skip = one in _VALUED and not skip
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
    root = parsed(without_heredocs(text))
    if root is None:
        return Script(sure=False)
    found = _Found(depth, sure=not root.has_error)
    for node in nodes(root):
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
                self.assigned.append((written(name) if name else "", word(value) if value else ""))
            case "heredoc_redirect":
                self.sure = False
            case _:
                pass

    def _run(self, simple: Simple) -> None:
        script = inner(simple.words)
        if script is None:
            self.commands.append(simple)
        elif self.depth == _DEEPEST:
            self.sure = False
        else:
            found = read(script, self.depth + 1)
            self.commands += found.commands
            self.assigned += found.assigned
            self.sure = self.sure and found.sure


def _simples(node: Node) -> Iterator[Simple]:
    """The command as it is, and what `find -exec` runs."""
    words = [word(child) for child in node.named_children if child.type not in ("variable_assignment", "file_redirect")]
    words = unwrapped([one for one in words if one])
    if not words:
        return
    yield Simple(tuple(words))
    if words[0].rpartition("/")[2] == "find":
        for option in ("-exec", "-execdir", "-ok"):
            if option in words[:-1]:
                yield Simple(tuple(unwrapped(words[words.index(option) + 1 :])))

"""What a shell knows while it runs a command: its folder, its variables, and the heredocs of the text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from monitor.shell.words import word, written

if TYPE_CHECKING:
    from tree_sitter import Node

HEREDOC = "__heredoc_{}__"
"""Stands in the text for a heredoc taken out of it."""
_HEREDOC = re.compile(r"__heredoc_(\d+)__")
_VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")
_LONGEST = 4_096
"""Characters of a variable's value."""


@dataclass(slots=True)
class Scope:
    """One shell; those within it begin as it stands, and change nothing of it."""

    folder: str | None = ""
    """Seen from where the command began; none when it cannot be told."""
    last: str | None = ""
    pushed: tuple[str | None, ...] = ()
    variables: dict[str, str] = field(default_factory=dict)
    heredocs: tuple[str, ...] = ()
    depth: int = 0
    """How many shells it lies within."""
    remote: bool = False
    """It runs in a container or on another machine."""

    def within(self, *, remote: bool = False) -> Scope:
        """A shell within this one."""
        return Scope(
            self.folder, self.last, self.pushed, dict(self.variables), self.heredocs, self.depth + 1,
            self.remote or remote,
        )  # fmt: skip

    def change_folder(self, program: str, words: tuple[str, ...]) -> None:
        """Do what `cd`, `pushd` or `popd` does, its words given without the program."""
        to = next((one for one in words if one == "-" or not one.startswith("-")), "~" if program == "cd" else "")
        if program == "popd":
            new, self.pushed = (self.pushed[-1], self.pushed[:-1]) if self.pushed else (None, ())
        elif to == "-":
            new = self.last
        else:
            new = self._joined(to)
        if program == "pushd":
            self.pushed = (*self.pushed, self.folder)[-20:]
        self.last, self.folder = self.folder, new

    def _joined(self, path: str) -> str | None:
        if not path or any(sign in path for sign in "$`*?"):
            return None
        if path.startswith(("/", "~")) or path[1:2] == ":" or self.folder == "":
            return path
        return None if self.folder is None else f"{self.folder}/{path}"

    def assign(self, name: str, value: str | None) -> None:
        """Set a variable; what a command would print is not known."""
        self.variables.pop(name, None)
        if value is not None and len(value) <= _LONGEST and "`" not in value and "$(" not in value:
            self.variables[name] = value

    def heredoc(self, path: str) -> str | None:
        """The heredoc that stands in for a file's name, or none."""
        found = _HEREDOC.fullmatch(path)
        return self.heredocs[int(found[1])] if found and int(found[1]) < len(self.heredocs) else None

    def said(self, node: Node) -> str:
        """A word, with the variables put in that are known."""
        match node.type:
            case "raw_string":
                return word(node)
            case "concatenation" | "command_name":
                return "".join(self.said(child) for child in node.children)
            case "array":
                return " ".join(self.said(child) for child in node.named_children)
            case _:
                return _VARIABLE.sub(lambda found: self.variables.get(found[1] or found[2], found[0]), word(node))


def parts(node: Node) -> list[Node]:
    """The commands of a list or a pipeline, which the grammar nests to the left."""
    kind = node.type
    found: list[Node] = []
    while node.type == kind and node.named_children:
        *left, right = node.named_children
        found.append(right)
        if len(left) != 1:
            found += reversed(left)
            break
        node = left[0]
    else:
        found.append(node)
    return found[::-1]


def name_of(node: Node) -> str:
    """The name that a loop, a function or an assignment gives."""
    name = node.child_by_field_name("name") or node.child_by_field_name("variable")
    return written(name) if name is not None else ""

"""One step of a shell command: a program with its folder, its input, and the files it is led into."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from monitor.shell.commands import Simple
from monitor.shell.scope import Scope

if TYPE_CHECKING:
    from tree_sitter import Node

_INTO = (">", ">>", ">|", "&>", "&>>", ">&")


@dataclass(frozen=True, slots=True)
class Step:
    """One program as it is run; wrappers such as `sudo` and `timeout 30` are taken off."""

    words: tuple[str, ...] = ()
    """Without quotes, known variables put in; empty where only a redirection stands."""
    folder: str | None = ""
    """Where it runs, seen from where the command began; none when that cannot be told."""
    stdin: str = ""
    """The file its input comes from."""
    here: str | None = None
    """The heredoc or here-string that is its input."""
    into: tuple[str, ...] = ()
    """The files its output is led into."""
    before: tuple[tuple[str, ...], ...] = ()
    """The commands before it in its pipeline, or the `find` that runs it."""
    listed: bool = False
    """Its arguments are what `before` lists: `xargs`, or `find -exec`."""
    remote: bool = False
    """It runs in a container or on another machine, where paths mean something else."""

    @property
    def program(self) -> str:
        """The program's name without its folder."""
        return self.words[0].rpartition("/")[2] if self.words else ""

    @property
    def simple(self) -> Simple:
        """The program with its arguments alone."""
        return Simple(self.words)


def redirected(node: Node, scope: Scope, step: Step) -> Step:
    """The step with one redirection more."""
    if node.type == "herestring_redirect":
        return replace(step, here="".join(scope.said(child) for child in node.named_children))
    target = node.child_by_field_name("destination")
    if node.type != "file_redirect" or target is None:
        return step
    path = scope.said(target)
    operator = next((child.type for child in node.children if not child.is_named), "")
    if operator == "<":
        here = scope.heredoc(path)
        return replace(step, stdin=path) if here is None else replace(step, here=here)
    if operator in _INTO and target.type != "number" and not path.startswith("/dev/"):
        return replace(step, into=(*step.into, path))
    return step

"""What a shell command runs, step by step: each program with its folder, its input and the files it is led into."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from monitor.shell.heredocs import split_heredocs
from monitor.shell.remote import elsewhere
from monitor.shell.scope import HEREDOC, Scope, name_of, parts
from monitor.shell.step import Step, redirected
from monitor.shell.words import inner, parsed, unwrapped

if TYPE_CHECKING:
    from tree_sitter import Node

_MOST = 400
"""Steps of one command; what comes after them is not read."""
_DEEPEST = 60
_SHELLS_WITHIN = 6
_ROUNDS = 20
"""Values of a loop that are gone through."""
_PLAIN = re.compile(r"[\w./:@%+,-]+(?: [\w./:@%+,=-]+)*")
"""A command of plain words needs no parser."""
_NOTHING = Step()
_EXEC = ("-exec", "-execdir", "-ok", "-okdir")


@dataclass(frozen=True, slots=True)
class Steps:
    """A command read."""

    steps: tuple[Step, ...] = ()
    folder: str | None = ""
    """Where a shell that goes on would stand afterwards, seen from where it stood; none when that cannot be told."""
    sure: bool = True
    """False: not all of it could be read, so there may be more than this."""


@lru_cache(maxsize=64)
def steps_of(text: str) -> Steps:
    """The steps of a command in the order of its text; what depends on a condition is taken as run."""
    scope, walk = Scope(), _Walk()
    walk.text(text, scope, _NOTHING)
    return Steps(tuple(walk.steps), scope.folder, walk.sure)


class _Walk:
    """Goes through the tree in the order of the text."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.sure = True
        self._functions: dict[str, Node] = {}

    def text(self, text: str, scope: Scope, led: Step) -> None:
        """The steps of a whole text."""
        if _PLAIN.fullmatch(text):
            self._run(text.split(" "), scope, led, 0)
            return
        text, scope.heredocs = split_heredocs(text, f" <{HEREDOC} ")
        root = parsed(text)
        if root is None:
            self.sure = self.sure and not text.strip()
            return
        self.sure = self.sure and not root.has_error
        self._all(root, scope, led, 0)

    def _all(self, node: Node, scope: Scope, led: Step, depth: int) -> None:
        for child in node.named_children:
            self._node(child, scope, replace(led, into=()), depth + 1)

    def _node(self, node: Node, scope: Scope, led: Step, depth: int) -> None:
        """One node; `led` holds what is known of its input and output."""
        if depth > _DEEPEST or len(self.steps) >= _MOST:
            self.sure = False
            return
        match node.type:
            case "command":
                self._command(node, scope, led, depth)
            case "redirected_statement":
                self._redirected(node, scope, led, depth)
            case "list":
                *first, last = parts(node)
                for part in first:
                    self._node(part, scope, _NOTHING, depth + 1)
                self._node(last, scope, led, depth + 1)
            case "pipeline":
                self._pipeline(node, scope, led, depth)
            case "for_statement":
                self._loop(node, scope, led, depth)
            case "function_definition":
                if (body := node.child_by_field_name("body")) is not None:
                    self._functions[name_of(node)] = body
            case "variable_assignment":
                value = node.child_by_field_name("value")
                scope.assign(name_of(node), scope.said(value) if value is not None else "")
                self._all(node, scope.within(), _NOTHING, depth)
            case "subshell" | "command_substitution" | "process_substitution":
                self._group(node, scope.within(), led, depth)
            case _:
                self._group(node, scope, led, depth)

    def _group(self, node: Node, scope: Scope, led: Step, depth: int) -> None:
        if led.into:
            self.steps.append(Step(folder=scope.folder, into=led.into, remote=scope.remote))
        self._all(node, scope, led, depth)

    def _redirected(self, node: Node, scope: Scope, led: Step, depth: int) -> None:
        for child in node.children_by_field_name("redirect"):
            led = redirected(child, scope, led)
        body = node.child_by_field_name("body")
        if body is not None:
            self._node(body, scope, led, depth + 1)
        elif led.into:
            self.steps.append(Step(folder=scope.folder, into=led.into, remote=scope.remote))

    def _pipeline(self, node: Node, scope: Scope, led: Step, depth: int) -> None:
        before: tuple[tuple[str, ...], ...] = ()
        commands = parts(node)
        for at, command in enumerate(commands, 1):
            begin = len(self.steps)
            own = replace(led if at == len(commands) else _NOTHING, before=before)
            if before and self.steps[-1].program == "cat" and own.here is None:
                own = replace(own, here=self.steps[-1].here)
            self._node(command, scope.within(), own, depth + 1)
            before = (*before, *(step.words for step in self.steps[begin:] if step.words))

    def _loop(self, node: Node, scope: Scope, led: Step, depth: int) -> None:
        values = [scope.said(value) for value in node.children_by_field_name("value")] or ['"$@"']
        body = node.child_by_field_name("body")
        for said in [word for value in values for word in value.split() or [""]][:_ROUNDS]:
            scope.assign(name_of(node), said)
            if body is not None:
                self._group(body, scope, led, depth)

    def _command(self, node: Node, scope: Scope, led: Step, depth: int) -> None:
        words: list[str] = []
        for child in node.named_children:
            if child.type in ("herestring_redirect", "file_redirect"):
                led = redirected(child, scope, led)
            elif child.type != "variable_assignment":
                words.append(scope.said(child))
            if child.type not in ("word", "raw_string", "number"):
                self._all(child, scope.within(), _NOTHING, depth)
        self._run([word for word in words if word], scope, led, depth)

    def _run(self, words: list[str], scope: Scope, led: Step, depth: int) -> None:
        """A program with its arguments."""
        real = unwrapped(words)
        listed = any(word.endswith("xargs") for word in words[: len(words) - len(real)])
        step = replace(led, words=tuple(real), folder=scope.folder, listed=listed, remote=scope.remote)
        if step.program in ("cd", "pushd", "popd"):
            scope.change_folder(step.program, step.words[1:])
        body = self._functions.get(real[0]) if len(real) else None
        if body is not None and depth < _DEEPEST:
            self._group(body, scope, led, depth + 1)
        elif (real or step.into) and not self._within(step, scope):
            self.steps.append(step)
            self._found(step, scope)

    def _within(self, step: Step, scope: Scope) -> bool:
        """Whether the command is nothing but a shell of its own, whose steps then stand for it."""
        words = step.words
        text = " ".join(words[1:]) if step.program == "eval" else inner(words)
        other = elsewhere(words) if text is None else None
        if text is None and other is None:
            return False
        if scope.depth >= _SHELLS_WITHIN:
            self.sure = False
            return False
        within = scope.within(remote=other is not None and other.remote)
        if step.into:
            self.steps.append(Step(folder=scope.folder, into=step.into, remote=scope.remote))
        if other is not None and other.words:
            self._run(list(other.words), within, replace(step, into=()), 0)
        else:
            self.text(text if text is not None else other.text if other is not None else "", within, _NOTHING)
        return other is None or not other.remote

    def _found(self, step: Step, scope: Scope) -> None:
        """What `find -exec` runs."""
        words = step.words
        for option in _EXEC if step.program == "find" else ():
            if option in words[:-1]:
                run = _until(words[words.index(option) + 1 :])
                own = Step(before=(words,), remote=scope.remote)
                begin = len(self.steps)
                self._run(run, scope.within(), own, 0)
                self.steps[begin:] = [replace(one, listed=True) for one in self.steps[begin:]]


def _until(words: Sequence[str]) -> list[str]:
    """The words of an `-exec`, up to its end."""
    ends = [at for at, word in enumerate(words) if word in (";", "+")]
    return list(words[: ends[0]] if ends else words)

"""Runs git as silent, bounded children that see neither our environment nor anyone's configuration."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from monitor.text import first_line, shorten
from monitor.worktree.budget import Budget, MeasureError

_CHUNK = 1 << 18
_ERRORS = 1 << 16
"""Bytes of a child's complaints that are kept."""
_PASSED_ON = ("DEVELOPER_DIR",)
"""What git needs to start at all where it is a shim."""


class GitError(MeasureError):
    """Git gave no answer: it is broken, too old, or finds fault with the repository."""


def find_git(project: Path) -> str | None:
    """Git's absolute path, or none; a relative entry of PATH, or a git that lies in the project, is never taken."""
    top = os.path.realpath(project)
    for place in _places(top):
        program = f"{place}/git"
        if os.access(program, os.X_OK) and Path(program).is_file() and not _within(program, top):
            return program
    return None


def _places(top: str) -> list[str]:
    """Where programs are looked for: never relative to where we stand, never in the project, whose real path it is."""
    named = dict.fromkeys(place.rstrip("/") or "/" for place in os.get_exec_path() if place.startswith("/"))
    return [place for place in named if not _within(place, top)]


def _within(path: str, top: str) -> bool:
    return f"{os.path.realpath(path)}/".startswith(f"{top.rstrip('/')}/")


def environment(home: Path, project: Path) -> dict[str, str]:
    """All that a child gets to see: a home without configuration, no prompt, no lock, one language."""
    return {
        **{name: os.environ[name] for name in _PASSED_ON if name in os.environ},
        "PATH": os.pathsep.join(_places(os.path.realpath(project))),
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home),
        "LC_ALL": "C",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_PAGER": "cat",
        "GIT_TERMINAL_PROMPT": "0",
    }


@dataclass(frozen=True, slots=True)
class Command:
    """One child to run."""

    words: Sequence[str]
    cwd: Path
    environment: Mapping[str, str]
    stdin: Path | None = None
    accepts: Collection[int] = (0,)
    """Exit codes that are answers."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a child that succeeded wrote."""

    out: bytes
    err: str
    code: int = 0

    @property
    def records(self) -> list[bytes]:
        """The records of an output that ends each with a zero byte."""
        parts = self.out.split(b"\0")
        parts.pop()
        return parts


@dataclass(slots=True)
class _Child:
    process: subprocess.Popen[bytes]
    accepts: Collection[int]
    out: list[bytes] = field(default_factory=list)
    err: bytearray = field(default_factory=bytearray)
    records: int = 0

    def take(self, chunk: bytes, budget: Budget) -> None:
        self.out.append(chunk)
        self.records += chunk.count(b"\0")
        if self.records > budget.limits.files:
            budget.take_files(self.records)

    def complain(self, chunk: bytes) -> None:
        self.err += chunk[: _ERRORS - len(self.err)]

    def answer(self) -> Answer:
        """The output, once both pipes are at their end."""
        code = self.process.wait(5.0)
        err = self.err.decode("utf-8", "replace")
        if code not in self.accepts:
            said = first_line(err).removeprefix("fatal: ") or f"it ended with code {code}"
            raise GitError(shorten(f"git: {said}", 200))
        return Answer(b"".join(self.out), err, code)

    def end(self) -> None:
        """Leave nothing behind: no process, no open pipe."""
        if self.process.poll() is None:
            with contextlib.suppress(OSError):
                os.killpg(self.process.pid, signal.SIGKILL)
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(1.0)


def run(commands: Sequence[Command], budget: Budget, meanwhile: Callable[[], object] | None = None) -> list[Answer]:
    """Run the commands side by side and give their answers in order; one that fails makes the whole unmeasurable.

    `meanwhile` is done while they are at work.
    """
    with contextlib.ExitStack() as ends:
        try:
            children = [_start(command, ends) for command in commands]
            if meanwhile is not None:
                meanwhile()
            _collect(children, budget)
            return [child.answer() for child in children]
        except (OSError, subprocess.TimeoutExpired) as error:
            raise GitError(f"git cannot be run: {error}") from error


def _start(command: Command, ends: contextlib.ExitStack) -> _Child:
    with Path(command.stdin or os.devnull).open("rb") as stdin:
        process = subprocess.Popen(  # noqa: S603 - git by its absolute path, with words of our own
            command.words,
            cwd=command.cwd,
            env=command.environment,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    child = _Child(process, command.accepts)
    ends.callback(child.end)
    return child


def _collect(children: Sequence[_Child], budget: Budget) -> None:
    with selectors.DefaultSelector() as pipes:
        for child in children:
            assert child.process.stdout is not None
            assert child.process.stderr is not None
            pipes.register(child.process.stdout, selectors.EVENT_READ, (child, True))
            pipes.register(child.process.stderr, selectors.EVENT_READ, (child, False))
        while pipes.get_map():
            budget.check()
            for key, _ in pipes.select(0.1):
                child, output = key.data
                chunk = os.read(key.fd, _CHUNK)
                if not chunk:
                    pipes.unregister(key.fileobj)
                elif output:
                    child.take(chunk, budget)
                else:
                    child.complain(chunk)

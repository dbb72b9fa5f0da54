"""Which shell commands run tests, and which edit files, step by step."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from monitor.detectors.programs import tests
from monitor.shell.runs import scripts_of
from monitor.shell.step import Step
from monitor.shell.steps import steps_of
from monitor.shell.writes import writes_of

_MAY_TEST = re.compile(
    r"test|spec|check|verify|jest|mocha|tox|nox|ava\b|phpunit|bats|coverage|llvm-cov|tarpaulin|\bci\b", re.IGNORECASE
)
_MAY_EDIT = re.compile(r">|\btee\b|\bsed\b|\bperl\b|\bpatch\b|\bgit\b|\bpython|\bnode\b|\bruby\b")
"""What a command must hold to be worth reading."""
_TEST_FILE = re.compile(r"(?:.*[_.-])?(?:tests?|specs?|check|verify)(?:[_.-].*)?\.\w+|run[_-]?tests?", re.IGNORECASE)
_CODE = re.compile(r"python[\d.]*|node|ruby|php|deno|bun|tsx|ts-node|perl")
_TASKS = ("just", "task", "invoke", "inv", "poe", "doit", "nx", "turbo", "earthly", "ninja", "lerna", "rush")
"""Runners of tasks whose names say what they do."""
_TASK = re.compile(r"(?:.*[:_.-])?(?:tests?|specs?|check|verify|ci)(?:[:_.-].*)?", re.IGNORECASE)
_OTHERS = ("cargo llvm-cov", "cargo tarpaulin", "coverage run", "swift test", "zig test", "flutter test", "dart test")
_LONGEST = 255
"""Characters of a name that may say that something is a test: no file's is longer."""
_EDITING = ("apply", "am", "revert", "cherry-pick", "stash pop", "stash apply", "restore")


@dataclass(frozen=True, slots=True)
class Deed:
    """A test run, or the edit of a file; `file` is empty for a test, and where the command does not name it."""

    tests: bool
    file: str = ""
    folder: str | None = ""


def deeds(command: str) -> Iterator[Deed]:
    """The tests a command runs and the files it edits, in order."""
    if not (_MAY_TEST.search(command) or _MAY_EDIT.search(command)):
        return
    for step in steps_of(command).steps:
        if _is_test(step):
            yield Deed(tests=True)
        elif not step.remote:
            yield from (Deed(False, one.path, step.folder) for one in writes_of(step) if _edits(step, one.by))


def _edits(step: Step, by: str) -> bool:
    """Whether a write is a change the agent makes, and not what some program prints."""
    if by == "unknown":
        return step.program == "patch" or step.simple.sub_command.startswith(_EDITING)
    return by in ("text", "edit")


def _is_test(step: Step) -> bool:
    if not step.words:
        return False
    if tests(step.simple) or f"{step.program} {step.simple.sub_command} ".startswith(
        tuple(f"{one} " for one in _OTHERS)
    ):
        return True
    if step.program in _TASKS:
        return any(len(word) <= _LONGEST and _TASK.fullmatch(word) for word in step.words[1:])
    files = [ran.path for ran in scripts_of(step) if "/" in ran.path]
    if _CODE.fullmatch(step.program):
        files = [word for word in step.words[1:] if not word.startswith("-")][:1]
    names = (file.rpartition("/")[2] for file in files)
    return any(len(name) <= _LONGEST and _TEST_FILE.fullmatch(name) for name in names)

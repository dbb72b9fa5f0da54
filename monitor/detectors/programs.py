"""What is known of programs: which of them run tests, and which fetch packages from a place they do not name."""

from __future__ import annotations

import re
from typing import Literal

from monitor.shell.commands import Simple

_TESTERS = (
    "pytest", "py.test", "tox", "nox", "jest", "vitest", "mocha", "rspec", "phpunit", "ctest", "ava", "unittest",
)  # fmt: skip
_TESTING: dict[str, tuple[str, ...]] = {
    "npm": ("test", "t", "run test", "run-script test"), "pnpm": ("test", "t", "run test"), "deno": ("test",),
    "yarn": ("test", "run test"), "bun": ("test", "run test"), "make": ("test", "check"), "rake": ("test", "spec"),
    "mix": ("test",), "composer": ("test",),
}  # fmt: skip
_BUILDING: dict[str, tuple[str, ...]] = {
    "cargo": ("test", "nextest"), "go": ("test",), "dotnet": ("test",), "swift": ("test",), "bazel": ("test",),
}  # fmt: skip
_TASKS = re.compile(r"(?:.*:)?(?:\w*test\w*|check|verify)", re.IGNORECASE)
_LONGEST = 255
"""Characters of a task's name."""
_RUNNERS = ("npx", "bunx", "uvx", "uv", "poetry", "pipenv", "pdm", "hatch", "rye", "bundle")
_PYTHON = re.compile(r"python[\d.]*|py")
_FETCHING = (
    "install",
    "i",
    "ci",
    "add",
    "download",
    "view",
    "info",
    "update",
    "wheel",
    "index",
    "create",
    "exec",
    "sync",
)

FETCHES = re.compile(
    r"\bCould not (?:GET|HEAD|transfer|resolve)\b|Received status code|failed to (?:download|fetch|get)\b|^go: ",
    re.IGNORECASE,
)
"""What a build tool prints when it cannot fetch what it needs before it tests."""


def tests(simple: Simple) -> Literal["", "tests", "builds"]:
    """Whether the command runs tests, or is a build tool that fetches and builds before it tests."""
    program, words = _unwrapped(simple)
    if program in _TESTERS:
        return "tests"
    if program in ("gradle", "gradlew", "mvn", "mvnw"):
        return "builds" if any(len(word) <= _LONGEST and _TASKS.fullmatch(word) for word in words.split()) else ""
    if _begins(words, _BUILDING.get(program, ())):
        return "builds"
    return "tests" if _begins(words, _TESTING.get(program, ())) else ""


def registry(simple: Simple) -> str:
    """The site a package tool asks when its command names none; empty for any other command."""
    program, words = _unwrapped(simple)
    if program == "uv" and words.startswith("pip "):
        program, words = "pip", words[4:]
    if program == "npx":
        return "registry.npmjs.org"
    if not _begins(words, _FETCHING):
        return ""
    if re.fullmatch(r"pip[\d.]*|uv", program):
        return "pypi.org"
    return "registry.npmjs.org" if program in ("npm", "pnpm", "yarn") else ""


def _unwrapped(simple: Simple) -> tuple[str, str]:
    """The program that does the work, with the words after it: `python -m pytest x` and `uv run pytest x` are pytest."""
    program, words = simple.program, simple.sub_command
    if _PYTHON.fullmatch(program) and simple.words[1:2] == ("-m",):
        rest = words.split(maxsplit=1)
        return (rest[0], " ".join(rest[1:])) if rest else ("", "")
    if program in _RUNNERS:
        rest = words.split(maxsplit=2)
        rest = rest[1:] if rest and rest[0] in ("run", "exec") else rest[:1]
        if rest and rest[0].rpartition("/")[2] in _TESTERS:
            return rest[0].rpartition("/")[2], ""
    return program, words


def _begins(words: str, phrases: tuple[str, ...]) -> bool:
    return any(f"{words} ".startswith((f"{phrase} ", f"{phrase}:")) for phrase in phrases)

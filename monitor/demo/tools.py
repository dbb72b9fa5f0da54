"""What the scripted agent can do: read, search, edit and test for real; of the network it only tells."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path

_PATIENCE = 30
"""Seconds the tests of the scratch project may take."""

Fields = Mapping[str, object]
"""Fields of an event, by name."""


@dataclass(frozen=True)
class Call:
    """A tool call: what is told of it, and how it is carried out."""

    tool: str
    kind: str
    arguments: Fields
    perform: Callable[[Path], Fields]
    """Carries it out in the project; the fields of its result come back."""
    about: Fields = field(default_factory=dict)
    """What else the event of the call says."""
    seconds: float = 1.2
    """How long it takes at the normal pace."""


def read(file: str) -> Call:
    """Read a file."""

    def perform(project: Path) -> Fields:
        try:
            return {"outcome": "ok", "output": (project / file).read_text("utf-8")}
        except (OSError, ValueError) as error:
            return {"outcome": "failed", "failure": "io", "output": f"Cannot read {file}: {error}"}

    return Call("read", "read", {"path": file}, perform, {"paths": [file]})


def search(word: str) -> Call:
    """Search the project's Python files for a word."""

    def perform(project: Path) -> Fields:
        hits = []
        for file in sorted(project.rglob("*.py")):
            rows = file.read_text("utf-8", errors="replace").splitlines()
            name = file.relative_to(project).as_posix()
            hits += [f"{name}:{number}: {row.strip()}" for number, row in enumerate(rows, 1) if word in row]
        return {"outcome": "ok", "output": "\n".join(hits) or "No match"}

    return Call("search", "search", {"text": word}, perform, {"paths": ["."]})


def edit(file: str, old: str, new: str) -> Call:
    """Replace a text that stands exactly once in a file by another."""

    def perform(project: Path) -> Fields:
        path = project / file
        try:
            text = path.read_text("utf-8")
            if text.count(old) != 1:
                return _missed(file, text.count(old))
            path.write_text(text.replace(old, new), encoding="utf-8")
        except (OSError, ValueError) as error:
            return _failed(file, "io", f"Cannot edit {file}: {error}")
        added, removed = _lines(old, new)
        done = {"file": file, "outcome": "ok", "added": added, "removed": removed}
        return {"outcome": "ok", "files": [done], "output": f"Edited {file}: +{added} -{removed}"}

    change = {"file": file, "op": "edit", "old": old, "new": new}
    return Call("edit", "write", {"path": file, "old": old, "new": new}, perform, {"changes": [change]})


def test() -> Call:
    """Run the project's tests."""

    def perform(project: Path) -> Fields:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        try:
            ended = subprocess.run(
                [sys.executable, "-B", "-m", "unittest"],
                cwd=project,
                env=kept,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                check=False,
                timeout=_PATIENCE,
            )
        except subprocess.TimeoutExpired:
            return {"outcome": "timed_out", "output": f"No end after {_PATIENCE} s"}
        except OSError as error:
            return {"outcome": "failed", "output": f"The tests cannot be started: {error}"}
        return {"outcome": "failed" if ended.returncode else "ok", "exit": ended.returncode, "output": ended.stdout}

    return _shell("python -B -m unittest", perform, timeout=_PATIENCE)


def fetch(url: str) -> Call:
    """Tell of a page that was not found; nothing is sent to anyone."""
    told = {"outcome": "failed", "exit": 22, "output": "curl: (22) The requested URL returned error: 404"}
    return _shell(f"curl -fsS {url}", lambda _: told, seconds=2.2)


def _shell(command: str, perform: Callable[[Path], Fields], *, timeout: float = 60, seconds: float = 1.2) -> Call:
    about = {"command": command, "timeout": timeout}
    return Call("shell", "shell", {"command": command}, perform, about, seconds)


def _missed(file: str, count: int) -> Fields:
    if count:
        return _failed(
            file, "ambiguous", f"The old text stands {count} times in {file}; give more of what surrounds it"
        )
    return _failed(file, "not_found", f"The old text was not found in {file}")


def _failed(file: str, failure: str, output: str) -> Fields:
    failed = {"file": file, "outcome": "failed", "failure": failure}
    return {"outcome": "failed", "failure": failure, "files": [failed], "output": output}


def _lines(old: str, new: str) -> tuple[int, int]:
    """Lines added and removed between two texts."""
    before, after = old.splitlines(), new.splitlines()
    steps = [step for step in SequenceMatcher(None, before, after, autojunk=False).get_opcodes() if step[0] != "equal"]
    return sum(step[4] - step[3] for step in steps), sum(step[2] - step[1] for step in steps)

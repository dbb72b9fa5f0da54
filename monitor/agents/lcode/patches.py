"""Reads the unified diff that `apply_patch` takes, by lcode's own rules: hunks count, their line numbers do not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from monitor.events import Change, Op
from monitor.text import clean

_NOWHERE = "/dev/null"
_BETWEEN = ("\\ No newline", "diff --git", "index ")
"""How lines begin that stand in a hunk and are no part of it."""
_HUNKS = 500
"""Hunks of a patch that are told apart; of those behind, only the file."""


@dataclass(slots=True)
class _File:
    """One file of a patch."""

    path: str
    op: Op
    hunks: list[list[str]] = field(default_factory=list)

    def changes(self) -> Iterator[Change]:
        """A change for each hunk; a new file is one."""
        if self.op != "edit" or not self.hunks:
            new = "\n".join(line[1:] for hunk in self.hunks for line in hunk if line[:1] in (" ", "+"))
            yield Change(self.path, self.op, new=clean(new) if self.op == "create" else None)
            return
        for hunk in self.hunks:
            old = "\n".join(line[1:] for line in hunk if line[:1] in (" ", "-"))
            new = "\n".join(line[1:] for line in hunk if line[:1] in (" ", "+"))
            yield Change(self.path, "edit", old=clean(old), new=clean(new))


def changes_of(patch: str) -> tuple[Change, ...]:
    """The changes that a patch asks for, in its order; one without a file for what is no patch."""
    files = _files(patch.replace("\r\n", "\n").split("\n"))
    if not any(file.hunks for file in files):
        return (Change("", "edit", new=clean(patch) if patch else None),)
    return tuple(change for file in files for change in file.changes())


def _files(lines: list[str]) -> list[_File]:
    files: list[_File] = []
    hunk: list[str] | None = None
    hunks = skip = 0
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else ""
        if skip:
            skip -= 1
        elif line.startswith("--- ") and following.startswith("+++ "):
            files.append(_named(line[4:], following[4:]))
            hunk, skip = None, 1
        elif line.startswith("@@") and files:
            hunk = [] if hunks < _HUNKS else None
            hunks += 1
            if hunk is not None:
                files[-1].hunks.append(hunk)
        elif hunk is not None and not line.startswith(_BETWEEN) and (line or number < len(lines) - 1):
            hunk.append(line if line[:1] in (" ", "-", "+") else " " + line)
    return files


def _named(old: str, new: str) -> _File:
    if new.strip() == _NOWHERE:
        return _File(_path(old), "delete")
    return _File(_path(new), "create" if old.strip() == _NOWHERE else "edit")


def _path(told: str) -> str:
    path = told.strip().partition("\t")[0]
    return clean(path[2:] if path.startswith(("a/", "b/")) else path)

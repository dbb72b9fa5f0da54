"""Reads a patch between `*** Begin Patch` and `*** End Patch`, as the `apply_patch` of several agents takes it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from monitor.events import Change, Op
from monitor.text import clean

_HEADER = re.compile(r"\*\*\* (Add|Update|Delete) File: (.+)")
_OPS: dict[str, Op] = {"Add": "create", "Update": "edit", "Delete": "delete"}
_MOVE = "*** Move to: "
_HUNKS = 500
"""Hunks of a patch that are told apart; of those behind, only the file."""


@dataclass(slots=True)
class _File:
    path: str
    op: Op
    to: str = ""
    hunks: list[list[str]] = field(default_factory=list)

    def changes(self) -> list[Change]:
        """A change for each hunk; one for a file that is created, deleted, or only moved."""
        if self.op != "edit":
            new = "\n".join(line[1:] for hunk in self.hunks for line in hunk if line.startswith("+"))
            return [Change(self.path, self.op, new=clean(new) if self.op == "create" else None)]
        made = [
            Change(
                self.path,
                "edit",
                old=clean("\n".join(line[1:] for line in hunk if line[:1] in (" ", "-"))),
                new=clean("\n".join(line[1:] for line in hunk if line[:1] in (" ", "+"))),
                to=self.to,
            )
            for hunk in self.hunks
            if hunk
        ]
        return made or [Change(self.path, "move" if self.to else "edit", to=self.to)]


def changes_of(patch: str) -> tuple[Change, ...]:
    """The changes in their order; none when the patch names no file."""
    files: list[_File] = []
    hunks = 0
    for line in patch.replace("\r\n", "\n").split("\n"):
        if header := _HEADER.fullmatch(line.rstrip()):
            files.append(_File(clean(header[2].strip()), _OPS[header[1]], hunks=[[]]))
        elif not files:
            continue
        elif line.startswith(_MOVE):
            files[-1].to = clean(line.removeprefix(_MOVE).strip())
        elif line.startswith("@@"):
            hunks += 1
            if hunks <= _HUNKS:
                files[-1].hunks.append([])
        elif line[:1] in (" ", "+", "-") and hunks <= _HUNKS:
            files[-1].hunks[-1].append(line)
    return tuple(change for file in files for change in file.changes())

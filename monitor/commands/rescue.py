"""`monitor rescue`: versions an agent overwrote."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import click

from monitor.commands.output import emit, emit_data
from monitor.config import state_folder
from monitor.errors import USAGE, MonitorError
from monitor.text import clean, line, plural
from monitor.worktree.diff_text import NOTHING, Content, diff_of, unified
from monitor.worktree.reach import read_at
from monitor.worktree.rescue import Rescued, rescued, restore

_LARGEST = 8 << 20
_RIGHT = (0, 2)
"""Columns of numbers."""
_HINT = "List them with: monitor rescue --all"


@dataclass(frozen=True, slots=True)
class Choice:
    """What of all that was kept is meant."""

    file: str | None = None
    project: Path | None = None
    """None: the folder we stand in, and what it lies in."""
    everywhere: bool = False
    number: int = 1
    """Of the list, from 1: what was overwritten last."""


def listed(choice: Choice) -> int:
    """Print every version that is kept, what was overwritten last first."""
    found = _chosen(choice)
    if not found:
        emit(f"No version of {line(choice.file or 'a file')} was overwritten{'' if choice.everywhere else ' here'}.\n")
        return 0
    rows = [_row(number, one, choice) for number, one in enumerate(found, 1)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = enumerate(zip(row, widths, strict=True))
        emit(
            "  ".join(cell.rjust(wide) if at in _RIGHT else cell.ljust(wide) for at, (cell, wide) in cells).rstrip()
            + "\n"
        )
    return 0


def shown(choice: Choice) -> int:
    """Print one version: the very bytes, on a terminal with its control characters made visible."""
    data = _data(_one(choice))
    if sys.stdout.isatty():
        emit(clean(data.decode("utf-8", "replace")))
    else:
        emit_data(data)
    return 0


def compared(choice: Choice) -> int:
    """Print how the file differs now from one version."""
    one = _one(choice)
    try:
        now, _ = read_at(os.path.realpath(one.path.parent), one.path.name, _LARGEST)
        present = Content(now, b"", f"it is larger than {_LARGEST >> 20} MB")
    except OSError:
        present = NOTHING
    for row in unified(diff_of(one.entry.file, Content(_data(one)), present)):
        emit(row + "\n")
    return 0


def brought_back(choice: Choice, *, to: Path | None, yes: bool) -> int:
    """Write one version over its file, or to another path, once the operator has said yes."""
    one = _one(choice)
    target = to.expanduser() if to else one.path
    if os.path.lexists(target) and not yes:
        if not sys.stdin.isatty():
            raise MonitorError(f"{target} stands there already", "Say --yes to write over it", USAGE)
        click.confirm(f"Write {_named(one)} over {line(str(target))}? What stands there is kept too.", abort=True)
    changed = restore(one, target, state_folder("rescue"), time.time())
    emit(f"{line(str(target))} {'holds it again' if changed else 'holds it already'}: {_named(one)}\n")
    return 0


def _chosen(choice: Choice) -> list[Rescued]:
    found = rescued(state_folder("rescue"))
    if choice.file is not None:
        wanted = _placed(Path(choice.file))
        return [one for one in found if choice.file == one.entry.file or wanted == _placed(one.path)]
    if choice.everywhere:
        return found
    here = Path(os.path.realpath(choice.project or Path.cwd()))
    return [
        one for one in found if here.is_relative_to(one.about.project) or Path(one.about.project).is_relative_to(here)
    ]


def _placed(path: Path) -> Path:
    """The path, its folder without links."""
    return Path(os.path.realpath(path.parent), path.name)


def _one(choice: Choice) -> Rescued:
    found = _chosen(choice)
    if not found:
        raise MonitorError(f"No version of {line(choice.file or 'a file')} was overwritten here", _HINT)
    if choice.number > len(found):
        raise MonitorError(f"There is no number {choice.number}: {plural(len(found), 'version')}", _HINT, USAGE)
    return found[choice.number - 1]


def _data(one: Rescued) -> bytes:
    data = one.data()
    if data is None:
        raise MonitorError(
            f"{line(one.entry.file)}: this version is not kept", one.entry.lost or "newer ones took its room"
        )
    return data


def _named(one: Rescued) -> str:
    return f"the version of {line(one.entry.file)} that was overwritten {_time(one.entry.overwritten)}"


def _row(number: int, one: Rescued, choice: Choice) -> tuple[str, ...]:
    entry = one.entry
    size = f"{entry.size:,} bytes" if entry.size >= 0 else "not kept"
    name = str(one.path) if choice.everywhere else entry.file
    return str(number), _time(entry.overwritten), size, line(name), line(entry.by), line(one.about.run)


def _time(moment: float) -> str:
    try:
        return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(moment))
    except (ValueError, OverflowError, OSError):
        return "at an unknown time"

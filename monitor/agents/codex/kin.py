"""Finds the rollouts of a thread's sub-agents beside its own: by what their first lines say of who started them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from monitor.agents.codex.decode import ROLLOUT
from monitor.agents.codex.lineage import BEGINNING, Lineage, later, lineage, meta_of
from monitor.agents.folders import changed
from monitor.streams.files import read_head
from monitor.streams.record import Input

THREAD = r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
ROLLOUT_NAME = re.compile(rf"rollout-(\d{{4}}-\d\d-\d\dT\d\d-\d\d-\d\d)-({THREAD})\.jsonl")
_DEPTH = 3
"""Folders of years, months and days in which rollouts lie."""
_MOST = 1_000
"""Sub-agents whose rollouts are read."""


class Kin:
    """The descendants of one thread, in the folders of its own day and later; each rollout is looked at once."""

    def __init__(self, root: Path, thread: str) -> None:
        self._thread = thread
        self._top, self._from = _top(root.parent)
        self._changed: dict[Path, int] = {}
        """When each folder was last changed, as far as all in it has been looked at."""
        self._looked: set[str] = {root.name}
        self._strangers: dict[str, tuple[Lineage, Path]] = {}
        """Threads that somebody started, whose parents are not known to be of the family, yet."""
        self._family: dict[str, Path] = {}

    def found(self) -> Mapping[str, Path]:
        """Their rollouts by their threads, in the order they were found."""
        if self._thread:
            for folder in _days(self._top, self._from):
                self._look(folder)
            while joined := [name for name, (told, _) in self._strangers.items() if self._belongs(told)]:
                for name in joined:
                    path = self._strangers.pop(name)[1]
                    if len(self._family) < _MOST:
                        self._family[name] = path
        return self._family

    def join(self, inputs: list[Input]) -> None:
        """Put those behind the run's inputs that are not among them, each as the file of its actor."""
        known = {one.actor for one in inputs}
        for thread, path in self.found().items():
            if thread not in known:
                inputs.append(Input(len(inputs), path.name, ROLLOUT, path, actor=thread))

    def _belongs(self, told: Lineage) -> bool:
        return self._thread in (told.root, told.parent) or told.parent in self._family

    def _look(self, folder: Path) -> None:
        """Look at what is new in a folder."""
        stands = changed(folder)
        if stands and self._changed.get(folder) == stands:
            return
        try:
            names = sorted(entry.name for entry in os.scandir(folder) if entry.is_file(follow_symlinks=False))
        except OSError:
            return
        unread = [name for name in names if name not in self._looked and not self._read(folder / name)]
        if stands and not unread:
            self._changed[folder] = stands

    def _read(self, path: Path) -> bool:
        """Look at one file; false where its first line is not there yet."""
        found = ROLLOUT_NAME.fullmatch(path.name)
        if found is not None and not later(self._thread, found[2]):
            told = told_by(path)
            if told is None:
                return False
            if told.parent and told.thread != self._thread:
                self._strangers[told.thread] = told, path
        self._looked.add(path.name)
        return True


def told_by(path: Path) -> Lineage | None:
    """Where the thread of a rollout comes from; none while its first line is not there, or cannot be read."""
    try:
        head = read_head(path, BEGINNING)
    except OSError:
        return None
    if b"\n" not in head and len(head) < BEGINNING:
        return None
    told = lineage(meta_of(head))
    return told if told.thread else Lineage(thread_of(path))


def rollouts(folder: Path) -> Iterator[Path]:
    """The rollouts in a folder of years, months and days, by their names, the newest day first."""
    for path in _below(folder, _DEPTH):
        try:
            found = sorted(path.iterdir(), reverse=True)
        except OSError:
            continue
        yield from (one for one in found if ROLLOUT_NAME.fullmatch(one.name))


def root_of(path: Path, within: Path) -> Path:
    """The rollout at the top of those that a thread's was started from, as far up as they are there."""
    met = {path}
    while (told := told_by(path)) is not None and told.parent:
        above = next((one for one in rollouts(within) if thread_of(one) == told.parent), path)
        if above in met:
            break
        path = above
        met.add(path)
    return path


def thread_of(path: Path) -> str:
    """The id of a rollout's thread, as its name tells it."""
    found = ROLLOUT_NAME.fullmatch(path.name)
    return found[2] if found else ""


def _below(folder: Path, depth: int) -> Iterator[Path]:
    """This folder and those of digits below it."""
    yield folder
    if not depth:
        return
    try:
        found = sorted((one for one in folder.iterdir() if one.name.isdecimal()), reverse=True)
    except OSError:
        return
    for one in found:
        yield from _below(one, depth - 1)


def _top(folder: Path) -> tuple[Path, tuple[str, ...]]:
    """The folder above those of years, and the day of this one; the folder itself where it is no day's."""
    parts: list[str] = []
    while len(parts) < _DEPTH and folder.name.isdecimal():
        parts.insert(0, folder.name)
        folder = folder.parent
    return (folder, tuple(parts)) if len(parts) == _DEPTH else (folder.joinpath(*parts), ())


def _days(top: Path, first: tuple[str, ...], depth: int = _DEPTH) -> Iterator[Path]:
    """The folders of days from the first on."""
    if not first or not depth:
        yield top
        return
    try:
        names = sorted(one.name for one in os.scandir(top) if one.name.isdecimal() and one.name >= first[0])
    except OSError:
        return
    for name in names:
        rest = first[1:] if name == first[0] else ("",) * (depth - 1)
        yield from _days(top / name, rest or ("",), depth - 1)

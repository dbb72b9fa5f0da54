"""Which files of a watched folder are another than they were last seen to be."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Literal, Protocol

from msgspec import structs

from monitor.events import FileChanged
from monitor.text import clean
from monitor.worktree.compare import compare
from monitor.worktree.dating import Dating
from monitor.worktree.folders import Touch, holds_content
from monitor.worktree.listed import Listed
from monitor.worktree.measurement import Measurement
from monitor.worktree.reach import status_at
from monitor.worktree.sight import ABSENT, Sight, listed, see

BURST = 1_000
"""Changes that are told one by one at once."""
_RATE = 100.0
"""Changes told one by one per second in the long run."""
_HELD = 100_000
"""Files whose last sight is remembered."""
_AT_ONCE = 16 << 20
"""Bytes of changed files that are held at a time."""
_EMPTY = sha256().hexdigest()
"""Of no bytes at all: every empty file holds the same."""

What = Literal["created", "modified", "deleted", "moved", "mode"]
Lines = tuple[int | None, int | None]


class Keeps(Protocol):
    """Keeps what was seen, for diffs and for versions that are overwritten."""

    def begin(self, measurement: Measurement) -> None:
        """Take in the first measurement: the folder as it was at the start."""

    def keep(self, seen: Sequence[tuple[str, Sight, float]]) -> Sequence[Lines]:
        """Keep files as they are now: path, what was seen, and when it came to be so.

        For each the lines added and removed since the start come back, where they can be told.
        """


class Changes:
    """Compares every touched file with what was known of it: seen before, or measured."""

    def __init__(self, folder: Path, keeps: Keeps | None = None) -> None:
        self._top = str(folder)
        self._folder = clean(self._top)
        self._keeps = keeps
        self._first: Measurement | None = None
        self._start: Listed | None = None
        self._measured: Measurement | None = None
        self.listed = Listed()
        """What the latest measurement found."""
        self._seen: dict[str, Sight] = {}
        self._untold: set[str] = set()
        self._named: set[str] = set()
        """Files of which a change was told since the last measurement."""
        self._ever: set[str] = set()
        """Those of which any was: the latest hand must not be taken for the one that was told."""
        self.ahead = False
        """What was seen is newer than the latest measurement."""
        self._tokens, self._filled = float(BURST), 0.0
        self.dating = Dating(self._top)

    @property
    def left_out(self) -> int:
        """Changes since the last measurement that were too many to be told one by one."""
        return len(self._untold)

    @property
    def unnamed(self) -> int:
        """Files among them of which no other change since that measurement was told."""
        return len(self._untold - self._named)

    def tell(self, touches: Sequence[Touch], now: float) -> list[FileChanged]:
        """The touched files that are another now, at most as many as can be told; the rest waits for a measurement."""
        self.dating.look(now)
        touches = sorted(touches, key=lambda one: one.before is None)
        room = self._take_room(len(touches), now)
        told = self._told(self._compare(one) for one in touches[:room])
        for one in touches[room:]:
            self._seen.pop(one.path, None)
            self._untold.add(one.path)
        return told

    def reconcile(self, measurement: Measurement, now: float) -> list[FileChanged]:
        """Take in an exact measurement; what it knows and nobody noticed is told: on another disk, nothing at all."""
        self.dating.look(now)
        before, self._measured = self._measured, measurement
        if measurement.entries is None:
            self._measured = before
            return []
        was, self.listed = self.listed, Listed(measurement.entries)
        if before is None:
            self._first, self._start = measurement, self.listed
            if self._keeps:
                self._keeps.begin(measurement)
        if before is not None and before.device != measurement.device:
            self._seen.clear()
            self._untold.clear()
        differing = (compare(before, measurement).files if before else ()) or ()
        doubtful = [path for path, sight in self._seen.items() if not sight.same(self._line(path, self.listed))]
        again = sorted(self._untold & self._ever)
        missed = [path for path in dict.fromkeys((*differing, *doubtful)) if path not in self._untold]
        missed = [*again, *missed]
        self._untold.clear()
        self._named.clear()
        room = self._take_room(len(missed), now)
        found = (self._missed(path, self._seen.get(path) or self._line(path, was)) for path in missed[:room])
        told = self._told(found)
        self.ahead = any(self._is_ahead(path) for path in missed[:room])
        return told

    def differing(self) -> list[str]:
        """The files that differ from the start, as far as was seen or else last measured."""
        if self._start is None or self._first is None or self._measured is None:
            return []
        seen = dict(self._seen)
        measured = compare(self._first, self._measured).files or ()
        found = {path for path, sight in seen.items() if not sight.same(self._line(path, self._start))}
        return sorted(found.union(path for path in measured if path not in seen))

    def _compare(self, touch: Touch) -> _Change | None:
        was = self._seen.get(touch.path)
        if was is None and self._measured is not None:
            was = self._line(touch.path, self.listed)
        elif was is None and touch.before is None:
            was = ABSENT
        return self._change(touch.path, was, see(self._top, touch.path, touch.status, self.listed.algorithm))

    def _missed(self, path: str, was: Sight) -> _Change | None:
        """What became of a file of which a measurement knows better; one that no longer counts is not told."""
        try:
            status = status_at(self._top, path)
        except OSError:
            status = None
        there = status is not None and holds_content(status)
        if there and not self._line(path, self.listed).there:
            self._seen.pop(path, None)
            return None
        return self._change(path, was, see(self._top, path, status if there else None, self.listed.algorithm))

    def _is_ahead(self, path: str) -> bool:
        """Whether a file is now known to be another than was measured."""
        sight, line = self._seen.get(path), self._line(path, self.listed)
        if sight is None or not (sight.there and line.there):
            return sight is not None and sight.there != line.there
        return len(sight.id) == len(line.id) > 0 and not sight.same(line)

    def _change(self, path: str, was: Sight | None, sight: Sight) -> _Change | None:
        self._untold.discard(path)
        self._remember(path, sight)
        return None if was is not None and sight.same(was) else _Change(path, was, sight)

    def _told(self, found: Iterable[_Change | None]) -> list[FileChanged]:
        """The events of changes, made of a few at a time, since these hold the files' bytes."""
        told: list[tuple[_Change, FileChanged]] = []
        some: list[_Change] = []
        held = 0
        for change in found:
            if change is None:
                continue
            some.append(change)
            if len(self._named) < _HELD:
                self._named.add(change.path)
            if len(self._ever) < _HELD:
                self._ever.add(change.path)
            held += len(change.sight.data or b"")
            if held > _AT_ONCE:
                told += self._events(some)
                some, held = [], 0
        return _moved([*told, *self._events(some)])

    def _events(self, changes: Sequence[_Change]) -> list[tuple[_Change, FileChanged]]:
        """The events of some changes, which let go of the bytes."""
        times = [self.dating.at(one.path, one.was, one.sight) for one in changes]
        seen = [(one.path, one.sight, at) for one, at in zip(changes, times, strict=True)]
        lines = self._keeps.keep(seen) if self._keeps and seen else [(None, None)] * len(seen)
        return [
            (_Change(one.path, one.was, one.sight.bare()), self._event(one, at, *counts))
            for one, at, counts in zip(changes, times, lines, strict=True)
        ]

    def _event(self, change: _Change, at: float, added: int | None, removed: int | None) -> FileChanged:
        return FileChanged(
            file=clean(change.path),
            what=_what(change.was, change.sight),
            before=change.was.digest if change.was else "",
            after=change.sight.digest,
            folder=self._folder,
            added=added,
            removed=removed,
            at=at,
        )

    def _remember(self, path: str, sight: Sight) -> None:
        self._seen.pop(path, None)
        self._seen[path] = sight.bare(self.dating.now)
        if len(self._seen) > _HELD:
            del self._seen[next(iter(self._seen))]

    def _line(self, path: str, where: Listed) -> Sight:
        return listed(where.get(os.fsencode(path)))

    def _take_room(self, wanted: int, now: float) -> int:
        """How many of so many changes may be told one by one now."""
        self._tokens = min(self._tokens + max(now - self._filled, 0.0) * _RATE, BURST)
        self._filled = now
        room = min(wanted, int(self._tokens))
        self._tokens -= room
        return room


@dataclass(frozen=True, slots=True)
class _Change:
    path: str
    was: Sight | None
    sight: Sight


def _what(was: Sight | None, sight: Sight) -> What:
    if not sight.there:
        return "deleted"
    if was is not None and not was.there:
        return "created"
    return "mode" if was is not None and was.holds_same(sight) else "modified"


def _moved(told: Sequence[tuple[_Change, FileChanged]]) -> list[FileChanged]:
    """The events; a file that went while another came to hold the same has moved there."""
    came = [change.sight for change, event in told if event.what == "created" and event.after != _EMPTY]
    ids, digests = {one.id for one in came if one.id}, {one.digest for one in came if one.digest}
    return [
        structs.replace(event, what="moved")
        if event.what == "deleted" and change.was and (change.was.id in ids or change.was.digest in digests)
        else event
        for change, event in told
    ]

"""What differs in the project folder: since the start, or since a moment, by the private copies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from math import inf
from pathlib import Path

from monitor.text import clean
from monitor.worktree.copies import LARGEST, Copies
from monitor.worktree.diff_text import LINES, NOTHING, Content, DiffText, diff_of
from monitor.worktree.folders import holds_content
from monitor.worktree.kept import Kept
from monitor.worktree.reach import status_at
from monitor.worktree.share import Became, share
from monitor.worktree.sight import see

FILES = 200
"""Files of which the differences are shown."""
_IN_ALL = 20_000
"""Lines shown in all."""


@dataclass(frozen=True, slots=True)
class FolderDiff:
    """What differs, file by file."""

    files: tuple[DiffText, ...]
    left: tuple[tuple[Became, int], ...] = ()
    """How many files of each kind differ besides, and are not shown."""
    why: str = ""
    """Why more may differ than is shown; empty where nothing speaks for it."""
    known: bool = True
    """Whether anything could be compared; where not, `why` says it."""

    @property
    def left_out(self) -> int:
        """Files that differ and are not shown."""
        return sum(count for _, count in self.left)


class Differences:
    """Compares the folder as it is now with what was kept of it; reads only, and never raises."""

    def __init__(self, folder: Path, copies: Copies, differing: Callable[[], Sequence[str]]) -> None:
        self._top = str(folder)
        self._copies = copies
        self._differing = differing

    def of(self, file: str, since: float | None = None) -> DiffText:
        """What differs in one file, named as an event names it; since the start, or since a moment."""
        path = self._copies.real(file)
        diff = diff_of(path, self._before(path, since), self._now(path))
        return diff if diff.what == "same" else self._placed([(path, diff)])[0]

    def all(self, since: float | None = None) -> FolderDiff:
        """What differs in every file that was seen to differ; a file that only moved is one, not two.

        New files stand last; where there are too many files, they are the first that are left out.
        """
        moment = -inf if since is None else since
        became = self._became(self._differing() if since is None else self._since(since), moment)
        paths, left = share(became, self._came(became, moment), FILES)
        self._copies.fetch(paths)
        found: list[tuple[str, DiffText]] = []
        came: dict[bytes, int] = {}
        went: dict[int, bytes] = {}
        room = _IN_ALL
        for path in paths:
            old, new = self._before(path, since), self._now(path)
            diff = diff_of(path, old, new, most=max(min(room, LINES), 0))
            if diff.what == "same":
                continue
            room -= sum(len(hunk.lines) for hunk in diff.hunks)
            if diff.what == "created" and new.data:
                came[sha256(new.data).digest()] = len(found)
            elif diff.what == "deleted" and old.data:
                went[len(found)] = sha256(old.data).digest()
            found.append((path, diff))
        return FolderDiff(_moved(self._placed(found), came, went), left)

    def _became(self, paths: Sequence[str], moment: float) -> dict[str, Became]:
        """What became of each file, told without reading any; one that came and went became nothing."""
        became: dict[str, Became] = {}
        for path in paths:
            was, there = self._copies.sight(path, moment), self._there(path)
            if was is None or (was.there and there):
                became[path] = "modified"
            elif was.there != there:
                became[path] = "created" if there else "deleted"
        return became

    def _came(self, became: Mapping[str, Became], moment: float) -> set[str]:
        """The new files that hold what one that is gone held, as far as they were seen to change."""
        gone = {
            was.id for path, what in became.items() if what == "deleted" and (was := self._copies.sight(path, moment))
        }
        new = {path: self._copies.sight(path, inf) for path, what in became.items() if what == "created"}
        return {path for path, sight in new.items() if sight is not None and sight.id and sight.id in gone}

    def _there(self, path: str) -> bool:
        try:
            return holds_content(status_at(self._top, path))
        except (OSError, ValueError):
            return False

    def _since(self, moment: float) -> list[str]:
        """The files that changed after a moment: as was seen or, where only a measurement told, by the system's time."""
        seen = self._copies.changed_since(moment)
        missed = (path for path in self._differing() if not self._copies.saw(path))
        return sorted([*seen, *(path for path in missed if self._changed_after(path, moment))])

    def _changed_after(self, path: str, moment: float) -> bool:
        """What is gone may have gone at any time, and counts."""
        try:
            return status_at(self._top, path).st_ctime > moment
        except (OSError, ValueError):
            return True

    def _placed(self, found: Sequence[tuple[str, DiffText]]) -> list[DiffText]:
        """The differences, each with where its file stands in git's eyes, where that is worth a word."""
        untracked = self._copies.untracked([path for path, diff in found if diff.what != "deleted"])
        placed = []
        for path, diff in found:
            within = self._copies.repository(path)
            where = f"in the repository {clean(within)}" if within else ""
            words = (where, "untracked" if path in untracked else "")
            placed.append(replace(diff, where=", ".join(filter(None, words))))
        return placed

    def _before(self, path: str, since: float | None) -> Content:
        kept: Kept = self._copies.at_start(path) if since is None else self._copies.at(path, since)
        if kept.there is False:
            return NOTHING
        return Content(kept.data, kept.mode, kept.why, kept.there)

    def _now(self, path: str) -> Content:
        try:
            status = status_at(self._top, path)
        except (OSError, ValueError):
            return NOTHING
        sight = see(self._top, path, status if holds_content(status) else None, "sha1")
        if not sight.there:
            return NOTHING
        if sight.data is None or len(sight.data) > LARGEST:
            return Content(None, sight.mode, f"it is larger than {LARGEST >> 20} MB, or may not be read")
        return Content(sight.data, sight.mode)


def _moved(found: Sequence[DiffText], came: Mapping[bytes, int], went: Mapping[int, bytes]) -> tuple[DiffText, ...]:
    """The differences, a file that went and one that came with the same contents taken for one that moved."""
    pairs = {came[digest]: at for at, digest in went.items() if digest in came}
    return tuple(
        replace(diff, what="moved", hunks=(), added=0, removed=0, left_out=0, was=found[pairs[at]].file)
        if at in pairs
        else diff
        for at, diff in enumerate(found)
        if at not in pairs.values()
    )

"""Which tracked files git's word that they are unchanged does not settle: their bytes are read.

Where line ends, filters, LFS or encodings make stored and actual bytes differ, git speaks of the stored ones:
a mere touch must be no change, a new line end must be one. And a file that changed in the second in which git
looked at it may have changed again without a trace that git would see.
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterator, Mapping, Sequence

from monitor.worktree.budget import Budget
from monitor.worktree.contents import Contents, Doubt, StatCache
from monitor.worktree.git import Answer, Command, run
from monitor.worktree.settings import Settings
from monitor.worktree.shadow import Shadow

_UNFILTERED = "!filter !ident !working-tree-encoding"
_PLAIN = (f":(exclude,attr:!text !eol !crlf {_UNFILTERED})", f":(exclude,attr:-text {_UNFILTERED})")
"""The paths whose bytes are stored as they are: without any attribute that converts, and binary ones."""
_FRESH = 2
"""Seconds after which a change leaves another whole second, on any disk."""
_NS = 1_000_000_000


def attributed(shadow: Shadow, *excluded: str) -> Command:
    """What asks git for the tracked files, without those that these patterns of attributes exclude."""
    return shadow.command("ls-files", "-z", "--", ".", *(excluded or _PLAIN), real_attributes=True)


class Doubts:
    """The doubtful paths of one folder, for as long as its index is the same."""

    def __init__(self, shadow: Shadow, settings: Settings, cache: StatCache) -> None:
        self._shadow = shadow
        self._settings = settings
        self._cache = cache
        self._now = time.time()
        self._key = os.fsencode(shadow.folder)
        self._known = cache.doubts.get(self._key, Doubt(b"", shadow.written + _FRESH, {}))
        self._paths = dict(self._known.paths)
        self._recent: dict[bytes, int] = {}

    def commands(self) -> list[Command]:
        """What git must be asked: which paths have such attributes; nothing where the answer is known."""
        if self._known.index == self._shadow.index:
            return []
        return [attributed(self._shadow, *(_PLAIN[1:] if self._settings.converts_lines else _PLAIN))]

    def look(self) -> None:
        """Find the paths that the index saw change of late; to be done while git is at work."""
        if self._known.index != self._shadow.index:
            self._recent = self._shadow.recent(self._known.at - _FRESH)

    def paths(
        self,
        answers: Sequence[Answer],
        tracked: Sequence[bytes],
        differing: Collection[bytes],
        contents: Contents,
        budget: Budget,
    ) -> Collection[bytes]:
        """The paths, given git's answers and the index's lines; what was in doubt stays so until it is settled."""
        for answer in answers:
            for path in self._converted(set(answer.records), tracked, differing, contents, budget):
                self._paths.setdefault(path, 0)
            self._paths |= self._fresh(tracked, contents)
        return self._paths.keys()

    def _converted(
        self,
        lines: set[bytes],
        tracked: Sequence[bytes],
        differing: Collection[bytes],
        contents: Contents,
        budget: Budget,
    ) -> Iterator[bytes]:
        """Of the paths that may be converted those that are: by their size where only line ends are at stake."""
        if not lines:
            return
        (answer,) = run([attributed(self._shadow, f":(exclude,attr:{_UNFILTERED})")], budget)
        yield from answer.records
        lines.difference_update(answer.records)
        yield from lines.intersection(differing)
        yield from self._resized(_lines_of(tracked, lines.difference(differing)), contents, budget)

    def _fresh(self, tracked: Sequence[bytes], contents: Contents) -> Iterator[tuple[bytes, int]]:
        """The paths that may have changed in the second in which git looked, by what the system says of them now."""
        recent = self._recent
        if b"" in recent:
            recent = dict.fromkeys((entry.partition(b"\t")[2] for entry in tracked), recent[b""])
        for path, changed in recent.items():
            status = contents.status(path)
            if status and (status.st_ctime_ns != changed or self._is_fresh(changed)):
                yield path, changed

    def _is_fresh(self, changed: int) -> bool:
        return changed > (self._now - _FRESH) * _NS

    def settle(self, stored: Mapping[bytes, bytes], found: Mapping[bytes, bytes]) -> None:
        """Keep in doubt what differs from its line in the index, or is too fresh; git's word holds for the rest."""
        kept = {
            path: changed
            for path, changed in self._paths.items()
            if stored.get(path) != found.get(path) or self._is_fresh(changed)
        }
        self._cache.doubts[self._key] = Doubt(self._shadow.index, self._now, kept)

    def _resized(self, entries: Iterator[tuple[bytes, bytes]], contents: Contents, budget: Budget) -> Iterator[bytes]:
        """The paths of another size than what is stored: converting line ends always makes a text shorter."""
        known = [
            (path, status.st_size if (status := contents.status(path)) else -1, stored) for path, stored in entries
        ]
        if not known:
            return
        stdin = b"".join(stored + b"\n" for _, _, stored in known)
        command = self._shadow.command("cat-file", "--batch-check=%(objectsize)", "--buffer", stdin=stdin)
        (answer,) = run([command], budget)
        for (path, size, _), stored_size in zip(known, answer.out.split(b"\n"), strict=False):
            if stored_size != b"%d" % size:
                yield path


def _lines_of(tracked: Sequence[bytes], wanted: Collection[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """Path and stored id of the wanted lines."""
    for entry in tracked if wanted else ():
        about, _, path = entry.partition(b"\t")
        if path in wanted:
            yield path, about.split(b" ")[2]

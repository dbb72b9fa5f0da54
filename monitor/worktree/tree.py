"""All folders of a watched tree that count: each is watched by the kernel or, where it cannot be, looked at by turns."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from monitor.streams.files import identity
from monitor.worktree.counting import RULES, Counting
from monitor.worktree.folders import Folder, Touch, Touched, folds_case, holds_content, listing, mark_of
from monitor.worktree.listed import Listed
from monitor.worktree.notices import Notices
from monitor.worktree.reach import folder_at, status_at

OWN = ".git"
FOLDERS = 30_000
"""Folders watched at most: each takes one of the watches that all programs of the user share."""
_GONE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)


class Tree:
    """The folders, with a mark for every file: whatever notice was lost, a look at a folder tells what changed."""

    def __init__(self, top: Path, notices: Notices | None, ours: bytes = b"") -> None:
        self._top = str(top)
        self._folds = folds_case(self._top)
        self._notices = notices
        self._counting = Counting(top)
        self._ours = os.fsdecode(ours).rstrip("/")
        """A folder in it that is the monitor's own: nothing in there counts."""
        self._listed = Listed()
        self._watched: dict[int, Folder] = {}
        self.unwatched: dict[Folder, None] = {}
        """Folders of which the kernel gives no notice."""
        self.full: OSError | None = None
        """Why it gives none, where a limit is the reason."""
        self._count = 1
        self.cut = False
        """There are more folders than are watched."""
        self.gitdir = self._counting.gitdir
        self.top = Folder("", self._counting.top(), known=True)
        self._enter(self.top, Touched(blind=True))

    def folder(self, watch: int) -> Folder | None:
        """The folder that a notice speaks of."""
        return self._watched.get(watch)

    def parent(self, folder: Folder) -> Folder | None:
        """The folder in which a folder lies; none for the top, and for one that is gone with it."""
        return self._at(folder.path.rpartition("/")[0]) if folder.path else None

    def holds(self, folder: Folder) -> bool:
        """Whether a folder is still part of the tree."""
        return self._at(folder.path) is folder

    def all(self) -> Iterator[Folder]:
        """Every folder, those above before those below."""
        waiting = [self.top]
        while waiting:
            folder = waiting.pop()
            yield folder
            waiting += folder.folders.values()

    def counts(self, touch: Touch) -> bool:
        """Whether a file counts: no rule hides it, or it was measured all the same since git tracks it."""
        path = os.fsencode(touch.path)
        scope = (self._at(touch.folder.path) or touch.folder).scope
        return touch.name != OWN and (not scope.hides(path, folder=False) or self._listed.get(path) is not None)

    def look(self, folder: Folder, name: str, touched: Touched) -> None:
        """See what one name in a folder stands for now; where case says nothing, only the listing knows the file's name."""
        if self._folds:
            self._scan(folder, touched)
            return
        try:
            status = status_at(self._top, folder.at(name))
        except OSError as error:
            if error.errno not in _GONE:
                return
            status = None
        self._see(folder, name, status, touched)

    def rescan(self, folder: Folder, touched: Touched) -> None:
        """See everything in a folder anew, and what is new below it."""
        if folder.watch < 0:
            self._watch(folder, touched)
        self._scan(folder, touched)

    def renew(self, folder: Folder, touched: Touched) -> None:
        """Apply the ignore rules anew to a folder and all below it."""
        parent = self.parent(folder)
        self.leave(folder, touched)
        if parent is not None:
            self.look(parent, folder.path.rpartition("/")[2], touched)
            return
        self._counting = Counting(Path(self._top))
        self.gitdir = self._counting.gitdir
        self.top = Folder("", self._counting.top(), known=True)
        self._enter(self.top, touched)

    def leave(self, folder: Folder, touched: Touched) -> None:
        """A folder is gone, and all below it."""
        waiting = [folder]
        while waiting:
            one = waiting.pop()
            self._count -= one is not self.top
            self.unwatched.pop(one, None)
            if one.watch >= 0:
                self._watched.pop(one.watch, None)
                if self._notices:
                    self._notices.remove(one.watch)
                one.watch = -1
            for name, mark in one.marks.items():
                touched.add(one, name, mark, None)
            waiting += one.folders.values()
        parent = self.parent(folder)
        if parent is not None:
            parent.folders.pop(folder.path.rpartition("/")[2], None)

    def know(self, listed: Listed, touched: Touched) -> None:
        """Take in a measurement's files: a folder with one of them counts, whatever hides it."""
        self._listed = listed
        for folder in list(self.all()):
            for name in [one for one in folder.hidden if listed.any_below(os.fsencode(folder.at(one)))]:
                folder.hidden.discard(name)
                self.look(folder, name, touched)

    def _at(self, path: str) -> Folder | None:
        at: Folder | None = self.top
        for part in path.split("/") if path else ():
            at = at.folders.get(part) if at else None
        return at

    def _enter(self, folder: Folder, touched: Touched) -> None:
        """Watch a folder, and only then look into it, so that nothing falls between; so for all below it."""
        waiting = [folder]
        while waiting:
            one = waiting.pop()
            self._watch(one, touched)
            waiting += self._scan_one(one, touched)

    def _scan(self, folder: Folder, touched: Touched) -> None:
        for new in self._scan_one(folder, touched):
            self._enter(new, touched)

    def _scan_one(self, folder: Folder, touched: Touched) -> list[Folder]:
        """See what lies in a folder; the new folders in it come back."""
        try:
            found = listing(self._top, folder.path)
        except OSError as error:
            if error.errno not in _GONE:
                return []
            found = {}
        if not folder.known:
            folder.known = True
            if RULES in found or OWN in found:
                folder.scope = self._counting.within(folder.scope, os.fsencode(folder.path))
        folder.hidden &= found.keys()
        for name in [*(folder.marks.keys() - found.keys()), *(folder.folders.keys() - found.keys())]:
            self._see(folder, name, None, touched)
        new = [self._take(folder, name, status, touched) for name, status in found.items()]
        return [one for one in new if one is not None]

    def _see(self, folder: Folder, name: str, status: os.stat_result | None, touched: Touched) -> None:
        if status is None:
            folder.hidden.discard(name)
            if name in folder.folders:
                self.leave(folder.folders[name], touched)
            if (mark := folder.marks.pop(name, None)) is not None:
                touched.add(folder, name, mark, None)
        elif new := self._take(folder, name, status, touched):
            self._enter(new, touched)

    def _take(self, folder: Folder, name: str, status: os.stat_result, touched: Touched) -> Folder | None:
        """Note one thing that lies in a folder; where it is a folder not known yet, it comes back."""
        known = folder.folders.get(name)
        is_folder = stat.S_ISDIR(status.st_mode)
        if known is not None and not (is_folder and known.identity == identity(status)):
            self.leave(known, touched)
            known = None
        mark = mark_of(status) if holds_content(status) else None
        old = folder.marks.get(name)
        if mark != old:
            touched.add(folder, name, old, None if mark is None else status)
        if mark is None:
            folder.marks.pop(name, None)
        else:
            folder.marks[name] = mark
        return self._new(folder, name, status) if is_folder and known is None else None

    def _new(self, folder: Folder, name: str, status: os.stat_result) -> Folder | None:
        path = folder.at(name)
        if name == OWN or path == self._ours or name in folder.hidden:
            return None
        if self._count >= FOLDERS:
            self.cut = True
            return None
        hidden = folder.scope.hides(os.fsencode(path), folder=True)
        if hidden and not self._listed.any_below(os.fsencode(path)):
            folder.hidden.add(name)
            return None
        scope = replace(folder.scope, hidden=True) if hidden else folder.scope
        self._count += 1
        found = folder.folders[name] = Folder(path, scope, identity(status))
        return found

    def _watch(self, folder: Folder, touched: Touched) -> None:
        """Ask the kernel for notices of a folder; one that it cannot give is looked at by turns."""
        self.unwatched[folder] = None
        if self._notices is None or self.full is not None:
            return
        try:
            watch = self._notices.add(f"{self._top}/{folder.path}")
        except OSError as error:
            if error.errno == errno.ENOSPC:
                self.full = error
            return
        other = self._watched.get(watch)
        if other is not None and other is not folder:
            if self._stands(other, folder):
                return
            other.watch = -1
            self.leave(other, touched)
        self._watched[watch] = folder
        folder.watch = watch
        del self.unwatched[folder]

    def _stands(self, known: Folder, folder: Folder) -> bool:
        """Whether two folders of the tree are one: then the kernel speaks of the first alone."""
        try:
            with folder_at(self._top, known.path) as one, folder_at(self._top, folder.path) as other:
                return os.path.samestat(os.fstat(one), os.fstat(other))
        except OSError:
            return False

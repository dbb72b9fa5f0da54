"""Looks out for what stirs in a folder: by the kernel's notices, and by turns where it gives none."""

from __future__ import annotations

import os
import stat
import threading
import time
from contextlib import suppress
from pathlib import Path

from monitor.streams.files import identity
from monitor.streams.limits import explain
from monitor.text import plural
from monitor.worktree.counting import RULES
from monitor.worktree.folders import Folder, Touch, Touched
from monitor.worktree.listed import Listed
from monitor.worktree.mounts import remote
from monitor.worktree.notices import Notice, Notices
from monitor.worktree.pace import Pace
from monitor.worktree.tree import FOLDERS, OWN, Tree

_IDLE, _SOON = 3.0, 1.0
"""Seconds between two looks at whether the folder itself still stands there, of which the kernel gives notice in all but
a few cases, while somebody looks at the run; and where it is gone, or there are no notices."""
_PERIOD, _SHARE = 2.0, 50
"""Seconds between two looks at what the kernel gives no notice of; one that takes long is taken less often: at most
this part of the time goes into looking."""
_LOST = "the project folder is gone or was replaced: its changes are seen again once it is back"
_MANY = f"more than {FOLDERS:,} folders count: changes in the others are seen when the folder is measured"
_HINTS = ("HEAD", "index")
"""Files of git that change when it does."""


class Lookout:
    """Gives the files that may have changed. For one thread, but for `wake` and `hurry`."""

    def __init__(self, folder: Path, ours: bytes = b"") -> None:
        self._folder = folder
        self._ours = ours
        self.hinted = False
        """A measurement would tell more: git's own files changed, or the folder was gone for a while."""
        self.lost = False
        """The folder is not the one that it was."""
        self._notices: Notices | None = None
        self._refused: OSError | None = None
        self._woken = threading.Event()
        self._remote = remote(folder)
        self._tree: Tree | None = None
        self._top: tuple[int, int] | None = None
        self._git: set[int] = set()
        self._listed = Listed()
        self._touched, self._pace = Touched(), Pace()
        self._period = _PERIOD
        self._due = self._idle = 0.0
        self._hurried = False
        self._slowed = 1
        self._connect()

    def open(self) -> None:
        """Look into every folder that counts; what is there now is what changes are told against."""
        top = self._standing()
        if top is None:
            return
        self._top = top
        self._touched, self._pace = Touched(), Pace()
        self._tree = Tree(self._folder, self._notices, self._ours)
        self._tree.know(self._listed, Touched(blind=True))
        self._watch_git(self._tree)
        self._due = time.monotonic() + self._period

    def know(self, listed: Listed) -> None:
        """Take in a measurement's files."""
        self._listed = listed
        if self._tree is not None:
            self._tree.know(listed, self._touched)

    def wait(self) -> None:
        """Return when something stirs, when it is time for a look, or when woken."""
        now = time.monotonic()
        idle = _IDLE * self._slowed if self._tree is not None and self._notices is not None else _SOON
        due = [now + idle, self._pace.next() or now + idle]
        if self._polled():
            due.append(self._due)
        rest = max(min(due) - now, 0.0)
        if self._notices is not None:
            self._notices.wait(rest)
        else:
            self._woken.wait(rest)
        self._woken.clear()

    def touches(self) -> list[Touch]:
        """The files that may be another than they were."""
        now = time.monotonic()
        notices, before = self._notices.read() if self._notices else [], self._tree
        if now >= self._idle:
            self._idle = now + _SOON
            self._check()
        for notice in notices:
            if self._tree is not None and self._tree is before:
                self._notice(notice, self._tree, now)
        if self._tree is None:
            return []
        if self._hurried:
            self._hurried, self._due = False, now
            self._pace.hurry(now)
        for folder, name in self._pace.take(now):
            self._tree.look(folder, name, self._touched)
        self._poll(self._tree, now)
        return self._taken(self._tree)

    @property
    def problem(self) -> str:
        """Why changes are seen late or not at all; empty when they are not."""
        if self._tree is None:
            return _LOST
        return "; ".join(filter(None, (self._late(self._tree), _MANY if self._tree.cut else "")))

    def wake(self) -> None:
        """End the wait, or the next one; safe from any thread."""
        self._woken.set()
        notices = self._notices
        if notices is not None:
            notices.wake()

    def hurry(self) -> None:
        """Look at everything that may have changed now, whatever its turn."""
        self._hurried = True
        self.wake()

    def slow(self, slowed: int) -> None:
        """Look so many times less often at whether the folder still stands there."""
        sooner, self._slowed = slowed < self._slowed, slowed
        if sooner:
            self.wake()

    def close(self) -> None:
        """Watch nothing any more."""
        notices, self._notices = self._notices, None
        if notices is not None:
            notices.close()

    def _late(self, tree: Tree) -> str:
        """Why some changes are seen late."""
        polled = plural(len(self._polled()), "folder")
        late = f"changes in {polled} are looked for every {self._period:.0f} s instead"
        if self._refused is not None:
            return explain(self._refused, "instances", late)
        if self._notices is None:
            return f"this system gives no notice of changes: {late}"
        if tree.full is not None:
            return explain(tree.full, "watches", late)
        if self._remote:
            return f"its disk ({self._remote}) gives no notice of what others change there: {late}"
        return ""

    def _connect(self) -> None:
        try:
            self._notices = Notices()
        except OSError as error:
            self._refused = error
        except ImportError:
            self._notices = None

    def _standing(self) -> tuple[int, int] | None:
        try:
            status = os.lstat(self._folder)
        except OSError:
            return None
        return identity(status) if stat.S_ISDIR(status.st_mode) else None

    def _check(self) -> None:
        """Whether the folder still stands there: gone, moved, or hidden by a disk mounted over it, it is lost."""
        if self._tree is not None and self._standing() != self._top:
            self._lose()
        if self._tree is None:
            self.open()
            self.hinted = self._tree is not None

    def _lose(self) -> None:
        self._tree, self.lost = None, True
        self._git.clear()
        if self._notices is not None:
            self.close()
            self._connect()

    def _notice(self, notice: Notice, tree: Tree, now: float) -> None:
        if notice.watch < 0:
            for known in list(tree.all()):
                tree.rescan(known, self._touched)
            return
        if notice.watch in self._git:
            self.hinted |= notice.name in _HINTS
            return
        folder = tree.folder(notice.watch)
        if folder is None:
            return
        if notice.left:
            self._left(tree, folder)
        elif notice.name == OWN:
            tree.renew(folder, self._touched)
            self._watch_git(tree)
        elif notice.folder and notice.name:
            tree.look(folder, notice.name, self._touched)
        elif notice.name:
            self._pace.stirred(folder, notice.name, now, ended=notice.ended)

    def _left(self, tree: Tree, folder: Folder) -> None:
        """A watched folder is gone or went elsewhere; another may have its name by now."""
        parent = tree.parent(folder)
        if parent is None:
            self._lose()
            return
        tree.leave(folder, self._touched)
        tree.look(parent, folder.path.rpartition("/")[2], self._touched)

    def _polled(self) -> list[Folder]:
        if self._tree is None:
            return []
        return list(self._tree.all() if self._remote else self._tree.unwatched)

    def _poll(self, tree: Tree, now: float) -> None:
        polled = self._polled() if now >= self._due else []
        if not polled:
            return
        tree.full = None
        for folder in polled:
            tree.rescan(folder, self._touched)
        self._period = max(_PERIOD, (time.monotonic() - now) * _SHARE)
        self._due = now + self._period

    def _taken(self, tree: Tree) -> list[Touch]:
        touches = self._touched.take()
        for touch in [one for one in touches if one.name == RULES and tree.holds(one.folder)]:
            tree.renew(touch.folder, self._touched)
        touches += self._touched.take()
        return [one for one in touches if tree.counts(one)]

    def _watch_git(self, tree: Tree) -> None:
        """Be told where HEAD or the index change; the commits of a branch show in the log of HEAD."""
        if self._notices is None or tree.gitdir is None:
            return
        for place in (tree.gitdir, tree.gitdir / "logs"):
            with suppress(OSError):
                self._git.add(self._notices.add(str(place)))

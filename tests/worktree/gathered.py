"""What a watcher tells, gathered."""

from __future__ import annotations

from waiting import until

from monitor.worktree.diff_text import unified
from monitor.worktree.fingerprint import measure
from monitor.worktree.watch import Watcher


def gather(watcher, wanted):
    """Wait until all these files have been told; what was told of each comes back."""
    found = {}

    def all_told():
        found.update({event.file: event.what for event in watcher.changes()})
        return wanted <= found.keys()

    until(all_told)
    return found


def watching(project):
    made = Watcher(project.path)
    made.begin()
    made.settle()
    made.reconcile(measure(project.path))
    made.settle()
    assert made.changes() == []
    yield made
    made.close()


def told(watcher):
    """What has changed by now, by file; of one told twice, how it began."""
    watcher.settle()
    return {event.file: event.what for event in reversed(watcher.changes())}


def one(watcher):
    watcher.settle()
    (event,) = watcher.changes()
    return event


def events(live):
    live.settle()
    return {event.file: event for event in live.changes()}


def lines(live, file, since=None):
    """What is added and removed, as a person reads it."""
    live.settle()
    return [row for row in unified(live.diff.of(file, since)) if row[0] in "+-" and row[:3] not in ("+++", "---")]

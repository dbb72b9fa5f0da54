"""Watches that keep what is overwritten, for the tests of rescue."""

from __future__ import annotations

from contextlib import contextmanager

from monitor.config import state_folder
from monitor.worktree.fingerprint import measure
from monitor.worktree.live import LiveFolder


@contextmanager
def watches(project):
    """Begins to watch the project, as often as asked, and ends it."""
    made = []

    def begin():
        live = LiveFolder(project.path, run="the run", state=state_folder())
        made.append(live)
        live.begin()
        live.settle()
        live.reconcile(measure(project.path))
        live.settle()
        live.changes()
        return live

    try:
        yield begin
    finally:
        for live in made:
            live.close()


def overwrite(live, project, file="README.md", outside="by another hand\n", agents="by the agent\n"):
    """A file changes outside, and the agent writes over it; what was outside is rescued."""
    project.write(file, outside)
    live.settle()
    first = live.changes()[-1]
    project.write(file, agents)
    live.settle()
    second = live.changes()[-1]
    assert second.before == first.after
    live.rescue(file, second.before, changed=first.at, overwritten=second.at, by="Write")
    return first, second

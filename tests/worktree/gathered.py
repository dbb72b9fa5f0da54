"""What a watcher tells, gathered."""

from __future__ import annotations

from waiting import until


def gather(watcher, wanted):
    """Wait until all these files have been told; what was told of each comes back."""
    found = {}

    def all_told():
        found.update({event.file: event.what for event in watcher.changes()})
        return wanted <= found.keys()

    until(all_told)
    return found

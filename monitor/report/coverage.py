"""What could be judged of a run, and why the rest could not."""

from __future__ import annotations

from collections.abc import Iterator

from monitor.detectors.worktree_view import WorktreeView
from monitor.events import DETECTORS, Coverage
from monitor.report.shape import Seeing
from monitor.snapshot import Snapshot
from monitor.text import plural

GAP = "an input has a gap"
"""What is wrong with an input that does not say it."""


def coverage(snapshot: Snapshot) -> dict[str, Seeing]:
    """Each of `events.DETECTORS` with how much of what it needs could be seen."""
    return {name: _seeing(name, snapshot) for name in DETECTORS}


def _seeing(name: str, snapshot: Snapshot) -> Seeing:
    seen = _seen(name, snapshot)
    return {"sees": seen.sees, "why": seen.why}


def _seen(name: str, snapshot: Snapshot) -> Coverage:
    if snapshot.seq < 0:
        return Coverage("none", "nothing has been read")
    told = snapshot.coverage.get(name, Coverage("full"))
    if name == "outside_edits" and (snapshot.outside.blind or snapshot.worktree.by != "monitor"):
        return Coverage("none", snapshot.outside.blind or "the folder was not watched while the run went on")
    if name == "worktree":
        return _measured(snapshot.worktree) or told
    gaps = (*_gaps(snapshot), *(snapshot.unwatched if name == "outside_edits" else ()))
    unlisted = tuple(_unlisted(snapshot)) if name == "failed_writes" else ()
    why = "; ".join(filter(None, (told.why, *gaps, *unlisted)))
    return Coverage("partial" if gaps and told.sees == "full" else told.sees, why)


def _measured(view: WorktreeView) -> Coverage | None:
    """What is missing of a measurement; none when there is one since the latest prompt."""
    if view.changed is not None:
        return None
    return Coverage("none" if view.since_start is None else "partial", view.reason or "not measured")


def _gaps(snapshot: Snapshot) -> Iterator[str]:
    """What a detector may have missed because it never arrived."""
    if snapshot.unreadable:
        yield f"{plural(snapshot.unreadable, 'record')} could not be read"
    for problem in snapshot.missed:
        yield problem or GAP


def _unlisted(snapshot: Snapshot) -> Iterator[str]:
    """Failures that were counted and are no longer kept one by one."""
    for entry in snapshot.writes.entries:
        standing = sum(not one.excused and one.outcome not in ("denied", "corrected") for one in entry.failures)
        listed = standing or len(entry.failures)
        if entry.count > listed:
            yield f"{entry.file}: {plural(entry.count, 'failure')}, the last {listed} listed"

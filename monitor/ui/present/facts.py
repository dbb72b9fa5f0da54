"""What holds beside the verdict, by weight: stop, warn, outside, note, blind, plain."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from monitor.events import Kind
from monitor.findings import Finding
from monitor.snapshot import OpenCall, Snapshot
from monitor.text import plural, shorten
from monitor.ui.marks import weight
from monitor.ui.pen import whole
from monitor.ui.present.short import short
from monitor.ui.present.strip import Fact
from monitor.ui.present.worktree import seen_live

TOLD = {
    "not made": ("failed_writes",),
    "unchanged": ("worktree",),
}
"""Detectors whose findings the reason of a state already tells."""
WORKING = ("running", "blocked", "looping")
"""States in which a call can be going on."""
LONG = 10.0
"""Seconds from which on a call that runs is named."""
DOES: dict[Kind, str] = {
    "read": "reading", "write": "writing", "fetch": "fetching", "search": "searching", "delegate": "a sub-agent works",
    "poll": "waiting",
}  # fmt: skip
"""What a call that runs does; any other is running."""
SHOWN = {"failed_writes": "results of writes", "sites": "sites", "thinking": "thinking"}
"""What a detector looks at, for a source that cannot show it."""


def facts(
    snapshot: Snapshot, *, live: bool, now: float | None = None, began: Callable[[OpenCall], float | None] | None = None
) -> tuple[Fact, ...]:
    """Everything to be said beside the verdict, the most pressing first.

    `began` tells when a call that runs was seen to begin, where its source gives no time.
    """
    said = [*_troubles(snapshot), *_findings(snapshot), *_outside(snapshot), *_blind(snapshot, live)]
    said += [*_runs(snapshot, now, began), *_plain(snapshot)]
    told = snapshot.verdict.reason
    ordered = sorted((one for one in said if one[1] not in told), key=lambda one: -weight(one[0]))
    return tuple(dict.fromkeys(ordered))


def open_findings(snapshot: Snapshot) -> tuple[Finding, ...]:
    """What asks for somebody, the most pressing first."""
    return tuple(one for one in snapshot.findings if one.state == "open")


def _troubles(snapshot: Snapshot) -> Iterator[Fact]:
    for sentence in snapshot.sources:
        yield "warn", sentence
    if snapshot.verdict.provisional and snapshot.verdict.why_provisional:
        yield "note", snapshot.verdict.why_provisional
    if snapshot.unreadable:
        yield "note", f"{plural(snapshot.unreadable, 'record')} unreadable"


def _runs(snapshot: Snapshot, now: float | None, began: Callable[[OpenCall], float | None] | None) -> Iterator[Fact]:
    """The call that has run for long, by its command or file, with how long."""
    calls = [one for one in snapshot.calls if one.kind != "ask"]
    if now is None or not calls or snapshot.verdict.state not in WORKING:
        return
    first = calls[0]
    at = first.at if first.at is not None or began is None else began(first)
    if at is None or now - at < LONG or not (passed := whole(now - at)):
        return
    more = f", {len(calls) - 1} more" if len(calls) > 1 else ""
    yield "", f"{DOES.get(first.kind, 'running')} for {passed}: {shorten(first.what, 60)}{more}"


def _findings(snapshot: Snapshot) -> Iterator[Fact]:
    state, reason = snapshot.verdict.state, snapshot.verdict.reason
    told = TOLD.get(state, ())
    found = [one for one in open_findings(snapshot) if one.detector not in told and one.message not in reason]
    writes = [one for one in found if one.detector == "failed_writes"]
    if len(writes) > 1:
        yield writes[0].level, f"{len(writes)} writes outstanding"
    for one in found:
        if one.detector != "failed_writes" or len(writes) == 1:
            yield one.level, short(one, snapshot)


def _outside(snapshot: Snapshot) -> Iterator[Fact]:
    named = [one.subject for one in open_findings(snapshot) if one.detector == "outside_edits"]
    tree = snapshot.worktree
    found = {one.file for one in tree.files if one.by == "outside"}
    found |= {one.file for one in snapshot.outside.edits if one.seq > tree.prompted and not one.by}
    files = found.difference(named)
    if len(files) == 1:
        yield "outside", f"{files.pop().rsplit('/', 1)[-1]} edited outside"
    elif files:
        yield "outside", f"{len(files):,} files edited outside"


def _blind(snapshot: Snapshot, live: bool) -> Iterator[Fact]:
    where = "not shown by this source" if live else "not in this log"
    for name, words in SHOWN.items():
        cover = snapshot.coverage.get(name)
        if cover is not None and cover.sees == "none":
            yield "blind", f"{words} {where}"


def _plain(snapshot: Snapshot) -> Iterator[Fact]:
    tree, writes = snapshot.worktree, snapshot.writes
    if snapshot.verdict.state == "changed":
        yield "", "not proof that the task is done"
    if tree.pending:
        yield "", "measuring the folder"
    elif tree.changed is not None:
        files = f"{plural(tree.count, 'file')} changed" if tree.files else "changed"
        since = "your feedback" if tree.since_feedback else "the prompt"
        yield "", files if tree.changed else f"nothing changed since {since}"
    if seen := seen_live(tree):
        yield "", seen if tree.changed is None else f"{seen} since it was measured"
    cover = snapshot.coverage.get("failed_writes")
    if writes.made and not writes.failed and (cover is None or cover.sees == "full"):
        yield "", "no failed writes"
    if snapshot.sites.entries and all(one.answered for one in snapshot.sites.entries):
        yield "", "all sites answer"
    if snapshot.run.exit is not None:
        yield "", f"exit {snapshot.run.exit}"

"""What each panel says of a snapshot: one function a panel."""

from __future__ import annotations

from collections.abc import Callable

from monitor.detectors.writes_view import FailedWrite, FileEntry
from monitor.findings import Finding
from monitor.snapshot import Snapshot
from monitor.text import plural, shorten
from monitor.timeline.wording import FAILURES, OUTCOMES
from monitor.ui.marks import weight
from monitor.ui.pen import Pen
from monitor.ui.present.panel import Entry, Panel
from monitor.ui.present.sites import sites
from monitor.ui.present.thinking import thinking
from monitor.ui.present.words import in_part, sentence
from monitor.ui.present.worktree import worktree


def failure(write: FailedWrite) -> str:
    """What failed, in a few words."""
    if write.failure and write.failure != "other":
        return FAILURES[write.failure]
    return OUTCOMES[write.outcome] if write.outcome not in ("ok", "failed") else shorten(write.what, 60) or "failed"


def writes(pen: Pen, snapshot: Snapshot, now: float) -> Panel:
    """The ledger of failed writes."""
    view, cover = snapshot.writes, snapshot.coverage.get("failed_writes")
    if cover is not None and cover.sees == "none" and not view.entries:
        why = sentence(cover.why or "This source has no results of writes")
        return Panel("Failed writes", "not seen", "blind", blind=f"{why} An outstanding write would not show here.")
    found = {one.subject: one for one in snapshot.findings if one.detector == "failed_writes" and one.state == "open"}
    entries = tuple(_file(pen, one, found, now) for one in view.entries)
    level = max((one.level for one in entries), key=weight, default="") if view.outstanding else ""
    if not entries:
        made = f"{plural(view.made, 'write')}, all made" if view.made else "no write so far"
        entries = (Entry("", "1 write, made" if view.made == 1 else made),)
    entries += in_part(cover)
    return Panel("Failed writes", f"{view.outstanding} outstanding" if view.outstanding else "none", level, entries)


def _file(pen: Pen, entry: FileEntry, found: dict[str, Finding], now: float) -> Entry:
    last = entry.last
    at = pen.clock(last.at, now)
    if not entry.outstanding:
        mended = "mended" if entry.settled_by == "a later write" else "settled"
        by = f"failed {at}, " if at else ""
        done = pen.clock(entry.settled_at, now)
        below = f"{by}made {done}" if mended == "mended" and done else f"{by}{entry.settled_by}"
        return Entry("ok", entry.file, mended, below, path=True, seq=last.spot.seq)
    finding = found.get(entry.key) or found.get(entry.file)
    level = finding.level if finding else "note"
    words = "whether it was written is not known" if entry.unknown else failure(last)
    when = f", {'last ' if entry.count > 1 else ''}at {at}" if at else ""
    below = "something else has put the new text in" if entry.lowered else words + when
    figure = f"×{entry.count}"
    return Entry(level, entry.file or "no file named", figure, below, level, path=bool(entry.file), seq=last.spot.seq)


PANELS: tuple[tuple[str, Callable[[Pen, Snapshot, float], Panel]], ...] = (
    ("writes", writes),
    ("sites", sites),
    ("thinking", thinking),
    ("worktree", worktree),
)
"""The panels from left to right: the widget's id, and what it says."""

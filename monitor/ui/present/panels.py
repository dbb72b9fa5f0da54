"""What each panel says of a snapshot: one function a panel."""

from __future__ import annotations

from collections.abc import Callable

from monitor.detectors.outside_view import OutsideEdit
from monitor.detectors.worktree import NOT_SINCE
from monitor.detectors.worktree_view import ChangedFile, WorktreeView
from monitor.detectors.writes_view import FailedWrite, FileEntry
from monitor.findings import Finding
from monitor.snapshot import Snapshot
from monitor.text import plural, shorten
from monitor.ui.marks import weight
from monitor.ui.pen import Pen
from monitor.ui.present.panel import Entry, Panel
from monitor.ui.present.sites import sites
from monitor.ui.present.thinking import thinking
from monitor.ui.present.words import in_part, sentence
from monitor.wording import FAILURES, OUTCOMES


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
    below = "the new text stands there by another hand" if entry.lowered else words + when
    figure = f"×{entry.count}"
    return Entry(level, entry.file or "no file named", figure, below, level, path=bool(entry.file), seq=last.spot.seq)


def worktree(pen: Pen, snapshot: Snapshot, now: float) -> Panel:
    """What is known of the project folder."""
    view = snapshot.worktree
    found = [one.level for one in snapshot.findings if one.detector == "worktree" and one.state == "open"]
    level = max(found, key=weight, default="")
    by = "as the agent measured" if view.by == "agent" else ""
    edits = {one.file: one for one in snapshot.outside.edits}
    known = {one.file for one in view.files}
    seen = tuple(_outside(pen, one, now) for one in reversed(edits.values()) if one.file not in known)
    if view.changed is None and not view.files and not seen:
        if view.pending:
            return Panel("Worktree", "measuring", "", (Entry("", "the folder is being measured"),))
        if view.reason == NOT_SINCE:
            return Panel("Worktree", "not yet", "", (_awaited(pen, view),))
        return Panel("Worktree", "not seen", "blind", blind=sentence(view.reason or "Not measured"))
    first = sorted(view.files, key=lambda one: one.by != "outside")
    files = (*seen, *(_changed(pen, one, edits.get(one.file), now) for one in first))
    note = (Entry("", by),) if by else ()
    if view.changed is not False and view.attached is not None and view.by != "agent":
        note = (*note, Entry("", _start(pen, view, now)))
    if view.changed is None and view.reason == NOT_SINCE:
        return Panel("Worktree", "not yet", level, (_awaited(pen, view), *files, *note))
    if view.changed is None:
        return Panel("Worktree", "not measured", level, (Entry("blind", view.reason), *files, *note))
    if not view.changed:
        other = tuple(Entry("", file, "not counted", path=True) for file in reversed(view.elsewhere[-3:]))
        return Panel("Worktree", "unchanged", level, (*_unchanged(pen, view, now), *note, *other, *files))
    if not view.files:
        note = (Entry("", " and ".join(view.kinds) + " differ" if view.kinds else "the files are not named"), *note)
    return Panel("Worktree", f"{view.count:,} changed" if view.files else "changed", level, (*files, *note))


def _awaited(pen: Pen, view: WorktreeView) -> Entry:
    """When the folder will be compared, and how it is at once."""
    since = "feedback" if view.since_feedback else "prompt"
    return Entry("", "compared at the claim", below=f"{pen.key('measure')} compares with the {since} now")


def _unchanged(pen: Pen, view: WorktreeView, now: float) -> tuple[Entry, ...]:
    measured = f"measured at {pen.clock(view.at, now)}" if view.at is not None else ""
    since = "since the feedback" if view.since_feedback else "since the prompt"
    start = {True: "changed", False: "nothing", None: "not known"}[view.since_start]
    times = "once" if view.measured == 1 else f"{view.measured} times"
    return Entry("", since, "nothing", measured), Entry("", _start(pen, view, now), start, f"measured {times}")


def _start(pen: Pen, view: WorktreeView, now: float) -> str:
    """What the start is: for a run that was under way by then, the moment of attaching."""
    return "since the start" if view.attached is None else f"since attaching at {pen.clock(view.attached, now)}"


def _outside(pen: Pen, edit: OutsideEdit, now: float, why: str = "") -> Entry:
    """A file as it was last changed from outside; `enter` leads to the row of that change."""
    when = f"{edit.by or 'outside'} {pen.clock(edit.at, now)}".rstrip()
    return Entry("outside", edit.file, when, why, "outside", path=True, seq=edit.seq if edit.seq >= 0 else None)


def _changed(pen: Pen, file: ChangedFile, edit: OutsideEdit | None, now: float) -> Entry:
    if file.by == "outside":
        return _outside(pen, edit or OutsideEdit(file.file, file.at, -1), now, file.why)
    counted = [f"+{file.added}" if file.added else "", f"-{file.removed}" if file.removed else ""]
    figure = " ".join(filter(None, counted))
    if file.by not in ("agent", ""):
        figure = f"{file.by} {figure}".rstrip()
    return Entry("", file.file, figure, file.why, path=True)


PANELS: tuple[tuple[str, Callable[[Pen, Snapshot, float], Panel]], ...] = (
    ("writes", writes),
    ("sites", sites),
    ("thinking", thinking),
    ("worktree", worktree),
)
"""The panels from left to right: the widget's id, and what it says."""

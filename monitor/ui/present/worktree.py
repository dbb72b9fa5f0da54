"""The panel of the project folder: what was measured, and beside it what the watch has seen since."""

from __future__ import annotations

from collections.abc import Iterator

from monitor.detectors.outside_view import OutsideEdit
from monitor.detectors.worktree import NOT_SINCE
from monitor.detectors.worktree_view import UNMEASURED, ChangedFile, WorktreeView
from monitor.snapshot import Snapshot
from monitor.ui.marks import weight
from monitor.ui.pen import Pen
from monitor.ui.present.panel import Entry, Panel
from monitor.ui.present.words import sentence

_NAME = "Worktree"


def worktree(pen: Pen, snapshot: Snapshot, now: float) -> Panel:
    """What is known of the project folder; what was only seen live is never passed off as measured."""
    view = snapshot.worktree
    edits = {one.file: one for one in snapshot.outside.edits}
    files = tuple(_files(pen, view, edits, now))
    if view.changed is None:
        return _unknown(pen, snapshot, files, now)
    level, note = _level(snapshot), tuple(_notes(pen, view, now))
    live = _live(view)
    if view.changed:
        if not view.files:
            note = (Entry("", " and ".join(view.kinds) + " differ" if view.kinds else "the files are not named"), *note)
        told = f"{view.count:,} changed" if view.files else "changed"
        both = f"{told}, {live} live" if live else told
        return Panel(_NAME, both, level, (*files, *note), brief=told)
    other = tuple(Entry("", file, "not counted", path=True) for file in reversed(view.elsewhere[-3:]))
    measured = (*_unchanged(pen, view, now), *note, *other)
    if not live:
        return Panel(_NAME, "unchanged", level, (*measured, *files))
    again = f"{pen.key('measure')} measures it again" if pen.measures else ""
    first = Entry("", "seen live since it was measured", below=again)
    return Panel(_NAME, f"{live} live since", level, (first, *files, *measured), brief=f"{live} live")


def seen_live(view: WorktreeView) -> str:
    """How many files were seen to change, where no measurement says that any did; empty for none."""
    live = "" if view.changed else _live(view)
    return f"{live} {'file' if live == '1' else 'files'} seen to change" if live else ""


def _live(view: WorktreeView) -> str:
    """How many files were seen to change beside those that are measured to differ; empty for none."""
    measured = {one.file for one in view.files} if view.changed else set()
    number = sum(one.file not in measured for one in view.live) + view.live_more
    return f"{number:,}{'+' if view.live_cut else ''}" if number else ""


def _level(snapshot: Snapshot) -> str:
    found = [one.level for one in snapshot.findings if one.detector == "worktree" and one.state == "open"]
    return max(found, key=weight, default="")


def _unknown(pen: Pen, snapshot: Snapshot, files: tuple[Entry, ...], now: float) -> Panel:
    """Not measured since the prompt: why, and what was seen all the same."""
    view = snapshot.worktree
    live = _live(view)
    fails = not view.pending and view.reason not in ((NOT_SINCE, UNMEASURED) if live else (NOT_SINCE,))
    if fails and not files:
        return Panel(_NAME, "not seen", "blind", blind=sentence(view.reason or "Not measured"))
    first = Entry("blind", view.reason) if fails else _awaited(pen, view, live=bool(live))
    told = "not measured" if fails else "measuring" if view.pending and not view.files else "not yet"
    level = _level(snapshot)
    return Panel(
        _NAME,
        f"{live} seen live" if live else told,
        level,
        (first, *files, *_notes(pen, view, now)),
        brief=f"{live} live" if live else "",
    )


def _awaited(pen: Pen, view: WorktreeView, *, live: bool) -> Entry:
    """When the folder will be compared, and how it is at once."""
    if view.pending:
        return Entry("", "seen live; being measured" if live else "the folder is being measured")
    words = "seen live; compared at the claim" if live else "compared at the claim"
    return Entry("", words, below=f"{pen.key('measure')} compares it now" if pen.measures else "")


def _notes(pen: Pen, view: WorktreeView, now: float) -> Iterator[Entry]:
    """That the repository is gone, whose measurement it is, and what its start is, where that needs a word."""
    if "repository" in view.kinds:
        yield Entry("warn", ".git is gone")
    if view.by == "agent":
        yield Entry("", "as the agent measured")
    elif view.changed is not False and view.attached is not None:
        yield Entry("", _start(pen, view, now))


def _unchanged(pen: Pen, view: WorktreeView, now: float) -> tuple[Entry, ...]:
    measured = f"measured at {pen.clock(view.at, now)}" if view.at is not None else ""
    since = "since the feedback" if view.since_feedback else "since the prompt"
    asked = (Entry("", since, "nothing", measured),) if view.prompted >= 0 or view.since is not None else ()
    start = {True: "changed", False: "nothing", None: "not known"}[view.since_start]
    times = "once" if view.measured == 1 else f"{view.measured} times"
    return *asked, Entry("", _start(pen, view, now), start, f"measured {times}")


def _start(pen: Pen, view: WorktreeView, now: float) -> str:
    """What the start is: for a run that was under way by then, the moment of attaching."""
    return "since the start" if view.attached is None else f"since attaching at {pen.clock(view.attached, now)}"


def _files(pen: Pen, view: WorktreeView, edits: dict[str, OutsideEdit], now: float) -> Iterator[Entry]:
    """What others changed since the prompt, what was seen since the measurement, what was measured; then what is older."""
    known = {one.file for one in view.files}
    others = [one for one in sorted(edits.values(), key=lambda one: -one.seq) if one.file not in known]
    for edit in others:
        if edit.seq > view.prompted:
            yield _outside(pen, edit, now)
    for one in view.live:
        if one.file not in known and one.file not in edits:
            yield _seen(one)
    if view.live_more:
        yield Entry("", f"{view.live_more:,} more, too many at once to be named")
    for one in sorted(view.files, key=lambda one: one.by != "outside"):
        yield _measured(pen, one, edits.get(one.file), now)
    for edit in others:
        if edit.seq <= view.prompted:
            yield _outside(pen, edit, now)


def _outside(pen: Pen, edit: OutsideEdit, now: float, why: str = "") -> Entry:
    """A file as it was last changed from outside; `enter` leads to the row of that change."""
    when = f"{edit.by or 'outside'} {pen.clock(edit.at, now)}".rstrip()
    return Entry("outside", edit.file, when, why, "outside", path=True, seq=edit.seq if edit.seq >= 0 else None)


def _measured(pen: Pen, file: ChangedFile, edit: OutsideEdit | None, now: float) -> Entry:
    if file.by == "outside":
        return _outside(pen, edit or OutsideEdit(file.file, file.at, -1), now, file.why)
    return Entry("", file.file, _figure(file), file.why, path=True)


def _seen(file: ChangedFile) -> Entry:
    return Entry("", file.file, f"live {_figure(file)}".rstrip(), file.why, path=True)


def _figure(file: ChangedFile) -> str:
    """Lines added and removed, and whose hand it was, where it was not the agent's."""
    counted = [f"+{file.added}" if file.added else "", f"-{file.removed}" if file.removed else ""]
    return " ".join(filter(None, (file.by if file.by != "agent" else "", *counted)))

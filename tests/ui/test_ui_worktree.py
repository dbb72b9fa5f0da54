"""What the panel of the project folder says."""

from __future__ import annotations

from dataclasses import replace

from ui_samples import PEN, at

from monitor.detectors.outside_view import OutsideEdit, OutsideView
from monitor.detectors.worktree_view import ChangedFile, WorktreeView
from monitor.snapshot import Snapshot
from monitor.ui.present.panels import worktree

NOW = at("15:09:14")
MEASURED = WorktreeView(
    changed=True, since_start=True, by="monitor", measured=2, at=at("15:05:00"), since=at("15:01:00")
)


def panel(view: WorktreeView, *edits: OutsideEdit) -> list[tuple[str, str, int | None]]:
    shown = worktree(PEN, replace(Snapshot(), worktree=view, outside=OutsideView(edits=edits)), NOW)
    return [(one.text, one.right, one.seq) for one in shown.entries]


def test_outside_edits_have_their_time_and_their_row() -> None:
    """A file changed from outside stands first, with when that was; `enter` on it leads to the change's row."""
    files = (ChangedFile("a.py", "agent", added=2), ChangedFile("b.py", "outside", at=at("15:03:55")))
    edits = (OutsideEdit("b.py", at("15:03:20"), 7), OutsideEdit("b.py", at("15:03:55"), 9))
    assert panel(replace(MEASURED, files=files), *edits) == [("b.py", "outside 15:03:55", 9), ("a.py", "+2", None)]


def test_outside_edits_show_before_they_are_measured() -> None:
    """What was seen to change from outside is listed at once, whatever the last measurement said."""
    edit = OutsideEdit("new.py", at("15:03:55"), 9)
    assert panel(replace(MEASURED, files=(ChangedFile("a.py", "agent"),)), edit)[0] == ("new.py", "outside 15:03:55", 9)
    assert panel(replace(MEASURED, changed=False, since_start=False), edit)[-1] == ("new.py", "outside 15:03:55", 9)
    assert panel(WorktreeView(reason="not measured yet"), edit)[-1] == ("new.py", "outside 15:03:55", 9)


def test_another_attached_run_is_named() -> None:
    """Where another run is known to have changed it, that run's name stands there."""
    assert panel(MEASURED, OutsideEdit("x.py", at("15:03:55"), 9, by="run 12"))[0][1] == "run 12 15:03:55"


def test_the_start_of_a_run_under_way_is_the_moment_of_attaching() -> None:
    """The panel says so, whether the folder changed since then, did not, or nothing can be said."""
    late = replace(MEASURED, attached=at("15:02:00"), files=(ChangedFile("a.py", "agent"),))
    for changed in (True, None, False):
        assert "since attaching at 15:02:00" in [
            text for text, _, _ in panel(replace(late, changed=changed, reason="x"))
        ]
    assert "since the start" not in [text for text, _, _ in panel(replace(late, changed=False))]


def test_an_agents_own_measurement_is_shown_as_the_agents() -> None:
    """What dirtywork measured itself is not passed off as ours."""
    theirs = replace(MEASURED, by="agent", files=(ChangedFile("a.py"),))
    assert "as the agent measured" in [text for text, _, _ in panel(theirs)]
    assert "as the agent measured" in [text for text, _, _ in panel(replace(theirs, changed=False))]
    assert "as the agent measured" not in [text for text, _, _ in panel(replace(theirs, by="monitor"))]


def test_what_was_written_though_nothing_changed() -> None:
    """Files that were written and do not count are named beside a folder that did not change."""
    written = replace(MEASURED, changed=False, elsewhere=("build/o.txt", "/elsewhere/x"))
    assert panel(written)[-2:] == [("/elsewhere/x", "not counted", None), ("build/o.txt", "not counted", None)]

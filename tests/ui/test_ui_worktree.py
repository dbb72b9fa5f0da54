"""What the panel of the project folder says."""

from __future__ import annotations

from dataclasses import replace

import pytest
from ui_samples import PEN, at

from monitor.detectors.outside_view import OutsideEdit, OutsideView
from monitor.detectors.worktree import NOT_SINCE
from monitor.detectors.worktree_view import UNMEASURED, ChangedFile, WorktreeView
from monitor.snapshot import Snapshot
from monitor.ui.present.facts import facts
from monitor.ui.present.panel import row_of
from monitor.ui.present.worktree import seen_live, worktree

NOW = at("15:09:14")
MEASURED = WorktreeView(
    changed=True, since_start=True, by="monitor", measured=2, at=at("15:05:00"), since=at("15:01:00")
)


def drawn_row(view: WorktreeView, room: int = 78) -> str:
    """The panel where there is room for a single line."""
    return row_of(PEN, worktree(PEN, replace(Snapshot(), worktree=view), NOW), room).plain


def seen(count: int) -> tuple[ChangedFile, ...]:
    """So many files that the watch saw change."""
    return tuple(ChangedFile(f"src/{number}.py", "agent", added=1) for number in range(count))


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


def test_the_newest_stands_first() -> None:
    """What changed since the prompt stands before what others changed earlier, the latest of these first."""
    files = (ChangedFile("a.py", "agent", added=2), ChangedFile("b.py", "agent", added=1))
    old = [OutsideEdit(f"{number}.py", at("15:00:20"), number) for number in range(3)]
    edits = (*old, OutsideEdit("0.py", at("15:00:50"), 5), OutsideEdit("new.py", at("15:03:20"), 20))
    names = [name for name, _, _ in panel(replace(MEASURED, files=files, prompted=10), *edits)]
    assert [name for name in names if name.endswith(".py")] == ["new.py", "a.py", "b.py", "0.py", "2.py", "1.py"]


def test_every_file_edited_outside_is_counted() -> None:
    """Files edited outside since the prompt are counted once each, also those that a measurement does not name."""
    edits = tuple(OutsideEdit(f"{number % 1_093}.py", at("15:03:20"), 11 + number) for number in range(2_000))
    view = replace(MEASURED, prompted=10, files=(ChangedFile("0.py", "outside"), ChangedFile("x.py", "outside")))
    shown = replace(Snapshot(), worktree=view, outside=OutsideView(edits=(OutsideEdit("old.py", 1.0, 3), *edits)))
    assert "1,094 files edited outside" in [text for _, text in facts(shown, live=True)]


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


@pytest.mark.parametrize(
    ("view", "first"),
    [
        (WorktreeView(pending=True), "seen live; being measured"),
        (WorktreeView(reason=UNMEASURED), "seen live; compared at the claim"),
        (WorktreeView(reason=NOT_SINCE, measured=1), "seen live; compared at the claim"),
        (WorktreeView(reason="more than 500,000 files", measured=1), "more than 500,000 files"),
    ],
)
def test_what_was_seen_live_stands_until_it_is_measured(view: WorktreeView, first: str) -> None:
    """However the exact answer is held up, the files that were seen to change are counted and named, as only seen."""
    shown = worktree(PEN, replace(Snapshot(), worktree=replace(view, live=seen(310))), NOW)
    assert shown.summary == "310 seen live"
    assert (shown.entries[0].text, shown.entries[1].text, shown.entries[1].right) == (first, "src/0.py", "live +1")
    assert len(shown.entries) == 311
    assert "310 seen live" in drawn_row(replace(view, live=seen(310)))
    assert "310 files seen to change" in [
        text for _, text in facts(replace(Snapshot(), worktree=replace(view, live=seen(310))), live=True)
    ]


def test_more_than_are_remembered() -> None:
    """A count that is not all there were says so, also where there is little room."""
    view = WorktreeView(reason=NOT_SINCE, measured=1, live=seen(5_000), live_cut=True)
    assert worktree(PEN, replace(Snapshot(), worktree=view), NOW).summary == "5,000+ seen live"
    assert "5,000+ live " in drawn_row(view)
    at_once = replace(view, live=seen(1_000), live_cut=False, live_more=99_000)
    assert worktree(PEN, replace(Snapshot(), worktree=at_once), NOW).summary == "100,000 seen live"
    assert "100,000 live " in drawn_row(at_once)
    assert panel(at_once)[-1][0] == "99,000 more, too many at once to be named"
    assert seen_live(replace(at_once, changed=False)) == "100,000 files seen to change"
    assert seen_live(replace(view, live=seen(1), live_cut=False)) == "1 file seen to change"


def test_changes_seen_after_an_answer() -> None:
    """A folder that was measured to be unchanged is not called so once the watch saw more; the measurement stands."""
    view = replace(MEASURED, changed=False, since_start=False, live=seen(3))
    shown = worktree(PEN, replace(Snapshot(), worktree=view), NOW)
    assert shown.summary == "3 live since"
    assert [one.text for one in shown.entries][:2] == ["seen live since it was measured", "src/0.py"]
    assert "since the prompt" in [one.text for one in shown.entries]
    told = [text for _, text in facts(replace(Snapshot(), worktree=view), live=True)]
    assert "3 files seen to change since it was measured" in told


def test_more_changes_beside_those_measured() -> None:
    """What was seen since stands beside what was measured, told apart; a file that was measured is named once."""
    view = replace(MEASURED, files=(ChangedFile("src/0.py", "agent", added=2),), live=seen(3))
    shown = worktree(PEN, replace(Snapshot(), worktree=view), NOW)
    assert (shown.summary, shown.brief) == ("1 changed, 2 live", "1 changed")
    assert [(one.text, one.right) for one in shown.entries] == [
        ("src/1.py", "live +1"),
        ("src/2.py", "live +1"),
        ("src/0.py", "+2"),
    ]
    assert "1 changed " in drawn_row(view)


def test_where_nothing_can_be_measured_no_key_is_offered() -> None:
    """In a replay the hint how to measure at once is left out, before the folder is compared and after it."""
    still = replace(PEN, measures=False)
    for view in (WorktreeView(reason=NOT_SINCE, measured=1), replace(MEASURED, changed=False, live=seen(1))):
        for pen, offered in ((PEN, True), (still, False)):
            entries = worktree(pen, replace(Snapshot(), worktree=view), NOW).entries
            assert any(one.below.startswith("m ") for one in entries) is offered


def test_without_a_prompt_nothing_is_said_since_one() -> None:
    """A run of which no prompt is known is compared with its start alone."""
    view = replace(MEASURED, changed=False, since_start=False, since=None)
    assert [text for text, _, _ in panel(view)] == ["since the start"]
    assert [text for text, _, _ in panel(replace(view, prompted=3))] == ["since the prompt", "since the start"]

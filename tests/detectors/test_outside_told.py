"""What is told of authors: since the prompt, in the measured files, in the timeline."""

from __future__ import annotations

from dataclasses import replace

import pytest
from outside_story import Story

from monitor.detectors.outside_view import UNSEEN, merged, only_outside
from monitor.detectors.worktree_view import ChangedFile, WorktreeView


def test_by_whom_since_the_prompt():
    """A file is its latest author's since the prompt; an earlier hand from outside is named beside the run's own."""
    story = Story()
    story.write("a.py", 1, 2)
    story.changed("a.py", 1.5, added=3, removed=1)
    story.prompt(10)
    assert story.by() == "agent"
    story.changed("a.py", 20, added=4, removed=1)
    story.tick(60)
    assert story.by() == "outside"
    story.shell("make", 70, 80)
    story.changed("a.py", 75, added=5, removed=2)
    who = story.detector.view().who("a.py")
    assert (who.by, who.why, who.at, who.added, who.removed) == ("shell", "make; also changed outside", 1_075, 5, 2)


def test_the_last_hand_is_outside():
    """What somebody else wrote after the agent is never called the agent's, nor said to hold what the agent wrote."""
    story = Story()
    story.read("a.py", 1)
    story.write("a.py", 2, 3, op="write", new="agent1\n")
    story.changed("a.py", 2.5, after="agent1\n")
    story.changed("a.py", 7, after="mine\n")
    story.tick(60)
    who = story.detector.view().who("a.py")
    assert (who.by, who.also, who.at) == ("outside", "agent", 1_007)
    assert who.why == "the agent had changed it before, and that may be gone"


def test_a_doubt_after_the_agents_own_text():
    """A change that nobody can name does not lend its time to the agent, nor the agent's text to the file."""
    story = Story()
    story.write("a.py", 2, 3, op="write", new="agent1\n")
    story.changed("a.py", 2.5, after="agent1\n")
    story.changed("a.py", 4.5, after="formatted\n")
    story.tick(60)
    who = story.detector.view().who("a.py")
    assert (who.by, who.at, who.last) == ("agent", 1_002.5, 1_004.5)
    assert who.why.startswith("then changed again, by whom is not known: a formatter may have")


@pytest.mark.parametrize("first", [False, True])
def test_both_hands_are_the_runs_change(first):
    """A file that the agent changed and somebody else changed after it is no reason to say that only others did."""
    story = Story()
    if first:
        story.write("a.py", 2, 3)
        story.changed("a.py", 2.5, after="agent1")
    story.changed("a.py", 7, after="mine")
    story.tick(60)
    measured = WorktreeView(changed=True, by="monitor", kinds=("content",), files=(ChangedFile("a.py"),))
    shown = merged(measured, story.detector.view())
    assert shown.files[0].by == "outside"
    assert only_outside(shown) is not first


def test_a_file_that_was_never_told():
    """A file that differs, though no change of it was told, is by nobody known, with the reason; never the agent's."""
    story = Story()
    story.write("a.py", 2, 3)
    story.changed("a.py", 2.5)
    measured = WorktreeView(changed=True, by="monitor", files=(ChangedFile("a.py"), ChangedFile("b.py")))
    known, untold = merged(measured, story.detector.view()).files
    assert (known.by, untold.by, untold.why) == ("agent", "unknown", UNSEEN.why)
    assert story.detector.view().who("b.py") == UNSEEN


def test_who_in_the_measured_files():
    """Measured files take on whoever changed them; only where all are from outside is the run's hand out of it."""
    story = Story()
    story.changed("a.py", 10, added=1, removed=0)
    story.tick(60)
    measured = WorktreeView(changed=True, files=(ChangedFile("a.py"), ChangedFile("b.py")), kinds=("content",))
    both = merged(measured, story.detector.view())
    assert [(file.by, file.added, file.at) for file in both.files] == [("outside", 1, 1_010), ("", None, None)]
    assert not only_outside(both)
    one = merged(WorktreeView(changed=True, files=(ChangedFile("a.py"),), kinds=("content",)), story.detector.view())
    assert only_outside(one)
    moved = WorktreeView(changed=True, files=one.files, kinds=("content", "history"))
    assert not only_outside(moved)


def test_what_the_timeline_shows():
    """Only changes from outside are shown between the agent's events."""
    story = Story()
    story.write("a.py", 1, 2)
    story.changed("a.py", 1.5)
    outside = story.changed("a.py", 10)
    story.tick(60)
    assert [one.seq for one in story.detector.view().edits] == [outside]


def test_what_was_seen_since_the_prompt_or_since_it_was_measured():
    """Without an answer what changed since the prompt is live, the latest first; with one, what changed after it."""
    story = Story()
    story.changed("before.py", 0.5)
    story.prompt(1)
    prompted = len(story.events) - 1
    for at, file in enumerate(("a.py", "b.py", "a.py"), 2):
        story.changed(file, at)
    told = len(story.events) - 1
    asked = WorktreeView(prompted=prompted)
    assert [one.file for one in merged(asked, story.detector.view()).live] == ["a.py", "b.py"]
    measured = WorktreeView(changed=False, prompted=prompted, told=told)
    assert merged(measured, story.detector.view()) is measured
    story.changed("c.py", 6)
    assert [one.file for one in merged(measured, story.detector.view()).live] == ["c.py"]
    assert not merged(measured, story.detector.view()).live_cut


def test_more_live_changes_than_are_remembered():
    """Where files were forgotten that changed since, the count says that it is not all; older ones do not matter."""
    story = Story()
    for number in range(5_003):
        story.changed(f"{number}.py", 1 + number / 10_000)
    found = merged(WorktreeView(), story.detector.view())
    assert (len(found.live), found.live_cut) == (5_000, True)
    assert not merged(WorktreeView(prompted=10), story.detector.view()).live_cut
    assert story.detector.copy().view().forgotten == story.detector.view().forgotten


def test_what_changed_while_it_was_measured_is_live():
    """A measurement holds what changed before it began; of what changed later, though told before it, nobody knows."""
    story = Story()
    story.changed("before.py", 1)
    story.changed("while.py", 3)
    told = WorktreeView(changed=False, told=len(story.events), began=1_002)
    assert [one.file for one in merged(told, story.detector.view()).live] == ["while.py"]
    assert merged(replace(told, began=None), story.detector.view()).live == ()

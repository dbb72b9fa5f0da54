"""Whose hand a change was, and what is said when the agent's view was left out."""

from __future__ import annotations

import pytest
from outside_story import FileOutcome, Story, digest

from monitor.detectors.outside_edits import OutsideEdits
from monitor.detectors.outside_view import merged, only_outside
from monitor.detectors.worktree_view import ChangedFile, WorktreeView
from monitor.events import Change, Coverage, Noticed, RunStarted, SourceChanged, ToolCalled


@pytest.mark.parametrize(
    ("at", "by"),
    [
        (0.5, "outside"),
        (0.98, "outside"),
        (0.995, "agent"),
        (1.5, "agent"),
        (2.4, "agent"),
        (2.6, "unknown"),
        (3.9, "unknown"),
        (4.1, "outside"),
    ],
)
def test_around_a_write(at, by):
    """In the span of a write, half a second after included, it was the agent; two seconds after it may be a formatter."""
    story = Story()
    story.write("a.py", 1, 2)
    story.changed("a.py", at)
    story.tick(20)
    assert story.by() == by


def test_another_file_in_the_span_of_a_write():
    """A write accounts for the file it names, and for no other."""
    story = Story()
    story.write("a.py", 1, 2)
    story.changed("b.py", 1.5)
    story.tick(20)
    assert story.by("b.py") == "outside"


@pytest.mark.parametrize("path", ["/p/src/a.py", "src/a.py", "./src/../src/a.py", "src//a.py"])
def test_whatever_way_the_agent_spells_it(path):
    """A path means the same file however it is written."""
    story = Story()
    story.write(path, 1, 2)
    story.changed("src/a.py", 1.5)
    assert story.by("src/a.py") == "agent"


def test_the_name_in_other_letters():
    """On a disk that knows no case it may be the same file: it cannot be told."""
    story = Story()
    story.write("README.MD", 1, 2)
    story.changed("Readme.md", 1.5)
    story.tick(20)
    assert story.by("Readme.md") == "unknown"


def test_the_folder_by_another_name():
    """Where the agent reaches the folder by another path than the watch, its files are still the same."""
    story = Story()
    story.tell(RunStarted(cwd="/link/p"))
    story.write("/link/p/a.py", 1, 2)
    story.changed("a.py", 1.5)
    assert story.by() == "agent"


def test_a_watched_folder_above_the_agents():
    """Where the agent works in a part of the watched folder, names from above do not mean files within."""
    story = Story()
    story.tell(RunStarted(cwd="/p/sub"))
    story.write("a.py", 1, 2)
    story.changed("sub/a.py", 1.5)
    story.changed("a.py", 1.5)
    story.tick(20)
    assert (story.by("sub/a.py"), story.by("a.py")) == ("agent", "outside")


def test_what_a_write_holds_is_proof():
    """A file that holds exactly what the agent wrote was written by it, whatever the times say."""
    story = Story()
    story.write("a.py", 1, 2, op="write", new="whole\n")
    story.changed("a.py", 30, after="whole\n")
    story.tick(60)
    assert story.by() == "agent"


@pytest.mark.parametrize(
    ("outcome", "failure", "by"),
    [
        ("failed", "not_found", "outside"), ("failed", "stale", "outside"), ("denied", "", "outside"),
        ("refused", "", "outside"), ("failed", "io", "agent"), ("timed_out", "", "agent"), ("unknown", "", "agent"),
    ],
)  # fmt: skip
def test_a_write_that_was_not_made(outcome, failure, by):
    """A write that failed before anything was written accounts for nothing; one of which that is not known does."""
    story = Story()
    story.changed("a.py", 1.5)
    story.write("a.py", 1, 2, outcome=outcome, failure=failure)
    story.tick(20)
    assert story.by() == by


def test_a_patch_of_several_files():
    """Of a patch that failed for one file only the others were written."""
    story = Story()
    call = story.call(1, changes=(Change("a.py", "edit", "a", "b"), Change("b.py", "edit", "a", "b")))
    files = (FileOutcome("a.py"), FileOutcome("b.py", "failed", "not_found", cause=True))
    story.result(call, 2, "failed", files=files)
    story.changed("a.py", 1.5)
    story.changed("b.py", 1.5)
    story.tick(20)
    assert (story.by("a.py"), story.by("b.py")) == ("agent", "outside")


@pytest.mark.parametrize(("command", "by"), [("make all", "shell"), ("cat b.py", "outside"), ("git status", "outside")])
def test_a_command(command, by):
    """While a command ran that may write it was the shell; one that only looks accounts for nothing."""
    story = Story()
    story.shell(command, 1, 5)
    story.changed("a.py", 3)
    story.tick(20)
    assert story.by() == by


def test_a_background_command():
    """A command in the background may write at any time until its end is told."""
    story = Story()
    call = story.call(1, "shell", command="npm run dev", background=True)
    story.result(call, 1.1, background=True)
    story.changed("a.py", 60)
    assert story.by() == "unknown"
    assert "npm run dev" in story.why()
    story.result(call, 90)
    story.changed("a.py", 120)
    story.tick(200)
    assert story.by() == "unknown"
    story.prompt(300)
    story.changed("a.py", 320)
    story.tick(400)
    assert story.by() == "outside"


def test_while_a_person_decides():
    """While a write waits for approval the file may be changed by whoever decides; afterwards it was the agent."""
    story = Story()
    call = story.call(1, changes=(Change("a.py", "edit", "a", "b"), Change("b.py", "edit", "a", "b")))
    story.waits(call, 1.1)
    story.changed("a.py", 5)
    assert story.by() == "unknown"
    story.waits(call, 10, over=True)
    story.changed("b.py", 10.5)
    story.result(call, 11)
    assert (story.by("a.py"), story.by("b.py")) == ("unknown", "agent")


def test_a_command_that_waits_does_not_run():
    """While a command waits for approval a change is not the shell's, and not surely another's."""
    story = Story()
    call = story.call(1, "shell", command="make")
    story.waits(call, 1.1)
    story.changed("a.py", 5)
    story.tick(20)
    assert story.by() == "unknown"


def test_a_tool_of_unknown_powers():
    """While a tool runs of which nobody knows what it does, a change is nobody's for certain."""
    story = Story()
    story.result(story.call(1, "other", tool="mcp__db"), 3)
    story.changed("a.py", 2)
    story.tick(20)
    assert (story.by(), "mcp__db" in story.why()) == ("unknown", True)


def test_a_sub_agent_that_tells_its_calls():
    """While a sub-agent works whose own calls are told, only these account for changes."""
    story = Story()
    call = story.call(1, "delegate", tool="Task")
    story.changed("a.py", 2)
    assert story.by() == "unknown"
    story.tell(RunStarted(actor="s", parent="", parent_call=call, cwd="/p"), 1.2)
    story.tell(ToolCalled(call="w", actor="s", kind="write", changes=(Change("b.py"),)), 3)
    story.changed("b.py", 3.1)
    story.changed("a.py", 30)
    story.tick(60)
    assert (story.by("a.py"), story.by("b.py")) == ("outside", "agent")


def test_another_attached_run():
    """Another run that claims a change is named, and it is outside this agent's view."""
    story = Story()
    story.read("a.py", 1)
    story.changed("a.py", 10, by="the other run")
    story.tick(60)
    assert story.by() == "the other run"
    assert "by the run the other run" in story.open[0].message


@pytest.mark.parametrize(("lag", "seconds"), [("event", 2), ("message", 5), ("", 10)])
def test_silent_until_the_source_can_have_told(lag, seconds):
    """Nothing is said before the source had time to tell of a call; then it is said without a further event."""
    story = Story(lag)
    story.read("a.py", 1)
    story.changed("a.py", 10)
    story.tick(10 + seconds - 0.1)
    assert (story.by(), story.levels, story.detector.view().pending) == ("", {}, 1)
    story.tick(10 + seconds + 0.1)
    assert (story.by(), story.levels, story.detector.view().pending) == ("outside", {"a.py": "note"}, 0)


def test_a_source_that_tells_by_turn():
    """However long it takes, a source that tells whole turns has told nothing until it tells of later things."""
    story = Story("turn")
    story.read("a.py", 1)
    story.changed("a.py", 10)
    story.tick(4_000)
    assert story.by() == ""
    story.write("a.py", 9.8, 10.2)
    assert (story.by(), story.levels) == ("agent", {})
    story.changed("a.py", 20)
    story.read("b.py", 30)
    assert (story.by(), story.levels) == ("agent", {"a.py": "note"})


def test_a_turn_without_times():
    """Where calls have no times, a turn told now may have changed whatever changed since the turn before."""
    story = Story("turn")
    story.tell(ToolCalled(call="r", kind="read", paths=("a.py",), seen=1_010.0))
    story.changed("a.py", 15)
    story.tell(ToolCalled(call="w", kind="write", changes=(Change("a.py"),), seen=1_020.0))
    story.result("w", None, seen=1_020.0)
    assert story.by() == "agent"


def test_the_end_tells_all():
    """When nothing more will come, what nobody accounts for was outside."""
    for how in ("end", "gone", "dead"):
        story = Story("end")
        story.read("a.py", 1)
        story.changed("a.py", 10)
        assert story.by() == ""
        if how == "end":
            story.end(20)
        elif how == "gone":
            story.tell(SourceChanged(what="gone"))
        else:
            story.tick(20, alive=False)
        assert story.by() == "outside"


def test_late_calls_revise():
    """A change that was called an outside one is taken back when a late call accounts for it."""
    story = Story()
    story.read("a.py", 1)
    story.changed("a.py", 10)
    story.tick(60)
    assert story.levels == {"a.py": "note"}
    story.write("a.py", 9, 11)
    assert (story.by(), story.levels, story.edits) == ("agent", {}, [])
    (finding,) = story.detector.view().findings
    assert (finding.state, "told later" in finding.why_ended) == ("cleared", True)


def test_a_result_before_its_call():
    """The order in which calls and results come does not matter."""
    story = Story()
    story.changed("a.py", 10)
    story.result("late", 11)
    story.call(9, changes=(Change("a.py"),), call="late")
    story.tick(60)
    assert story.by() == "agent"


def test_a_blind_source():
    """Where the source cannot show calls, nobody is named, and the reason is said."""
    story = Story(coverage={"outside_edits": Coverage("none", "the run works in a container")})
    story.read("a.py", 1)
    story.changed("a.py", 10)
    story.tick(60)
    assert (story.by(), story.why(), story.levels) == ("unknown", "the run works in a container", {})
    assert story.detector.view().blind == "the run works in a container"


def test_a_file_the_agent_has_not_read():
    """What the agent never read is listed when it changes outside, and no finding."""
    story = Story()
    story.changed("a.py", 10)
    story.tick(60)
    assert (story.edits, story.levels) == ([("a.py", False)], {})


@pytest.mark.parametrize(
    "command", ["cat a.py", "sed -n 1,20p a.py", "cd src && head -5 ../a.py", "grep -n x a.py | cat"]
)
def test_read_by_a_command(command):
    """A file printed by a command was read; one that was only searched was not."""
    story = Story()
    story.shell(command, 1, 1.1)
    story.changed("a.py", 10)
    story.tick(60)
    assert story.levels == ({} if "grep" in command else {"a.py": "note"})


def test_read_again():
    """The note ends when the agent reads the file again; an edit after that is no finding."""
    story = Story()
    story.read("a.py", 1)
    story.changed("a.py", 10)
    story.read("a.py", 20)
    story.write("a.py", 21, 22)
    story.tick(60)
    assert (story.levels, story.edits) == ({}, [("a.py", False)])
    assert story.detector.view().findings[0].why_ended == "the agent read it again"


def test_written_over():
    """An edit without having read it again is a warning; the version overwritten is named by its digest."""
    story = Story()
    story.read("a.py", 1)
    story.changed("a.py", 10, after="precious\n")
    story.write("a.py", 20, 21)
    story.changed("a.py", 20.5, after="the agent's")
    story.tick(60)
    assert (story.levels, story.edits) == ({"a.py": "warn"}, [("a.py", True)])
    (lost,) = story.detector.view().overwritten
    assert (lost.file, lost.digest, lost.changed, lost.at, lost.by) == (
        "a.py",
        digest("precious\n"),
        1_010,
        1_021,
        "edit",
    )
    (finding,) = story.open
    assert "without having read it since" in finding.message
    assert len(finding.advice) < 1_200
    assert [spot.seq for spot in finding.places] == [3, 5]


def test_the_whole_file():
    """Writing the whole file over it is a warning even when it was read, which the message says."""
    story = Story()
    story.read("a.py", 1)
    story.changed("a.py", 10)
    story.read("a.py", 20)
    story.write("a.py", 30, 31, op="write")
    story.tick(60)
    assert story.levels == {"a.py": "warn"}
    assert "it had read it since" in story.open[0].message


def test_a_file_never_read_and_written_whole():
    """Written whole without ever having been read, what stood there is lost all the same."""
    story = Story()
    story.changed("a.py", 10)
    story.write("a.py", 30, 31, op="write")
    story.changed("b.py", 40)
    story.write("b.py", 50, 51)
    story.tick(90)
    assert story.levels == {"a.py": "warn"}


def test_a_failed_write_loses_nothing():
    """A write that did not go through writes over nothing."""
    story = Story()
    story.read("a.py", 1)
    story.changed("a.py", 10)
    story.write("a.py", 20, 21, outcome="failed", failure="stale")
    story.tick(60)
    assert (story.levels, story.edits) == ({"a.py": "note"}, [("a.py", False)])


def test_the_agents_own_write_is_knowledge():
    """What the agent wrote it knows: a change outside after that is noted."""
    story = Story()
    story.write("a.py", 1, 2, op="write")
    story.changed("a.py", 10)
    story.tick(60)
    assert story.levels == {"a.py": "note"}


def test_another_mode_is_no_other_content():
    """A file made runnable by another hand is said to be so, and nothing of it needs reading again."""
    story = Story()
    story.read("a.py", 1)
    story.changed("a.py", 10, what="mode")
    story.tick(60)
    assert (story.by(), story.levels, story.edits) == ("outside", {}, [])


def test_brought_back():
    """A warning ends when the version that was overwritten stands there again."""
    story = Story()
    story.read("a.py", 1)
    story.changed("a.py", 10, after="precious\n")
    story.write("a.py", 20, 21)
    story.changed("a.py", 20.5, after="the agent's")
    story.changed("a.py", 60, after="precious\n")
    story.tick(90)
    assert story.levels == {}
    assert story.detector.view().findings[0].why_ended == "what was overwritten was brought back"


def test_a_tools_word_is_evidence():
    """A tool that says that the file changed since it was read proves it, where no call of the agent's may have."""
    story = Story()
    story.read("a.py", 1)
    story.write("a.py", 10, 10.1, outcome="failed", failure="stale")
    assert (story.levels, story.edits) == ({"a.py": "note"}, [("a.py", False)])
    assert "as its tool says" in story.open[0].message
    story.read("a.py", 20)
    assert story.levels == {}


def test_a_tools_word_that_has_another_reason():
    """Where a command of the agent's may have changed the file, a tool's word proves nothing."""
    story = Story()
    story.read("a.py", 1)
    story.shell("sed -i s/a/b/ a.py", 5, 6)
    story.write("a.py", 10, 10.1, outcome="failed", failure="stale")
    assert (story.levels, story.edits) == ({}, [])


def test_the_harness_shows_the_change():
    """Where the harness itself shows the agent what changed, that is listed, and the agent knows."""
    story = Story()
    story.read("a.py", 1)
    story.tell(Noticed(name="file changed outside", text="/p/a.py"), 10)
    story.write("a.py", 20, 21)
    assert (story.levels, story.edits) == ({}, [("a.py", False)])


def test_settled():
    """What the operator settled is not raised again; another change outside is found anew, and all are listed."""
    story = Story()
    story.read("a.py", 1)
    story.changed("a.py", 10)
    story.tick(20)
    story.settle(story.open[0])
    story.read("b.py", 25)
    story.tick(26)
    assert story.levels == {}
    story.changed("a.py", 30)
    story.tick(60)
    assert story.levels == {"a.py": "note"}
    assert story.edits == [("a.py", False), ("a.py", False)]


def test_after_the_end():
    """Once the run is over nobody needs to be told; when it goes on, what changed meanwhile is said."""
    story = Story()
    story.read("a.py", 1)
    story.end(5)
    story.changed("a.py", 100)
    assert (story.by(), story.levels) == ("outside", {})
    story.prompt(200)
    assert story.levels == {"a.py": "note"}


def test_by_whom_since_the_prompt():
    """A file is its latest author's since the prompt; the run's own hand outweighs another's, which is named beside it."""
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
    assert story.detector.view().seqs == {outside}


def test_the_same_view_until_something_happens():
    """The view is one frozen object while nothing changes."""
    story = Story()
    story.changed("a.py", 10)
    view = story.detector.view()
    story.tick(11)
    assert story.detector.view() is view
    assert OutsideEdits().view() is not view

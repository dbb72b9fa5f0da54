"""What is said of changes outside the agent's view, and of what it then writes over."""

from __future__ import annotations

import pytest
from outside_story import Story, digest

from monitor.detectors.outside_edits import OutsideEdits
from monitor.events import Noticed


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
    assert "though it had read the change" in story.open[0].message


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


def test_the_same_view_until_something_happens():
    """The view is one frozen object while nothing changes."""
    story = Story()
    story.changed("a.py", 10)
    view = story.detector.view()
    story.tick(11)
    assert story.detector.view() is view
    assert OutsideEdits().view() is not view


@pytest.mark.parametrize("then", ["read", "write", "outside"])
def test_what_was_written_over_is_not_forgotten(then):
    """However often a file is read, written or changed after that, what was written over stays a warning, and listed."""
    story = Story()
    story.read("a.py", 1)
    story.changed("a.py", 10, after="theirs")
    story.write("a.py", 20, 21)
    for number in range(100):
        at = 30.0 + 10 * number
        if then == "read":
            story.read("a.py", at)
        elif then == "write":
            story.write("a.py", at, at + 1)
        else:
            story.changed("a.py", at, after=f"{number}")
    story.tick(5_000)
    view = story.detector.view()
    assert [(one.level, one.state) for one in view.findings] == [("warn", "open")]
    assert [one.digest for one in view.overwritten] == [digest("theirs")]
    assert sum(edit.overwritten for edit in view.edits) == 1
    assert view.who("a.py").by == "outside"


def test_read_often_between():
    """A change that the agent read before it wrote loses nothing, however long ago the change and the first read were."""
    story = Story()
    for number in range(100):
        story.read("a.py", float(number))
    story.changed("a.py", 200)
    story.tick(300)
    assert story.levels == {"a.py": "note"}
    for number in range(100):
        story.read("a.py", 300.0 + number)
    story.write("a.py", 500, 501)
    view = story.detector.view()
    assert [(one.state, one.why_ended) for one in view.findings] == [("cleared", "the agent read it again")]
    assert (view.overwritten, story.edits) == ((), [("a.py", False)])


def test_settled_changes_keep_their_author():
    """What the operator settled is dealt with, and it is known still whose hand it was."""
    story = Story()
    story.read("a.py", 1)
    story.changed("a.py", 10)
    story.tick(100)
    before = story.detector.view().who("a.py")
    story.settle(story.open[0])
    assert before.by == "outside"
    assert story.detector.view().who("a.py") == before

"""Sources that tell late, or not at all: silence until they can have told, and second thoughts after."""

from __future__ import annotations

import pytest
from outside_story import Story

from monitor.events import Change, Coverage, SourceChanged, ToolCalled


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
    assert (story.by(), story.levels) == ("outside", {"a.py": "note"})


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

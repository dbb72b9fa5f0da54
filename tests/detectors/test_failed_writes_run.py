"""The ledger is the run's: the operator's word, sub-agents, what is copied, what is written elsewhere."""

from __future__ import annotations

from writes_story import Story

from monitor.events import Change, ToolCalled, ToolReturned


def test_the_operator_settles() -> None:
    """The operator's word clears an entry, and his reason is on record."""
    story = Story()
    story.fail("a.py")
    story.fail("b.py")
    story.settle(next(one for one in story.open if one.subject == "/p/a.py"), "not needed")
    assert story.entry("a.py").settled_by == "the operator: not needed"
    assert story.outstanding == ["b.py"]
    assert next(one for one in story.detector.view().findings if one.subject == "/p/a.py").state == "settled"


def test_a_settled_file_that_fails_again_is_outstanding_again() -> None:
    """One file has one entry: the latest."""
    story = Story()
    story.fail("a.py")
    story.edit("a.py")
    story.fail("a.py", old="other")
    assert [(entry.file, entry.outstanding) for entry in story.entries] == [("a.py", True)]
    assert len(story.detector.view().findings) == 1


def test_copied_events_do_not_count() -> None:
    """What a fork copied from an older run is not this run's."""
    story = Story()
    story.tell(ToolCalled(call="c", kind="write", changes=(Change("a.py", "edit", "a", "b"),), copied=True))
    story.tell(ToolReturned(call="c", outcome="failed", failure="not_found", copied=True))
    assert story.entries == ()


def test_sub_agents_share_the_ledger() -> None:
    """A failure of the root is mended by a sub-agent that began after it, not by one already at work."""
    story = Story()
    early = story.call(Change("a.py", "edit", "x", "y"), message="k1", actor="kid")
    story.fail("a.py")
    story.result(early, actor="kid")
    assert story.outstanding == ["a.py"]
    story.edit("a.py", actor="kid")
    assert story.outstanding == []


def test_an_unrelated_read_opens_nothing() -> None:
    """Reads, fetches and searches are not writes, and no result of theirs matters."""
    story = Story()
    story.read("a.py", "1\tx")
    story.tell(ToolCalled(call="f", kind="fetch", tool="fetch"))
    story.result("f", "failed", "other")
    assert story.entries == ()


def test_content_written_elsewhere_mends_nothing_and_is_said() -> None:
    """A refused write whose content goes to a place outside stays outstanding, with a note."""
    story = Story()
    story.create("notes.md", "refused", new="# The plan\nstep\n")
    story.create("/tmp/notes.md", new="# The plan\nstep")
    assert story.outstanding == ["notes.md"]
    assert story.entry("notes.md").elsewhere == "/tmp/notes.md"
    assert story.open[0].message.endswith("; the same content was written to /tmp/notes.md")

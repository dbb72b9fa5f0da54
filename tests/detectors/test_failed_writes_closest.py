"""Closest lines of a failed edit, from the log and from a look at the file."""

from __future__ import annotations

import pytest
from writes_story import FILE, GUESS, LINE, Story, failed

from monitor.events import CloseLine, ToolCalled, ToolReturned


def test_closest_lines_from_what_the_run_read() -> None:
    """A finished log has no file: the lines come from the last read, with its numbers."""
    story = Story()
    story.read("a.xml", FILE)
    story.fail("./a.xml", old=GUESS)
    last = story.entry("a.xml").last
    assert (last.source, last.closest[0]) == ("log", LINE)


@pytest.mark.parametrize(
    "between",
    [
        lambda story: story.edit("a.xml", old="x"),
        lambda story: story.outside("a.xml"),
        lambda story: story.edit("a.xml", "cancelled", old="x"),
    ],
)
def test_what_was_read_before_a_write_is_not_shown(between: object) -> None:
    """Once the file was written, what was read of it is stale."""
    story = Story()
    story.read("a.xml", FILE)
    between(story)
    story.fail("a.xml", old=GUESS)
    last = story.entry("a.xml").last
    assert (last.closest, last.no_lines) == ((), "no read of the file as it stood then is known")


def test_a_cut_read_is_not_used() -> None:
    """Lines the log has cut are not the file's."""
    story = Story()
    story.tell(ToolCalled(call="r", kind="read", tool="read", paths=("a.xml",)))
    story.tell(ToolReturned(call="r", output=FILE, cut=True))
    story.fail("a.xml", old=GUESS)
    assert story.entry("a.xml").last.closest == ()


def test_a_look_replaces_what_was_read() -> None:
    """What stands in the file at the failure counts more than what the run read before."""
    story, call, _ = failed()
    story.looked(call, "/p/a.xml", closest=(LINE,))
    last = story.entry("a.xml").last
    assert (last.closest, last.source, last.no_lines) == ((LINE,), "disk", "")


def test_a_look_that_failed_says_why() -> None:
    """Without lines there is the reason; lines from the log stay."""
    story, call, _ = failed()
    story.looked(call, "/p/a.xml", reason="it is larger than 2 MB")
    assert story.entry("a.xml").last.no_lines == "it is larger than 2 MB"
    story = Story()
    story.read("a.xml", FILE)
    call = story.fail("a.xml", old=GUESS)
    story.looked(call, "/p/a.xml", reason="gone")
    assert story.entry("a.xml").last.closest


def test_todays_file_does_not_replace_the_log() -> None:
    """A file read long after is shown, as such, only where the log has nothing."""
    other = CloseLine(9, "today")
    story = Story()
    story.read("a.xml", FILE)
    call = story.fail("a.xml", old=GUESS)
    story.looked(call, "/p/a.xml", source="today", closest=(other,))
    assert story.entry("a.xml").last.source == "log"
    story, call, _ = failed()
    story.looked(call, "/p/a.xml", source="today", closest=(other,))
    assert (story.entry("a.xml").last.source, story.entry("a.xml").last.closest) == ("today", (other,))


def test_a_later_look_does_not_change_the_lines_of_the_failure() -> None:
    """Closest lines are those of the moment of the failure."""
    story, call, _ = failed()
    story.looked(call, "/p/a.xml", closest=(LINE,))
    story.outside("a.xml")
    story.looked(call, "/p/a.xml", closest=(CloseLine(7, "later"),))
    assert story.entry("a.xml").last.closest == (LINE,)


@pytest.mark.parametrize("command", ["cat a.xml", "bash -lc 'cat a.xml'", "sed -n '1,400p' a.xml"])
def test_what_a_shell_showed_was_read(command) -> None:
    """A file that a command of the shell showed is read, as by a tool of its own."""
    story = Story()
    story.tell(ToolCalled(call="s", kind="shell", tool="shell", command=command))
    story.tell(ToolReturned(call="s", output=FILE))
    story.fail("./a.xml", old=GUESS)
    last = story.entry("a.xml").last
    assert (last.source, last.closest[0].text, last.no_lines) == ("log", LINE.text, "")


@pytest.mark.parametrize(
    ("more", "told"), [({"background": True}, {}), ({}, {"outcome": "failed"}), ({}, {"cut": True}), ({}, {})]
)
def test_what_a_shell_did_not_show_whole(more, told) -> None:
    """What still runs, failed, was cut or printed more is no read; then none is said to be known."""
    story = Story()
    command = "cat a.xml" if more or told else "cat a.xml b.xml"
    story.tell(ToolCalled(call="s", kind="shell", tool="shell", command=command, **more))
    story.tell(ToolReturned(call="s", output=FILE, **told))
    story.fail("./a.xml", old=GUESS)
    last = story.entry("a.xml").last
    assert (last.closest, last.no_lines) == ((), "no read of the file as it stood then is known")

"""Closest lines from the log and from a look at the file, and what another hand made of it."""

from __future__ import annotations

import pytest
from writes_story import GUESS, LINE, Story, failed

from monitor.actions import Look
from monitor.events import Change, FileOutcome


@pytest.mark.parametrize("failure", ["not_found", "identical"])
def test_a_look_is_wanted_where_the_text_was_not_found(failure: str) -> None:
    """The file is to be read at the moment of the failure, where a path is known."""
    _, call, wants = failed(failure)
    assert wants == [Look(call, "/p/a.xml", "/p", GUESS, "new text", 2)]


@pytest.mark.parametrize("failure", ["exists", "ambiguous", "io", "other"])
def test_no_look_is_wanted_for_other_failures(failure: str) -> None:
    """Where the text is not the trouble, no line of the file helps."""
    story, _, wants = failed(failure)
    assert wants == []
    assert story.entry("a.xml").last.no_lines == ""


def test_no_look_is_wanted_without_a_path() -> None:
    """A call that named no file, or was refused before it looked, asks for nothing."""
    story = Story()
    call = story.call(Change("", "edit", GUESS, "n"), message="m")
    assert story.result(call, "failed", "not_found") == []
    call = story.call(Change("a.xml", "edit", GUESS, "n"), message="n")
    assert story.result(call, "refused", "not_found") == []


def test_of_a_patch_the_cause_is_looked_at() -> None:
    """Only the file that made the patch fail is read."""
    story = Story()
    call = story.call(*(Change(file, "edit", "x", "y") for file in ("a", "b", "c")), message="m")
    wants = story.result(call, "failed", "not_found", files=(FileOutcome("b", "failed", "not_found", cause=True),))
    assert [want.file for want in wants] == ["/p/b"]


def test_of_several_edits_the_one_the_tool_quotes_is_the_guess() -> None:
    """The text the tool says it did not find is what is looked for."""
    story = Story()
    call = story.call(Change("a", "edit", "first", "y"), Change("a", "edit", "second", "z"), message="m")
    (want,) = story.result(call, "failed", "not_found", output="not found: second")
    assert want.guess == "second"


def test_a_look_at_another_call_changes_nothing() -> None:
    """A look belongs to its call and its file."""
    story, call, _ = failed()
    story.looked("other", "/p/a.xml", closest=(LINE,))
    story.looked(call, "/p/b.xml", closest=(LINE,))
    assert story.entry("a.xml").last.closest == ()


def test_text_that_stood_there_at_the_failure_lowers_nothing() -> None:
    """Without another hand since the failure, what a look finds says nothing about mending."""
    story, call, _ = failed()
    story.looked(call, "/p/a.xml", new_present=True, old_gone=True)
    assert not story.entry("a.xml").lowered


def test_an_outside_change_is_looked_at_and_lowers_to_a_note() -> None:
    """Another hand wrote the new text: still outstanding, a note, and it says so."""
    story, call, _ = failed()
    assert story.outside("b.xml") == []
    (want,) = story.outside("a.xml")
    assert want == Look(call, "/p/a.xml", "/p", GUESS, "new text", 4)
    story.looked(call, "/p/a.xml", new_present=True, old_gone=True)
    assert (story.entry("a.xml").lowered, story.outstanding) == (True, ["a.xml"])
    story.answer()
    story.end()
    assert story.levels == {"a.xml": "note"}
    assert "something else has since put the new text into the file" in story.open[0].message


@pytest.mark.parametrize(("new", "old"), [(True, False), (False, True), (None, None), (True, None)])
def test_half_of_it_lowers_nothing(new: bool | None, old: bool | None) -> None:
    """The new text in the file and the old one gone: both, and both known."""
    story, call, _ = failed()
    story.outside("a.xml")
    story.looked(call, "/p/a.xml", new_present=new, old_gone=old)
    assert not story.entry("a.xml").lowered


def test_a_redo_through_the_shell_is_looked_at_when_done_is_claimed() -> None:
    """A command may have made the change: the claim asks for a look, and the look lowers the warning."""
    story, call, _ = failed()
    story.shell("sed -i s/x/y/ a.xml")
    (want,) = story.answer()
    assert (want.call, want.file) == (call, "/p/a.xml")
    assert story.levels == {"a.xml": "warn"}
    story.looked(call, "/p/a.xml", new_present=True, old_gone=True)
    assert story.levels == {"a.xml": "note"}
    story.looked(call, "/p/a.xml", new_present=False, old_gone=True)
    assert story.levels == {"a.xml": "warn"}


def test_two_looks_show_a_hand_that_nothing_else_showed() -> None:
    """What was missing at the failure and stands there at the claim was written by another hand in between."""
    story, call, _ = failed()
    story.looked(call, "/p/a.xml", new_present=False, old_gone=True)
    (want,) = story.answer()
    for _ in range(3):
        story.looked(want.call, want.file, new_present=True, old_gone=True)
        assert story.levels == {"a.xml": "note"}


def test_every_failure_must_stand_to_lower() -> None:
    """Two different failed changes: one of them found in the file lowers nothing."""
    story = Story()
    one = story.fail("a.xml", old="x", new="first text")
    two = story.fail("a.xml", old="y", new="second text")
    three = story.fail("a.xml", old="y", new="second text")
    wants = story.outside("a.xml")
    assert {want.call for want in wants} == {one, two}
    story.looked(two, "/p/a.xml", new_present=True, old_gone=True)
    assert not story.entry("a.xml").lowered
    story.looked(one, "/p/a.xml", new_present=True, old_gone=True)
    assert story.entry("a.xml").lowered
    story.fail("a.xml", old="z")
    assert not story.entry("a.xml").lowered
    assert three == story.entry("a.xml").failures[2].call


def test_a_new_text_too_long_to_keep_is_never_found() -> None:
    """A text of which only the beginning is kept cannot be compared, so nothing is asked."""
    story = Story()
    call = story.call(Change("a", "edit", "x", "y" * 2001), message="m")
    (want,) = story.result(call, "failed", "not_found")
    assert want.new == ""
    assert story.outside("a") == []


def test_todays_file_lowers_nothing() -> None:
    """What stands there long after says nothing about then."""
    story, call, _ = failed()
    story.outside("a.xml")
    story.looked(call, "/p/a.xml", source="today", new_present=True, old_gone=True)
    assert not story.entry("a.xml").lowered


def test_several_edits_of_one_file_are_not_compared() -> None:
    """One text found there says nothing of the others."""
    story = Story()
    call = story.call(Change("a", "edit", "x", "one"), Change("a", "edit", "y", "two"), message="m")
    story.result(call, "failed", "not_found")
    assert story.outside("a") == []


def test_a_change_is_told_against_the_folder_it_was_seen_in() -> None:
    """A change names its file relative to the watched folder, whatever the agent works in; a link to it counts."""
    story = Story()
    below = story.call(Change("sub/a.xml", "edit", GUESS, "new text"), message="m")
    story.result(below, "failed", "not_found")
    assert story.outside("a.xml", folder="/p") == []
    (want,) = story.outside("a.xml", folder="/p/sub")
    assert (want.call, want.file) == (below, "/p/sub/a.xml")
    (want,) = story.outside("sub/a.xml", folder="/real/place/of/p")
    assert want.call == below

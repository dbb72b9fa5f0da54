"""Which failed repeats are excused because the change stands."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from writes_story import Story

from monitor.events import Change, SourceChanged, ToolCalled, ToolReturned, TreeMeasured


def repeated(between: Callable[[Story], object] | None = None, **more: object) -> Story:
    """An edit that succeeds, something between, and the same edit failing."""
    story = Story()
    story.edit("a.py", **more)
    if between is not None:
        between(story)
    story.fail("a.py")
    return story


def test_a_repeat_of_what_stands_is_excused() -> None:
    """The same change succeeded and nothing touched the file since: the failure asks for nothing."""
    story = repeated()
    assert story.outstanding == []
    (entry,) = story.entries
    assert (entry.last.excused, entry.settled_by) == (True, "the same change, made earlier")
    assert story.detector.view().findings == ()
    assert (story.detector.view().made, story.detector.view().failed) == (1, 1)


def test_an_excused_repeat_mends_nothing() -> None:
    """Another change of the file that failed before stays outstanding beside an excused repeat."""
    story = Story()
    story.edit("a.py")
    story.fail("a.py", old="other")
    story.fail("a.py")
    entry = story.entry("a.py")
    assert (entry.outstanding, entry.count, [one.excused for one in entry.failures]) == (True, 1, [False, True])


def test_a_repeat_in_the_same_batch_is_excused() -> None:
    """The model says one edit twice in one message: the second failed because the first was made."""
    story = Story()
    for outcome in ("ok", "failed"):
        story.edit("a.py", outcome, "not_found" if outcome == "failed" else "", message="m")
    assert story.outstanding == []


@pytest.mark.parametrize(
    "between",
    [
        lambda story: story.edit("a.py", old="x", new="y"),
        lambda story: story.create("./a.py", op="write"),
        lambda story: story.create("/p/sub/../a.py", op="write"),
        lambda story: story.edit("a.py", "cancelled", old="x"),
        lambda story: story.edit("a.py", "failed", "io", old="x"),
        lambda story: story.shell("true"),
        lambda story: story.tell(ToolCalled(call="s", kind="shell", tool="bash")),
        lambda story: story.tell(ToolCalled(call="s", kind="delegate", tool="task")),
        lambda story: story.tell(ToolCalled(call="s", kind="other", tool="mcp__x")),
        lambda story: story.outside("a.py"),
        lambda story: story.outside("/p/a.py", what="deleted"),
        lambda story: story.tell(SourceChanged(what="gap")),
        lambda story: story.tell(SourceChanged(what="unwatched")),
        lambda story: story.tell(ToolReturned(call="never told")),
    ],
)
def test_a_write_by_any_hand_or_the_chance_of_one_voids_the_excuse(between: Callable[[Story], object]) -> None:
    """A rewrite under any spelling, a shell call even unfinished, an outside change, a gap: outstanding."""
    story = repeated(between)
    assert story.outstanding == ["a.py"]
    assert not story.entry("a.py").last.excused


@pytest.mark.parametrize(
    "between",
    [
        lambda story: story.edit("b.py", old="x", new="y"),
        lambda story: story.fail("b.py"),
        lambda story: story.read("a.py", "1\tb"),
        lambda story: story.outside("b.py"),
        lambda story: story.outside("a.py", what="mode"),
        lambda story: story.tell(ToolCalled(call="f", kind="fetch", tool="fetch")),
        lambda story: story.tell(SourceChanged(what="aside")),
    ],
)
def test_what_cannot_have_touched_the_file_leaves_the_excuse(between: Callable[[Story], object]) -> None:
    """Writes to other files, reads, fetches, and a journal of ours that is not kept touch nothing of this one."""
    assert "a.py" not in repeated(between).outstanding


def test_a_stale_rewrite_in_the_same_batch_voids_the_excuse() -> None:
    """A whole-file rewrite of old content, then the edit again, both in one message: the edit is lost."""
    story = Story()
    story.edit("a.py")
    story.create("/p/a.py", op="write", message="m")
    story.fail("a.py", message="m")
    assert story.outstanding == ["a.py"]


def test_a_command_still_running_voids_the_excuse() -> None:
    """A command begun before the change and running at the repeat may have undone it."""
    story = Story()
    story.tell(ToolCalled(call="s", kind="shell", tool="bash", command="watch"))
    story.edit("a.py")
    story.fail("a.py")
    assert story.outstanding == ["a.py"]


@pytest.mark.parametrize("told", ["call", "result"])
def test_a_command_in_the_background_is_never_over(told: str) -> None:
    """Its first result only says that it was started."""
    story = Story()
    story.tell(ToolCalled(call="s", kind="shell", tool="bash", background=told == "call"))
    story.tell(ToolReturned(call="s", background=told == "result"))
    story.edit("a.py")
    story.fail("a.py")
    assert story.outstanding == ["a.py"]


def test_a_command_over_before_the_change_does_not_matter() -> None:
    """What ran and ended before the change cannot have undone it."""
    story = Story()
    story.shell("make")
    story.edit("a.py")
    story.fail("a.py")
    assert story.outstanding == []


def test_the_writes_own_echo_does_not_void_the_excuse() -> None:
    """A watcher sees the agent's own write too: within half a second it is the same write, later it is not."""
    for seconds, outstanding in ((0.4, []), (0.6, ["a.py"])):
        story = Story()
        story.edit("a.py", at=100.0)
        story.outside("a.py", at=100.0 + seconds)
        story.fail("a.py")
        assert story.outstanding == outstanding


def test_an_outside_change_is_found_by_time_where_the_source_lags() -> None:
    """A change seen before the lagging source told of the write, but made after it, voids the excuse."""
    story = Story()
    story.outside("a.py", at=102.0)
    story.edit("a.py", at=100.0)
    story.fail("a.py")
    assert story.outstanding == ["a.py"]


def test_a_folder_that_changed_by_itself_voids_the_excuse() -> None:
    """A measurement that differs, with nothing known between, means that any file may be another."""
    for content, outstanding in (("1", []), ("2", ["a.py"])):
        story = Story()
        story.edit("a.py")
        story.tell(TreeMeasured(content="1"))
        story.tell(TreeMeasured(content=content))
        story.fail("a.py")
        assert story.outstanding == outstanding


def test_a_create_repeated_is_excused_whatever_came_since() -> None:
    """The file exists because the same create made it, rewritten or not."""
    story = Story()
    story.create("a.py")
    story.edit("a.py", old="x", new="y")
    story.shell("make")
    story.create("a.py", "failed", "exists")
    assert story.outstanding == []


def test_the_same_create_of_another_existing_file_is_not_excused() -> None:
    """What was created elsewhere is no excuse here, nor is another content."""
    story = Story()
    story.create("a.py")
    story.create("b.py", "failed", "exists")
    story.create("a.py", "failed", "exists", new="other")
    assert story.outstanding == ["a.py", "b.py"]


@pytest.mark.parametrize("failure", ["identical", "ambiguous", "io", "unread", "stale", "arguments", "exists", "other"])
def test_no_other_failure_of_an_edit_is_excused(failure: str) -> None:
    """Only "old text not found" of an edit is."""
    story = Story()
    story.edit("a.py")
    story.fail("a.py", failure)
    assert story.outstanding == ["a.py"]


@pytest.mark.parametrize("outcome", ["refused", "not_executed", "approval_timeout", "cancelled"])
def test_no_other_outcome_is_excused(outcome: str) -> None:
    """A call that was not carried out says nothing about what stands."""
    story = Story()
    story.edit("a.py")
    story.edit("a.py", outcome, "not_found")
    assert story.outstanding == ["a.py"]


def test_what_the_log_cut_is_never_the_same() -> None:
    """Two changes of which the log dropped a part cannot be compared."""
    story = Story()
    for outcome in ("ok", "failed"):
        call = story.call(Change("a.py", "edit", "x", "y", cut=True), message=outcome)
        story.result(call, outcome, "not_found" if outcome == "failed" else "")
    assert story.outstanding == ["a.py"]
    story = Story()
    story.edit("a.py", arguments_cut=True)
    story.fail("a.py", arguments_cut=True)
    assert story.outstanding == ["a.py"]


def test_the_tool_and_the_texts_are_compared_and_nothing_else() -> None:
    """Another tool or another text is another change; further arguments are not looked at."""
    story = repeated(tool="edit", arguments='{"replace_all": true}')
    assert story.outstanding == []
    assert repeated(tool="patch").outstanding == ["a.py"]
    assert repeated(new="c").outstanding == ["a.py"]


def test_the_excuse_outlives_a_request() -> None:
    """The run's earlier requests count."""
    assert repeated(lambda story: (story.answer(), story.prompt())).outstanding == []


def test_a_folder_that_changed_for_a_known_reason_leaves_the_excuse() -> None:
    """The agent's own write explains the difference between two measurements."""
    story = Story()
    story.tell(TreeMeasured(content="1"))
    story.edit("a.py")
    story.tell(TreeMeasured(content="2"))
    story.fail("a.py")
    assert story.outstanding == []


def test_a_call_that_turned_out_to_be_a_write_is_no_command() -> None:
    """A call first told without its kind does not count as still running."""
    story = Story()
    story.tell(ToolCalled(call="c", message="m0", kind="other", partial=True))
    story.call(Change("b.py", "edit", "x", "y"), call="c", message="m0")
    story.result("c")
    story.edit("a.py")
    story.fail("a.py")
    assert story.outstanding == []

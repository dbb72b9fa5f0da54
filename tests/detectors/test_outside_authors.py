"""Whose hand a change was, by the calls around it."""

from __future__ import annotations

import pytest
from outside_story import FileOutcome, Story

from monitor.events import Change, RunStarted, ToolCalled


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
    who = story.detector.view().who("a.py")
    assert (who.by, who.also) == ("outside", "unknown")
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

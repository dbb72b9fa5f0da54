"""Where the named systems are known to be wrong: each case beside the system itself, which misses it, and ours, which does not."""

from __future__ import annotations

import pytest
from calls_story import Calls
from dirtywork.runner import RepeatTracker
from lcode import checks
from lcode.repeats import Circles
from lcode.repeats import Repeats as Seed
from reply_story import Replies
from scripts_story import after, story

from monitor.detectors.repeats import Repeats


def stops(told):
    return [one.subject for one in told.open if one.level == "stop"]


def warns(told):
    return [one.subject for one in told.open if one.level in ("warn", "stop")]


@pytest.mark.parametrize(
    ("name", "runs"),
    [
        ("A,B,A,B failing commands", [("make", "error: 1"), ("pytest", "1 failed")] * 5),
        ("results that differ by a process id", [("./x", f"pid {number} died") for number in (411, 5_002, 67, 8_841, 93)]),
        ("results that differ by a port", [("./x", f"cannot bind port {number}") for number in (40_123, 53_111, 8_080, 9_000)]),
    ],
)  # fmt: skip
def test_dirtyworks_stuck_misses(name, runs):
    """Its one counter belongs to the last command alone, and sees other output in each process id: ours stops."""
    seed, told = RepeatTracker(4), Calls(Repeats())
    for command, output in runs:
        assert seed.note_bash(command, f"exit code: 1\n{output}") != "stuck", name
        told.shell(command, output, 1)
    assert any(subject.startswith("same failing command") for subject in stops(told)), name


def test_lcodes_repeats_miss_a_process_id():
    """A result with another process id each time is a new one to lcode; to ours it is the same call."""
    seed, told = Seed(3), Calls(Repeats())
    for number in (411, 5_002, 67, 8_841, 93):
        output = f"worker pid {number} started"
        assert seed.check("read_file", {"path": "log"}, output).note == ""
        told.read("log", output)
    assert "same call: read_file log" in stops(told)


def test_lcodes_repeats_miss_a_failing_edit_that_alternates_with_a_changing_command():
    """Each command that may change something starts lcode's count again: neither ever adds up, and the failing edit goes on."""
    seed, told = Seed(3), Calls(Repeats())
    edit, command = {"path": "a", "old_string": "1", "new_string": "2"}, {"command": "touch stamp"}
    for _ in range(6):
        assert not seed.check("edit_file", edit, "Error: old_string not found in a").stop
        told.edit("a", "1", "2", "failed", output="Error: old_string not found in a")
        seed.check("bash", command, "[exit code: 0]")
        told.shell("touch stamp", "[exit code: 0]")
    assert any(subject.startswith("cycle of calls") for subject in stops(told))


WORDS = "and then we look at the other file again because it may hold the answer we need "
LOOPS = {
    "a loop without punctuation": WORDS * 40,
    "a loop with a counter": "".join(f"Attempt number {n} to find the right page for it.\n" for n in range(60)),
    "a loop in Chinese": "让我再检查一次这个文件里面的内容是否正确。" * 60,
}


@pytest.mark.parametrize("name", LOOPS)
def test_lcodes_circles_miss(name):
    """Without white space after its stops, with another number each time, or in Chinese lcode sees no circle; ours does."""
    seed, told = Circles(), Replies()
    assert not any(seed.feed(LOOPS[name][at : at + 20]) for at in range(0, len(LOOPS[name]), 20))
    told.think(LOOPS[name])
    assert told.rules(), name
    assert [one.level for one in told.open()] == ["warn"]


def test_lcodes_circles_never_hear_an_answer():
    """Lcode judges thinking alone; a loop in the answer is one too."""
    told = Replies()
    told.say("Let me look at the page with the right address again.\n" * 40)
    assert len(told.rules()) == 1


@pytest.mark.parametrize(
    ("name", "before", "command", "run"),
    [
        ("a script run through make", [("Makefile", "all:\n\tbash build.sh\n")], "make", True),
        ("a syntax check", [], "bash -n build.sh", False),
        ("a script of that name elsewhere", [], "bash other/build.sh", False),
    ],
)
def test_lcodes_scripts_never_run_are_wrong(name, before, command, run):
    """Make runs the script it names; `bash -n` runs nothing, nor does another folder's script of that name."""
    assert checks.runs(command, "build.sh") is not run, name
    entry = after(story(*before), command)
    assert entry.run is run, name


def test_lcode_takes_a_run_before_the_last_rewrite_for_one():
    """A script rewritten after it ran has not been run as it stands."""
    assert checks.runs("bash build.sh", "build.sh")
    told = story()
    told.shell("bash build.sh")
    told.write("build.sh", "#!/bin/sh\necho other\n")
    entry = after(told, "ls")
    assert not entry.run
    assert [one.subject for one in told.open] == ["build.sh"]

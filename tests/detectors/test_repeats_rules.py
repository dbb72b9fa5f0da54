from __future__ import annotations

import pytest
from repeats_story import level, levels, story

from monitor.events import FileOutcome, Prompted, RunEnded


class TestSameChange:
    def test_a_change_made_again_and_again(self):
        """The fourth time is a warning, the eighth a stop, though each result differs."""
        told = story()
        step = lambda number: told.edit("Test.java", "}", "x}", output=f"now {93 + number} lines")  # noqa: E731
        assert levels(told, "same change", 9, step) == [None] * 3 + ["warn"] * 4 + ["stop"] * 2

    def test_another_change_clears(self):
        """Any other write that succeeds ends it, and counts from one; reads and commands between do not."""
        told = story()
        for _ in range(5):
            told.edit("a.py", "1", "2", output="ok")
            told.read("a.py")
            told.shell("make", "ok")
        assert level(told, "same change") == "warn"
        told.edit("a.py", "2", "3")
        assert level(told, "same change") is None
        told.edit("a.py", "1", "2")
        assert level(told, "same change") is None

    def test_a_change_that_fails_is_none(self):
        """Failures are the other rules' business."""
        told = story(same_call=0)
        for _ in range(8):
            told.edit("a.py", outcome="failed", failure="not_found", output="no")
        assert level(told, "same change") is None

    def test_cut_changes_are_never_the_same(self):
        """A change whose text the log cut is like no other."""
        told = story()
        for _ in range(9):
            call = told.call("edit", "write", '{"path": "a.py", "new": "xxx', arguments_cut=True)
            told.result(call)
        assert told.levels == {}


class TestCycle:
    @pytest.mark.parametrize("files", ["ab", "abc", "abcd", "aabb"])
    def test_three_rounds_warn_five_stop(self, files):
        """A cycle of two to four calls with equal results; words in between make no difference."""
        told = story(same_call=0)

        def step(_):
            for file in files:
                told.read(f"{file}.py", f"text of {file}")
                told.say()

        assert levels(told, "cycle of calls", 6, step) == [None, None, "warn", "warn", "stop", "stop"]
        (finding,) = [one for one in told.open if one.subject.startswith("cycle")]
        assert finding.message.startswith(
            "The same series of calls was made 6 times, with the same results: read_file a.py → "
        )

    def test_a_failing_edit_in_turn_with_a_command_that_changes_things(self):
        """The command starts all other counts again, and the cycle is seen all the same."""
        told = story()

        def step(_):
            told.edit("a.py", outcome="failed", failure="not_found", output="not found")
            told.shell("make gen", "generated")

        assert levels(told, "cycle of calls", 5, step) == [None, None, "warn", "warn", "stop"]

    def test_what_is_no_cycle(self):
        """One call over and over is the first rule's; five calls are too many; a changing result is news."""
        told = story(same_call=0)
        for _ in range(6):
            told.read("a.py")
        for number in range(30):
            told.read(f"{'abcde'[number % 5]}.py")
        for number in range(12):
            told.read(f"{'ab'[number % 2]}.py", str(number))
        assert level(told, "cycle of calls") is None

    def test_a_new_successful_call_clears(self):
        """Leaving the cycle ends it."""
        told = story(same_call=0)
        for number in range(8):
            told.read(f"{'ab'[number % 2]}.py")
        assert level(told, "cycle of calls") == "warn"
        told.read("new.py")
        assert level(told, "cycle of calls") is None


class TestNotExecuted:
    def test_the_same_call_refused_by_the_harness(self):
        """The third is a warning, the sixth a stop, whatever the refusal says."""
        told = story()
        step = lambda number: told.shell("cd /x", f"not executed, attempt {number}", outcome="not_executed")  # noqa: E731
        assert levels(told, "not executed", 7, step) == [None, None, "warn", "warn", "warn", "stop", "stop"]
        assert level(told, "same call") is None

    def test_an_executed_call_clears(self):
        """Any call that is executed ends it, even one that fails."""
        told = story()
        for _ in range(4):
            told.shell("cd /x", "no", outcome="not_executed")
        told.read("a.py", "no such file", "failed")
        assert level(told, "not executed") is None
        told.shell("cd /x", "no", outcome="not_executed")
        assert level(told, "not executed") is None


class TestNoProgress:
    def test_six_turns_note_twelve_stop(self):
        """Turns without a new successful call, a change or new output are counted when they are over."""
        told = story(same_call=0, cycle=0)
        told.read("a.py")

        def step(_):
            told.read("a.py")
            told.say("I look again.")

        assert levels(told, "no progress", 7, step) == [None, None, "note", "note", "note", "stop", "stop"]
        finding = next(one for one in told.open if one.subject == "no progress")
        assert (finding.message, finding.figure) == (
            "No progress for 14 turns: no new successful call, no change, no new output",
            "14 turns",
        )

    @pytest.mark.parametrize(
        "something",
        [
            lambda told: told.read("new.py"),
            lambda told: told.edit("a.py", "1", "2"),
            lambda told: told.shell("ls", "another output"),
            lambda told: told.shell("new", "it failed, and says so", 1),
            lambda told: told.tell(Prompted(text="Look at b.py", by="operator", into="running")),
        ],
    )
    def test_anything_new_clears(self, something):
        """A new call, a change, new output of an old command, and new words of the operator are progress."""
        told = story(same_call=0, cycle=0)
        told.shell("ls", "a b")
        for _ in range(7):
            told.shell("ls", "a b")
            told.tell(Prompted(text="Go on.", by="harness", into="running"))
        told.say()
        assert level(told, "no progress") == "note"
        something(told)
        assert level(told, "no progress") is None

    def test_a_write_that_changes_nothing_is_no_progress(self):
        """+0 -0 is no net change; where the lines are not told it may be one."""
        told = story(same_call=0, same_change=0)
        told.read("a.py")
        for _ in range(8):
            told.write("a.py", "x", files=(FileOutcome("a.py", added=0, removed=0),))
        told.say()
        assert level(told, "no progress") == "note"
        for _ in range(8):
            told.write("a.py", "x", files=(FileOutcome("a.py"),))
        assert level(told, "no progress") is None

    def test_the_last_turn_counts_when_the_run_ends(self):
        """A run that ends in its twelfth idle turn ends with the finding."""
        told = story(same_call=0)
        for _ in range(13):
            call = told.call("read_file", "read", {"path": "a"})
            told.result(call, "text")
        assert level(told, "no progress") == "note"
        told.tell(RunEnded(status="stalled"))
        assert level(told, "no progress") == "stop"

from __future__ import annotations

from repeats_story import FAILS, level, levels, story

from monitor.events import Checked


class TestSameCall:
    def test_a_call_with_the_same_result(self):
        """The third time is a warning, the fifth a stop."""
        told = story()
        assert levels(told, "same call", 6, lambda _: told.read("a.py")) == [None, None, "warn", "warn", "stop", "stop"]
        (finding,) = [one for one in told.open if one.subject.startswith("same call")]
        assert finding.message == "The same call was made 6 times with the same result: read_file a.py"
        assert (finding.figure, finding.opened, finding.raised) == ("×6", 7, 11)
        assert [place.seq for place in finding.places] == [3, 13]

    def test_a_failed_call(self):
        """One that failed is one sooner: warned of at the second, stopped at the fourth."""
        told = story()
        step = lambda _: told.edit("a.py", outcome="failed", failure="not_found", output="not found")  # noqa: E731
        assert levels(told, "same call", 5, step) == [None, "warn", "warn", "stop", "stop"]

    def test_a_refused_call(self):
        """A call that a rule refuses, or a person denies, has failed too."""
        for outcome in ("refused", "denied"):
            told = story()
            step = lambda _, told=told, outcome=outcome: told.shell("touch z", "no", outcome=outcome)  # noqa: E731
            assert levels(told, "same call", 4, step) == [None, "warn", "warn", "stop"]

    def test_a_command_that_exits_with_an_error_has_run(self):
        """An exit code is a result like any other: the third time is a warning."""
        told = story()
        assert levels(told, "same call", 5, lambda _: told.shell("make", "bad", 2)) == [
            None,
            None,
            "warn",
            "warn",
            "stop",
        ]

    def test_the_order_of_arguments_is_no_difference(self):
        """Arguments are compared as JSON; a space more within them is another call."""
        told = story()
        for arguments in ('{"a": 1, "b": 2}', '{"b":2,"a":1}', '{"a": 1,  "b": 2}'):
            told.result(told.call("t", "read", arguments, paths=("x",)), "same")
        assert level(told, "same call") == "warn"
        told = story()
        for command in ("ls", "ls ", "ls  "):
            told.shell(command, "same")
        assert level(told, "same call") is None

    def test_another_result_is_no_repeat(self):
        """Each result of a call is counted by itself, and a new one clears what was found."""
        told = story()
        for output in ("1", "2", "3", "1", "2", "3"):
            told.read("a.py", output)
        assert told.levels == {}
        told.read("a.py", "1")
        assert level(told, "same call") == "warn"
        told.read("a.py", "4")
        assert level(told, "same call") is None
        assert [one.why_ended for one in told.findings] == ["it had another result"]

    def test_a_process_id_is_no_difference(self):
        """Results that differ by a process id, a port or a time are the same result."""
        told = story()
        for number in range(5):
            told.shell("./start", f"pid {4000 + number} listens on port {50000 + number} after 0.{number}s")
        assert level(told, "same call") == "stop"

    def test_what_may_change_something_starts_all_others_again(self):
        """After an edit or a command that may change something, a look counts from the start; its own count goes on."""
        told = story()
        for number in range(5):
            told.read("a.py")
            told.read("a.py")
            told.shell("make all", "up to date")
            assert level(told, "same call: read_file") is None
            assert level(told, "same call: make") == (None, None, "warn", "warn", "stop")[number]

    def test_a_new_successful_call_clears(self):
        """Leaving the loop ends the finding; coming back to it opens it again, with its count going on."""
        told = story()
        for _ in range(4):
            told.read("a.py")
        told.read("b.py")
        assert level(told, "same call") is None
        assert [(one.state, one.why_ended) for one in told.findings] == [("cleared", "a new call succeeded")]
        told.read("a.py")
        assert level(told, "same call") == "stop"

    def test_a_new_call_that_fails_clears_nothing(self):
        """Only success leaves the loop."""
        told = story()
        for _ in range(3):
            told.read("a.py")
        told.read("b.py", "no such file", "failed")
        assert level(told, "same call") == "warn"

    def test_each_actor_counts_for_itself(self):
        """Two actors that read the same file twice each repeat nothing."""
        told = story()
        for actor in ("", "kid", "", "kid"):
            told.read("a.py", actor=actor)
        assert told.levels == {}
        told.read("a.py", actor="kid")
        assert [one.actor for one in told.open] == ["kid"]

    def test_what_another_actor_changes_counts_as_well(self):
        """While a sub-agent edits, looking again is no repeat."""
        told = story()
        for number in range(6):
            told.read("a.py")
            told.edit("b.py", str(number), str(number + 1), actor="kid")
        assert told.findings == ()


class TestFailingCommand:
    def test_the_fourth_failure_stops(self):
        """The same command failing with the same output four times is a stop, whatever was edited in between."""
        told = story()

        def step(number):
            told.shell("./gradlew test", f"{FAILS} in 0.{number}s", 1)
            told.edit("a.py", str(number), str(number + 1))

        assert levels(told, "same failing command", 5, step) == [None, None, None, "stop", "stop"]
        finding = next(one for one in told.open if one.subject.startswith("same failing"))
        assert finding.message == "The same command failed 5 times: ./gradlew test"

    def test_two_commands_in_turn(self):
        """A, B, A, B is seen: each command has a counter of its own."""
        told = story(same_call=0, cycle=0)

        def step(_):
            told.shell("pytest -q", FAILS, 1)
            told.shell("npm test", "1 failing", 1)

        assert levels(told, "same failing command", 4, step) == [None, None, None, "stop"]
        assert len(told.open) == 2

    def test_passes_of_others_and_other_calls_neither_count_nor_reset(self):
        """Only the command's own passing ends it."""
        told = story()
        for _ in range(4):
            told.shell("pytest -q", FAILS, 1)
            told.shell("git status", "clean")
            told.read("a.py")
        assert level(told, "same failing command") == "stop"
        told.shell("pytest -q", "2 passed")
        assert level(told, "same failing command") is None
        told.shell("pytest -q", FAILS, 1)
        assert level(told, "same failing command") is None

    def test_another_output_begins_anew(self):
        """A failure that says something else is progress."""
        told = story()
        for number in range(8):
            told.shell("pytest -q", f"{number} failed", 1)
        assert level(told, "same failing command") is None

    def test_timeouts_count(self):
        """A command that times out four times alike is stuck too."""
        told = story()
        for _ in range(4):
            told.shell("npm start", "timed out after 120s", 124, outcome="timed_out")
        assert level(told, "same failing command") == "stop"

    def test_a_search_that_finds_nothing_has_not_failed(self):
        """Exit 1 without a word is the answer of grep, diff and test."""
        told = story(same_call=0)
        quiet = ("exit code: 1\n", "Exit code 1", "(no output)\n\nCommand exited with code 1")
        for number in range(12):
            told.edit("a.py", str(number), str(number + 1))
            told.shell("grep -rn TODO src", quiet[number % 3], 1)
        assert level(told, "same failing command") is None
        for _ in range(4):
            told.shell("grep -rn TODO nowhere", "grep: nowhere: No such file", 2)
        assert level(told, "same failing command") == "stop"

    def test_a_check_of_the_harness_begins_a_new_round(self):
        """After a failed check the agent is to try again: what failed before is counted anew."""
        told = story(same_call=0)
        for _ in range(4):
            told.shell("pytest -q", FAILS, 1)
        told.tell(Checked(command="pytest", passed=False))
        assert level(told, "same failing command") is None
        told.shell("pytest -q", FAILS, 1)
        assert level(told, "same failing command") is None

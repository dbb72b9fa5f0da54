"""Calls made over and over, and work that only looks like it."""

from __future__ import annotations

from cases import case, measured_case
from pen import Pen

FAILS = "FAILED tests/test_a.py::test_one - assert 1 == 2"
FIVE = (("a.py", "one"), ("b.py", "two"), ("c.py", "three"), ("d.py", "four"), ("e.py", "five"))
THREE = ("a.py", "b.py", "c.py")
GOES_ON = 8
"""So many rounds more, so that a slower rule has its chance."""


@case
def the_same_read(run: Pen) -> None:
    for _ in range(3):
        run.read("a.py")
    run.now("repeats", "warn", "same call")
    for _ in range(2):
        run.read("a.py")
    run.now("repeats", "stop", "same call")
    for _ in range(GOES_ON):
        run.read("a.py")


@case
def the_same_failing_edit(run: Pen) -> None:
    for _ in range(2):
        run.edit("a.py", "x", "y", "not_found")
    run.now("repeats", "warn", "same call")
    for _ in range(2):
        run.edit("a.py", "x", "y", "not_found")
    run.now("repeats", "stop", "same call")
    for _ in range(GOES_ON):
        run.edit("a.py", "x", "y", "not_found")
    run.still("failed_writes", "note")
    run.at_the_end("failed_writes", "warn")


@case
def results_that_differ_by_a_process_id(run: Pen) -> None:
    for number in range(3):
        run.shell("cat server.state", f"server up, pid {4100 + number}, port: {41000 + number}, 12:00:0{number}")
    run.now("repeats", "warn", "same call")
    for number in range(3, 3 + GOES_ON):
        run.shell("cat server.state", f"server up, pid {4100 + number}, port: {41000 + number}, 12:00:0{number}")


@case
def one_failing_test_command_between_edits(run: Pen) -> None:
    for number in range(4):
        run.edit("a.py", f"v{number}", f"v{number + 1}")
        run.shell("pytest -q", f"{FAILS}\n1 failed in 0.1{number}s", 1)
    run.now("repeats", "stop", "same failing command")
    for number in range(4, 4 + GOES_ON):
        run.edit("a.py", f"v{number}", f"v{number + 1}")
        run.shell("pytest -q", f"{FAILS}\n1 failed in 0.1{number}s", 1)


@case
def two_failing_commands_in_turn(run: Pen) -> None:
    for number in range(3):
        run.shell("make lint", "error: unused import", 2)
        run.shell("make test", FAILS, 2)
        run.edit("a.py", f"v{number}", f"v{number + 1}")
    run.shell("make lint", "error: unused import", 2)
    run.now("repeats", "stop", "make lint")
    run.shell("make test", FAILS, 2)
    run.now("repeats", "stop", "make test")
    for _ in range(GOES_ON):
        run.shell("make lint", "error: unused import", 2)
        run.shell("make test", FAILS, 2)


@case
def the_same_change_with_growing_results(run: Pen) -> None:
    for number in range(4):
        run.edit("Test.java", "}", "void t() {}\n}", output=grown(number))
    run.now("repeats", "warn", "same change")
    for number in range(4, 8):
        run.edit("Test.java", "}", "void t() {}\n}", output=grown(number))
    run.now("repeats", "stop", "same change")
    for number in range(8, 8 + GOES_ON):
        run.edit("Test.java", "}", "void t() {}\n}", output=grown(number))


@case
def a_cycle_of_calls(run: Pen) -> None:
    for _ in range(3):
        for file in THREE:
            run.read(file, f"text of {file}")
    run.now("repeats", "warn", "cycle of calls")
    for _ in range(2):
        for file in THREE:
            run.read(file, f"text of {file}")
    run.now("repeats", "stop", "cycle of calls")
    for _ in range(GOES_ON):
        for file in THREE:
            run.read(file, f"text of {file}")


@case
def a_failing_edit_in_turn_with_a_command_that_changes(run: Pen) -> None:
    for _ in range(5):
        run.edit("a.py", "x", "y", "not_found")
        run.shell("make generate", "generated")
    run.now("repeats", "stop", "cycle of calls")
    for _ in range(GOES_ON):
        run.edit("a.py", "x", "y", "not_found")
        run.shell("make generate", "generated")
    run.at_the_end("failed_writes", "warn")


@case
def the_same_call_never_executed(run: Pen) -> None:
    for _ in range(3):
        run.shell("make", became="not_executed")
    run.now("repeats", "warn", "not executed")
    for _ in range(3):
        run.shell("make", became="not_executed")
    run.now("repeats", "stop", "not executed")
    for _ in range(GOES_ON):
        run.shell("make", became="not_executed")


@case
def turns_that_bring_nothing(run: Pen) -> None:
    for file, text in FIVE:
        run.read(file, text)
    for number in range(5):
        run.read(*FIVE[number * 2 % 5])
    before = run.line
    for number in range(5, 7):
        run.read(*FIVE[number * 2 % 5])
    run.now("repeats", "note", "no progress", since=before)


@case
def the_same_build_after_each_edit(run: Pen) -> None:
    for number in range(34):
        run.edit("a.ts", f"v{number}", f"v{number + 1}")
        run.shell("npm run build 2>&1 | tail -3", "built in 1.2s")
    run.quiet("repeats")


@case
def a_test_that_fails_differently(run: Pen) -> None:
    for number in range(8):
        run.edit("a.py", f"v{number}", f"v{number + 1}")
        run.shell("pytest -q", f"FAILED tests/test_a.py::test_{number} - assert {number} == {number + 2}", 1)
    run.quiet("repeats")


@case
def a_growing_log(run: Pen) -> None:
    for number in range(20):
        run.shell("tail -1 progress.log", f"step {number} of 40")
    run.quiet("repeats")


@case
def sleeping_until_it_is_done(run: Pen) -> None:
    for _ in range(15):
        run.shell("sleep 30 && tail -1 build.log", "still building")
    run.quiet("repeats")


@case
def asking_after_a_background_command(run: Pen) -> None:
    run.shell("npm start", became="background")
    for _ in range(12):
        run.poll("still running")
    run.quiet("repeats")


@case
def looking_at_a_server_that_runs(run: Pen) -> None:
    run.shell("npm start", became="background")
    for _ in range(6):
        run.shell("curl -s localhost:3000/health", "ok")
    run.quiet("repeats")


@case
def two_wordings_of_one_refused_commit(run: Pen) -> None:
    run.shell("git commit -m 'Add a test'", became="denied")
    run.shell("git commit -m 'Add a test' -m 'It fails first'", became="denied")
    run.prompt("Continue.")
    run.shell("git commit -m 'Add a test'", "[main 3477e43] Add a test")
    run.quiet("repeats")


@case
def looking_at_many_files_and_at_some_again(run: Pen) -> None:
    for number in range(17):
        run.read(f"f{number % 12}.py", f"text {number % 12}")
    run.quiet("repeats")


@case
def read_again_after_each_change(run: Pen) -> None:
    for number in range(6):
        run.read("a.py", f"v{number}")
        run.edit("a.py", f"v{number}", f"v{number + 1}")
    run.quiet("repeats")


@case
def a_comparison_that_says_no(run: Pen) -> None:
    for number in range(5):
        run.shell("git diff --quiet HEAD~1", "", 1)
        run.edit("a.py", f"v{number}", f"v{number + 1}")
    run.quiet("repeats")


@measured_case
def it_reads_again_as_it_was_told(run: Pen) -> None:
    for _ in range(3):
        run.read("a.py")
    run.now("repeats", "warn", "same call")
    run.warned("repeats::same call: read a.py")
    run.read("a.py")
    run.read("b.py")
    run.clear("repeats")


@measured_case
def it_goes_on_after_the_warning(run: Pen) -> None:
    for _ in range(3):
        run.read("a.py")
    run.warned("repeats::same call: read a.py")
    for _ in range(2):
        run.read("a.py")
    run.still("repeats", "warn", "same call")
    run.read("a.py")
    run.now("repeats", "stop", "same call")


def grown(number: int) -> str:
    """What an edit says of a file that grows by each one."""
    return f"[File: Test.java ({93 + 4 * number} lines total)]"

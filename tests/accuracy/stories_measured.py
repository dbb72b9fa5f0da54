"""The project folder as it was measured, and files that others changed."""

from __future__ import annotations

from cases import measured_case
from pen import Pen


@measured_case
def nothing_changed_and_none_was_required(run: Pen) -> None:
    run.measured("start", changed=None)
    run.read("a.py")
    run.claim("The build is broken because the header is missing.")
    run.measured("claim", changed=False)
    run.now("worktree", "note")


@measured_case
def the_folder_could_not_be_measured(run: Pen) -> None:
    run.measured("start", changed=None, reason="no permission to read it")
    run.claim()
    run.measured("claim", changed=None, reason="no permission to read it")
    run.quiet("worktree")


@measured_case
def something_changed(run: Pen) -> None:
    run.measured("start", changed=None)
    run.edit("a.py", "one", "two")
    run.claim()
    run.measured("claim", changed=True, files=("a.py",))
    run.quiet("worktree")


@measured_case
def a_file_it_had_read_changes(run: Pen) -> None:
    run.read("a.py", "one\n")
    run.wait(60)
    run.changed("a.py")
    run.wait(60)
    run.read("b.py")
    run.now("outside_edits", "note", "a.py")
    run.write("a.py", "two\n")
    run.now("outside_edits", "warn", "a.py")


@measured_case
def its_own_write_is_no_outside_edit(run: Pen) -> None:
    run.read("a.py", "one\n")
    run.edit("a.py", "one", "two")
    run.changed("a.py")
    run.wait(60)
    run.read("b.py")
    run.quiet("outside_edits")


@measured_case
def nothing_changed_since_the_feedback(run: Pen) -> None:
    run.measured("start", changed=None)
    run.edit("a.py", "one", "two")
    run.claim()
    run.measured("claim", changed=True, files=("a.py",))
    run.feedback("Rename the test too.")
    run.claim("Renamed.")
    run.measured("claim", changed=False)
    run.now("worktree", "warn")
    run.nag("Look again.")
    run.claim("All is renamed.")
    run.still("worktree", "warn")
    run.measured("claim", changed=False)
    run.now("worktree", "stop")


@measured_case
def the_feedback_was_applied(run: Pen) -> None:
    run.measured("start", changed=None)
    run.feedback("Rename the test too.")
    run.edit("test_a.py", "one", "two")
    run.claim("Renamed.")
    run.measured("claim", changed=True, files=("test_a.py",))
    run.quiet("worktree")


@measured_case
def a_command_of_its_own_changed_it(run: Pen) -> None:
    run.read("a.py", "one\n")
    run.shell("sed -i s/one/two/ a.py")
    run.changed("a.py", after=0)
    run.wait(60)
    run.read("b.py")
    run.quiet("outside_edits")


@measured_case
def a_formatter_right_after_its_write(run: Pen) -> None:
    run.edit("a.py", "one", "two")
    run.changed("a.py", after=1.5)
    run.wait(60)
    run.read("b.py")
    run.quiet("outside_edits")


@measured_case
def it_reads_the_other_version_before_its_edit(run: Pen) -> None:
    run.read("a.py", "one\n")
    run.wait(60)
    run.changed("a.py")
    run.wait(60)
    run.read("a.py", "other\n")
    run.said("outside_edits", "note", "a.py")
    run.clear("outside_edits")
    run.edit("a.py", "other", "two")
    run.wait(60)
    run.read("b.py")
    run.clear("outside_edits")


@measured_case
def a_file_it_never_read(run: Pen) -> None:
    run.read("a.py", "one\n")
    run.wait(60)
    run.changed("b.py")
    run.wait(60)
    run.read("c.py")
    run.quiet("outside_edits")


@measured_case
def an_edit_without_reading_the_other_version(run: Pen) -> None:
    run.read("a.py", "one\n")
    run.wait(60)
    run.changed("a.py")
    run.wait(60)
    run.edit("a.py", "one", "two")
    run.now("outside_edits", "warn", "a.py")


@measured_case
def applied_after_the_warning(run: Pen) -> None:
    run.measured("start", changed=None)
    run.feedback("Rename the test too.")
    run.claim("Renamed.")
    run.measured("claim", changed=False)
    run.now("worktree", "warn")
    run.nag("Look again.")
    run.edit("test_a.py", "one", "two")
    run.claim("All is renamed.")
    run.measured("claim", changed=True, files=("test_a.py",))
    run.clear("worktree")


@measured_case
def ten_turns_without_a_change(run: Pen) -> None:
    run.measured("start", changed=None)
    for number in range(10):
        run.read(f"f{number}.py", f"text {number}")
    run.measured("turn", changed=False)
    run.now("worktree", "note", "no change")
    run.edit("a.py", "one", "two")
    run.measured("turn", changed=True, files=("a.py",))
    run.clear("worktree")

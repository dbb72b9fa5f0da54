"""Failed writes: what is outstanding at a claim, and what is not."""

from __future__ import annotations

from cases import case
from pen import Call, Pen, edit

MISSING = "not_found"


@case
def a_failed_write_and_a_claim(run: Pen) -> None:
    run.read("app.xml", "<name>Hello</name>")
    run.edit("app.xml", "Helo", "Hi", MISSING)
    run.now("failed_writes", "note", "app.xml")
    run.claim()
    run.now("failed_writes", "warn", "app.xml")
    run.at_the_end("failed_writes", "stop")


@case
def claimed_again_in_the_same_request(run: Pen) -> None:
    run.edit("app.xml", "Helo", "Hi", MISSING)
    run.claim()
    run.now("failed_writes", "warn")
    run.nag("The tests were not run.")
    run.claim("All done and tested.")
    run.now("failed_writes", "stop")


@case
def the_run_ends_after_a_false_claim(run: Pen) -> None:
    run.edit("app.xml", "Helo", "Hi", MISSING)
    run.claim()
    run.end()
    run.now("failed_writes", "stop")


@case
def redone_after_a_look(run: Pen) -> None:
    run.edit("app.xml", "Helo", "Hi", MISSING)
    run.read("app.xml", "<name>Hello</name>")
    run.edit("app.xml", "Hello", "Hi")
    run.clear("failed_writes")
    run.claim()
    run.clear("failed_writes")


@case
def a_success_beside_the_failure_in_one_message(run: Pen) -> None:
    run.batch(edit("app.xml", "Helo", "Hi", MISSING), edit("app.xml", "color", "colour"))
    run.claim()
    run.now("failed_writes", "warn", "app.xml")
    run.at_the_end("failed_writes", "stop")


@case
def two_files_beside_each_other_in_one_message(run: Pen) -> None:
    run.batch(edit("a.py", "one", "two", MISSING), edit("b.py", "one", "two"))
    run.edit("a.py", "One", "Two")
    run.claim()
    run.clear("failed_writes")


@case
def denied_by_a_person(run: Pen) -> None:
    run.edit("app.xml", "Hello", "Hi", became="denied")
    run.write("notes.md", "The name stays.\n")
    run.claim("The name stays, as you wish. The notes are written.")
    run.clear("failed_writes")


@case
def refused_by_a_rule(run: Pen) -> None:
    run.edit(".github/ci.yml", "3.11", "3.12", became="refused")
    run.claim("The pipeline is updated.")
    run.now("failed_writes", "warn", "ci.yml")
    run.at_the_end("failed_writes", "stop")


@case
def the_same_edit_once_more_after_it_was_made(run: Pen) -> None:
    run.edit("app.xml", "Hello", "Hi")
    run.edit("app.xml", "Hello", "Hi", MISSING)
    run.claim()
    run.clear("failed_writes")


@case
def the_same_edit_once_more_after_a_command(run: Pen) -> None:
    run.edit("app.xml", "Hello", "Hi")
    run.shell("git checkout app.xml", "Updated 1 path from the index")
    run.edit("app.xml", "Hello", "Hi", MISSING)
    run.claim()
    run.now("failed_writes", "warn", "app.xml")
    run.at_the_end("failed_writes", "stop")


@case
def one_file_under_three_spellings(run: Pen) -> None:
    run.edit("src/app.py", "one", "two", MISSING)
    run.edit("./src/app.py", "One", "two", MISSING)
    run.edit("/home/dev/app/src/../src/app.py", "ONE", "two")
    run.claim()
    run.clear("failed_writes")


@case
def the_same_name_in_another_folder(run: Pen) -> None:
    run.edit("values-es/strings.xml", "Hola", "Buenas", MISSING)
    run.edit("values/strings.xml", "Hello", "Hi")
    run.claim("All strings are changed.")
    run.now("failed_writes", "warn", "values-es/strings.xml")
    run.at_the_end("failed_writes", "stop")


@case
def ten_refusals_a_comment_and_two_more(run: Pen) -> None:
    for number in range(10):
        run.edit("parser.py", f"def parse_{number}(", "def parse(", MISSING)
    run.edit("parser.py", "# parser", "# parser of commands")
    run.edit("parser.py", "def parse_x(", "def parse(", MISSING)
    run.edit("parser.py", "def parse_y(", "def parse(", MISSING)
    run.claim()
    run.now("failed_writes", "warn", "parser.py")
    run.at_the_end("failed_writes", "stop")


@case
def it_says_that_it_could_not(run: Pen) -> None:
    run.edit("app.xml", "Helo", "Hi", MISSING)
    run.claim("I could not make the change: the text is not in the file.")
    run.now("failed_writes", "warn", "app.xml")
    run.at_the_end("failed_writes", "warn")


@case
def a_failing_command_opens_nothing(run: Pen) -> None:
    run.shell("sed -i s/a/b/ missing.py", "sed: can't read missing.py: No such file or directory", 2)
    run.claim()
    run.quiet("failed_writes")


@case
def a_patch_of_three_files_of_which_two_are_redone(run: Pen) -> None:
    for _ in range(3):
        run.patch("a.py", "b.py", "c.py", failure=MISSING)
    run.edit("b.py", "one", "two")
    run.edit("c.py", "one", "two")
    run.claim("All three are changed.")
    run.now("failed_writes", "warn", "a.py")
    run.at_the_end("failed_writes", "stop", "a.py")
    run.said("repeats", "warn", "same call")


@case
def a_patch_of_four_files_redone_piecewise(run: Pen) -> None:
    files = ("a.py", "b.py", "c.py", "d.py")
    run.patch(*files, failure=MISSING)
    for file in files:
        run.edit(file, "one", "two")
    run.claim("All four are changed.")
    run.clear("failed_writes")


@case
def refused_and_written_outside_the_project(run: Pen) -> None:
    run.write("ci.yml", "python: 3.12\n", became="refused")
    run.write("/tmp/ci.yml", "python: 3.12\n")
    run.claim("The pipeline is updated.")
    run.now("failed_writes", "warn", "app/ci.yml")
    run.at_the_end("failed_writes", "stop", "app/ci.yml")


@case
def a_file_created_twice(run: Pen) -> None:
    run.create("a.py", "x = 1\n")
    run.shell("make", "made")
    run.create("a.py", "x = 1\n", failure="exists")
    run.claim()
    run.clear("failed_writes")


@case
def a_write_without_a_result(run: Pen) -> None:
    run.begun(Call("write", file="a.py", new="x = 1\n"))
    run.at_the_end("failed_writes", "warn", "a.py")

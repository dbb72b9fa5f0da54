"""What became of the edits and commands of OpenHands' histories."""

from __future__ import annotations

import pytest
from openhands_logs import FILE, INSTANCE, begun, decoded, of

from monitor.events import ToolCalled, ToolReturned
from monitor.run.run import Run

NOT_FOUND = f"ERROR:\nNo replacement was performed, old_str `x` did not appear verbatim in {FILE}."
EDITED = f"The file {FILE} has been edited. Here's the result of running `cat -n`"


def result(log) -> ToolReturned:
    return of(decoded(log.document()), ToolReturned)[-1]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (EDITED, ("ok", "")),
        (NOT_FOUND, ("failed", "not_found")),
        ("ERROR:\nNo replacement was performed. Multiple occurrences of old_str `x` in lines [1, 2].", ("failed", "ambiguous")),
        ("ERROR:\nInvalid `new_str` parameter: x. `new_str` and `old_str` must be different.", ("failed", "identical")),
        ("ERROR:\nParameter `old_str` is required for command: str_replace.", ("failed", "arguments")),
        ("ERROR:\nInvalid `path` parameter: /b. The path /b does not exist. Please provide a valid path.", ("failed", "io")),
        ("[Existing file /workspace/a.py is edited with 2 changes.]", ("ok", "")),
        ("The action has not been executed due to a runtime error.", ("not_executed", "")),
        ("Action has been rejected by the user! Waiting for further user input.", ("denied", "")),
    ],
)  # fmt: skip
def test_what_became_of_an_edit(content, expected):
    """The editor's own sentences name the failure; a person's no, and what never ran, are no failures of a text."""
    log = begun()
    log.edited(content)
    told = result(log)
    assert (told.outcome, told.failure) == expected
    assert (told.files[0].file, told.files[0].outcome) == (FILE, expected[0])


def test_older_writes():
    """A whole file written, and an edit of a range of lines, are writes too."""
    log = begun()
    log.saw(log.did("write", path=FILE, content="x"), "write", "I wrote to the file.", path=FILE)
    log.saw(log.did("edit", path=FILE, content="y", start=1, end=2), "edit", "", path=FILE, diff="+y")
    events = decoded(log.document())
    assert [(one.changes[0].op, one.changes[0].new) for one in of(events, ToolCalled)] == [
        ("write", "x"),
        ("edit", "y"),
    ]
    assert [one.outcome for one in of(events, ToolReturned)] == ["ok", "ok"]


@pytest.mark.parametrize(
    ("content", "code", "expected"),
    [
        ("out", 0, ("ok", 0, False)),
        ("out", 3, ("failed", 3, False)),
        ("\n[The command has no new output after 30 seconds. You may wait longer.]", -1, ("unknown", None, True)),
        ("\n[The command timed out after 120 seconds. You may wait longer.]", -1, ("timed_out", None, False)),
        ("cat > a.py << 'EOF'\n> ", -1, ("unknown", None, True)),
        ("x", None, ("unknown", None, False)),
        (
            "\n[Your command 'ls' is NOT executed. The previous command is still running]",
            -1,
            ("not_executed", None, False),
        ),
        ("ERROR: Cannot execute multiple commands at once.", 1, ("not_executed", 1, False)),
    ],
)
def test_what_a_command_came_to(content, code, expected):
    """Only an exit code of 0 is a success: a terminal that waits, and what was not executed, are none."""
    log = begun()
    log.ran("make", content, code)
    told = result(log)
    assert (told.outcome, told.exit, told.background) == expected


def test_looking_at_a_running_command_is_no_command():
    """An empty command only waits, and typing into a running one is not a new one."""
    log = begun()
    log.ran("", "more", -1)
    log.ran("y", "more", 0, is_input=True)
    assert [one.kind for one in of(decoded(log.document()), ToolCalled)] == ["poll", "other"]


def test_calls_of_one_reply_are_a_batch():
    """Actions that came in one reply share its message."""
    log = begun()
    log.ran("ls", reply="r1")
    log.ran("make", reply="r1")
    log.ran("id", reply="r2")
    messages = [one.message for one in of(decoded(log.document()), ToolCalled)]
    assert messages[0] == messages[1] != messages[2]


def test_a_failed_edit_stays_though_an_insert_beside_it_was_made():
    """Ten refusals, one success that only inserts a comment, one more refusal: outstanding, and the agent says so."""
    log = begun()
    for _ in range(10):
        log.edited(NOT_FOUND)
    log.edited(EDITED, command="insert", old_str=None, insert_line=1)
    log.edited(NOT_FOUND)
    log.did("finish", final_thought="I was unable to make the change.")
    run = Run()
    for event in decoded(log.instance(), INSTANCE):
        run.feed(event)
    told = run.snapshot()
    assert told.writes.outstanding == 1
    assert (told.verdict.state, told.verdict.claimed_done) == ("not made", False)

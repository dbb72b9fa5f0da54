"""What SWE-agent's trajectories tell."""

from __future__ import annotations

import pytest
from swe_logs import FILE, LINT, UPDATED, decoded, document, of, step

from monitor.events import (
    Change,
    Prompted,
    ReplyEnded,
    RequestEnded,
    RunEnded,
    RunStarted,
    Said,
    ToolCalled,
    ToolReturned,
    Unreadable,
    Used,
)
from monitor.run.run import Run


def only(action, observation="", **more) -> tuple:
    events = decoded(document(step(action, observation, **more), status=None))
    (call,), (result,) = of(events, ToolCalled), of(events, ToolReturned)
    return call, result


def test_a_run_from_its_task_to_its_claim():
    """A submitted trajectory tells its task, what was done, what it cost, and a claim of done."""
    events = decoded(document(step("ls", "a.py"), step("submit\n", "diff", words="I fixed it.")))
    started = of(events, RunStarted)[0]
    assert (started.agent, started.cwd) == ("swe-agent", "/repo")
    assert [one.text for one in of(events, Prompted)] == ["Mend a.py"]
    assert [(one.kind, one.command) for one in of(events, ToolCalled)] == [("shell", "ls"), ("finish", "")]
    assert [one.place.line for one in of(events, Said)] == [0, 1]
    assert [(one.how, one.text) for one in of(events, RequestEnded)] == [("answered", "I fixed it.")]
    assert [(one.tokens.input, one.cost) for one in of(events, Used)] == [(9, 0.5)]
    assert [one.status for one in of(events, RunEnded)] == ["submitted"]


@pytest.mark.parametrize(
    ("action", "observation", "expected"),
    [
        ("edit 1:2\nx\nend_of_edit\n", UPDATED, ("edit", None, "x", "ok", "")),
        ("edit 1:2\nx\nend_of_edit\n", LINT, ("edit", None, "x", "failed", "other")),
        ("edit 1:2\nx\nend_of_edit\n", "No file open. Use the `open` command first.", ("edit", None, "x", "failed", "arguments")),
        ("edit 'a b' 'c'", "Text replaced. Please review the changes.", ("edit", "a b", "c", "ok", "")),
        (
            "edit 'a' 'c'",
            "Your edit was not applied (file not modified): Text 'a' not found in displayed lines (or anywhere in the file).",
            ("edit", "a", "c", "failed", "not_found"),
        ),
        (
            "edit 'a' 'c'",
            "Your edit was not applied (file not modified): Found more than one occurrence of 'a' in the lines.",
            ("edit", "a", "c", "failed", "ambiguous"),
        ),
        ("edit 'a' 'c'", "Your edit was not applied (file not modified): a reason of its own. Text replaced.", ("edit", "a", "c", "failed", "other")),
        ("edit 'a' 'a'", "Your search and replace strings are the same. No changes", ("edit", "a", "a", "failed", "identical")),
        ("insert 'x'", f"[File: {FILE} (3 lines total)]\n1:x", ("insert", None, "x", "ok", "")),
        ("create b.py", "Error: File 'b.py' already exists.\n[File: b.py (1 lines total)]", ("create", None, "", "failed", "exists")),
        ("create b.py", "[File: /repo/b.py (1 lines total)]\n1:", ("create", None, "", "ok", "")),
        ("edit 1:2\nx\nend_of_edit", "\nEXECUTION TIMED OUT", ("edit", None, "x", "timed_out", "")),
        ("edit 1:2\nx\nend_of_edit", "-bash: edit: command not found", ("edit", None, "x", "failed", "other")),
        ("edit 1:2\nx\nend_of_edit", "", ("edit", None, "x", "unknown", "")),
        (
            "str_replace_editor str_replace /repo/a.py --old_str 'a' --new_str='c'",
            "No replacement was performed, old_str `a` did not appear verbatim in /repo/a.py.",
            ("edit", "a", "c", "failed", "not_found"),
        ),
        (
            "str_replace_editor create /repo/b.py --file_text 'a\nb'",
            "File created successfully at: /repo/b.py",
            ("create", None, "a\nb", "ok", ""),
        ),
    ],
)  # fmt: skip
def test_the_tools_that_write(action, observation, expected):
    """Each of its own edit tools is a write call, its change told, its failure of the right kind."""
    call, result = only(action, observation)
    (change,), (file,) = call.changes, result.files
    assert call.kind == "write"
    assert (change.op, change.old, change.new, result.outcome, result.failure) == expected
    assert (file.outcome, file.failure) == (result.outcome, result.failure)


def test_the_file_is_the_one_in_the_window():
    """An edit names no file: it is the open one, and as the window shows it where it is whole."""
    call, result = only("edit 1:1\nx\nend_of_edit", UPDATED)
    assert (call.changes[0].file, call.changes[0].added, call.changes[0].removed) == (FILE, 1, 1)
    assert result.files[0].file == FILE
    assert only("create b.py", "[File: /repo/b.py (1 lines total)]\n1:")[1].files[0].file == "/repo/b.py"
    assert not only("edit 1:1\nx\nend_of_edit", LINT, opened="")[0].changes[0].file


@pytest.mark.parametrize(
    ("action", "change"),
    [
        (f"str_replace_editor create {FILE} --file_text '{'x' * 200_001}'", Change(FILE, "create", cut=True)),
        (f"str_replace_editor str_replace {FILE} --old_str 'a", Change(FILE, "edit", cut=True)),
        ("edit 'a' 'it's'", Change(FILE, "edit", new="'a' 'it's'", cut=True)),
        ("edit 1:1\nit's\nend_of_edit", Change(FILE, "edit", new="it's", added=1, removed=1)),
    ],
)
def test_a_write_whose_words_cannot_be_told_apart(action, change):
    """Such a write is told all the same, and its text as not known whole; lines that are replaced need no words."""
    call, _ = only(action)
    assert (call.kind, call.changes) == ("write", (change,))
    assert action[-20:-12] in call.arguments


@pytest.mark.parametrize(
    ("action", "kind", "paths"),
    [
        ('open "src/a.py" 12', "read", ("src/a.py",)),
        ("goto 12", "read", (FILE,)),
        ("search_dir x src", "search", ("src",)),
        ("find_file a.py", "search", (".",)),
        ("str_replace_editor view /repo/a.py --view_range 1 9", "read", ("/repo/a.py",)),
        ("open 'a.py", "shell", ()),
        ("search_dir x && rm a.py", "shell", ()),
        ("cat a.py", "shell", ()),
        ("opener a.py", "shell", ()),
    ],
)
def test_the_tools_that_look(action, kind, paths):
    """Reads and searches name what they read; what only begins like a tool is a shell command."""
    call, _ = only(action, "x")
    assert (call.kind, call.paths) == (kind, paths)


@pytest.mark.parametrize(
    ("observation", "outcome"),
    [
        ("", "ok"),
        ("out", "ok"),
        ("/bin/bash: line 7: mvn: command not found", "failed"),
        ("mvn: command not found\nin the middle of a log", "ok"),
        ("The command 'make' was cancelled because it took more than 30 seconds.", "timed_out"),
        ("Your bash command contained syntax errors and was NOT executed.", "not_executed"),
        ("Interactive operation 'python' is not supported by this environment", "not_executed"),
        ("\nCOMMAND FAILED TO EXECUTE because the process has died", "failed"),
    ],
)
def test_what_a_command_came_to(observation, outcome):
    """No exit code is ever told; only what the harness or the shell itself says makes a failure."""
    _, result = only("make", observation)
    assert (result.outcome, result.exit) == (outcome, None)


def test_what_goes_by_exit_codes_is_seen_in_part():
    """As no exit code is ever told, repeats, tests and sites say that they see only a part."""
    cover = of(decoded(document(step("ls"))), RunStarted)[0].coverage
    assert [cover[name].sees for name in ("repeats", "tests", "sites")] == ["partial"] * 3


def test_failed_edits_stay_until_one_is_made():
    """The ledger of failed writes works on the window's edits: open until one to that file succeeds."""
    run = Run()
    edit = "edit 1:1\nx\nend_of_edit"
    for event in decoded(document(step(edit, LINT), step(edit, LINT), status=None)):
        run.feed(event)
    assert run.snapshot().writes.outstanding == 1
    run = Run()
    for event in decoded(document(step(edit, LINT), step(edit, UPDATED), status=None)):
        run.feed(event)
    assert run.snapshot().writes.outstanding == 0


def test_a_growing_file_tells_only_what_is_new():
    """A trajectory saved after each step tells each step once."""
    first = document(step("ls"), status=None)
    events = decoded(first, first, document(step("ls"), step("submit")))
    assert len(of(events, ToolCalled)) == len(of(events, ToolReturned)) == len(of(events, ReplyEnded)) == 2
    assert len(of(events, RunStarted)) == len(of(events, Prompted)) == len(of(events, RunEnded)) == 1


def test_a_reply_that_could_not_be_taken():
    """A step without an action is what the harness said, and begins no request."""
    events = decoded(document(step("", "Your output was not formatted correctly."), status=None))
    assert [one.by for one in of(events, Prompted)] == ["user", "harness"]
    assert not of(events, ToolCalled)


@pytest.mark.parametrize("data", [b"{", b"[]", b"{}", b'{"trajectory": 3}', b'{"trajectory": [1]}', b"\xff"])
def test_what_is_no_trajectory_is_unreadable(data):
    """A broken document is counted, not thrown."""
    assert len(of(decoded(data), Unreadable)) == 1

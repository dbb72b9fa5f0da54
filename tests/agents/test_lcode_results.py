"""What lcode's own words for a result mean."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lcode_logs import decode, of, reply, result

from monitor.agents.lcode.outcome import judge
from monitor.agents.lcode.patches import changes_of
from monitor.agents.lcode.tools import called
from monitor.events import Change, Noticed, ToolReturned

ENDED = "\n[exit code: 0]"
NOTED = "\n\n[lcode] You made this exact call 3 times in this request and got the same result each time. Making it"
HOOKED = "\n[A hook ran after this (make):\n[exit code: 9]]"

WORDS = [
    ("edit_file", "Error: You must read_file a.py before modifying it.", "failed", "unread"),
    ("edit_file", "Error: a.py changed on disk since you read it. Read it again first.", "failed", "stale"),
    ("edit_file", "Error: a.py changed while the user was being asked (they", "failed", "stale"),
    ("edit_file", "Error: old_string not found in a.py. It must match", "failed", "not_found"),
    ("edit_file", "Error: old_string isn't in a.py exactly, and it's close to more than one place:", "failed", "ambiguous"),
    ("edit_file", "Error: old_string occurs 2 times in a.py. Add", "failed", "ambiguous"),
    ("edit_file", "Error: old_string and new_string are identical", "failed", "identical"),
    ("edit_file", "Error: a.py does not exist (use write_file to create it)", "failed", "io"),
    ("write_file", "Error: the file is in cp1252, which can't hold '→'", "failed", "io"),
    ("write_file", "Error: PermissionError: [Errno 13]", "failed", "io"),
    ("edit_file", "Error: a hook blocked this edit_file call: no", "refused", "other"),
    ("edit_file", "Error: Plan mode is on, so nothing can be changed yet.", "refused", "other"),
    ("edit_file", "Error: /x is outside the project (/p); with the sandbox on, that's all", "refused", "other"),
    ("bash", "Error: lcode's secret check stopped this command. This commit", "refused", "other"),
    ("bash", "Error: you can only run read-only commands (such as", "refused", "other"),
    ("bash", "A deny rule blocks this: bash(rm *). Don't", "refused", "other"),
    ("bash", "This needs the user's permission, and nobody can be asked", "refused", "other"),
    ("bash", "The user denied this action (no input available).", "refused", "other"),
    ("bash", "The user denied this action. Ask the user how", "denied", ""),
    ("bash", "The user denied this action. User says: use make", "corrected", ""),
    ("bash", "The user denied this: they cancelled the request.", "cancelled", ""),
    ("edit_file", "The user denied this in the editor. Ask", "denied", ""),
    ("present_plan", "The user wants changes to the plan: smaller", "corrected", ""),
    ("present_plan", "The plan was shown to the user, who will review it later. Stop", "refused", "other"),
    ("memory", "The user didn't want this saved.", "denied", ""),
    ("bash", "Not run: lcode stopped the request before this call.", "not_executed", ""),
    ("bash", "Interrupted by the user before completion.", "cancelled", ""),
    ("web_fetch", "Error: http://x.org/a returned HTTP 404", "failed", "other"),
    ("mcp__x__y", "The user denied nothing here", "denied", ""),
    ("read_file", "     1\tError: in the file", "ok", ""),
]  # fmt: skip


@pytest.mark.parametrize(("tool", "output", "outcome", "failure"), WORDS)
def test_words(tool, output, outcome, failure):
    """Refused for want of an approver, denied by a person and failed are three things."""
    found = judge(tool, output)
    assert (found.outcome, found.failure) == (outcome, failure)


def test_an_error_in_unknown_words_is_a_failure():
    """The source's own flag counts where the words do not tell."""
    assert judge("mcp__x__y", "no", error=True).outcome == "failed"
    assert judge("mcp__x__y", "no").outcome == "ok"


@pytest.mark.parametrize(
    ("output", "outcome", "code"),
    [
        ("x" + ENDED, "ok", 0),
        ("Error: printed by the program" + ENDED, "ok", 0),
        ("The user denied it, says the program\n[exit code: 1]", "failed", 1),
        ("[exit code: 7]\nof another\n[exit code: 0]", "ok", 0),
        ("x\n[exit code: 2]" + NOTED, "failed", 2),
        ("x\n[exit code: 2]" + HOOKED, "failed", 2),
        ("x\n[Command timed out after 5s and was killed]\n[exit code: -9]", "timed_out", -9),
        ("The command ended right away (exited with code 3), so it isn't running in the background:\nx", "failed", 3),
    ],
)
def test_the_exit_code_is_the_commands_own(output, outcome, code):
    """It stands last, before what hooks and lcode add; a program's words do not count."""
    found = judge("bash", output)
    assert (found.outcome, found.exit) == (outcome, code)


def test_where_the_shell_is_and_what_goes_on_behind():
    """The folder afterwards is lcode's word for it; a background job is only acknowledged."""
    assert judge("bash", "\n[Working directory is now /p/app]" + ENDED).cwd == "/p/app"
    stays = "\n[/tmp is outside the project, so the working directory stays /p: the next command starts there. To run]"
    assert judge("bash", stays + ENDED).cwd == "/p"
    assert judge("bash", "x" + ENDED).cwd == ""
    assert judge("bash", "Started background job 1: it keeps running").background


def patched(output, *files):
    patch = "".join(f"--- a/{file}\n+++ b/{file}\n@@ -1 +1 @@\n-a\n+b\n" for file in files)
    events = decode(reply(("apply_patch", {"patch": patch})), result("apply_patch", output))
    (back,) = of(events, ToolReturned)
    return [(one.file, one.outcome, one.cause) for one in back.files]


def test_a_patch_fails_as_a_whole_and_names_the_cause():
    """Nothing is written before all of it fits; a file on the way down may be denied when others are written."""
    assert patched("Error: b.py: hunk 1 (@@ -1 +1 @@) doesn't match the file.", "a.py", "b.py") == [
        ("a.py", "failed", False), ("b.py", "failed", True),
    ]  # fmt: skip
    assert patched("Patched a.py, b.py (hunk 1 ignoring indentation).", "a.py", "b.py") == [
        ("a.py", "ok", False), ("b.py", "ok", False),
    ]  # fmt: skip
    denied = "The user denied this action. Ask. (already patched: a.py (hunk 1 ignoring indentation))"
    assert patched(denied + NOTED, "a.py", "b.py", "c.py") == [
        ("a.py", "ok", False), ("b.py", "denied", True), ("c.py", "not_executed", False),
    ]  # fmt: skip
    meanwhile = "Error: b.py changed while the user was being asked (they or another program edited it), so"
    assert patched(meanwhile, "a.py", "b.py", "c.py") == [
        ("a.py", "ok", False), ("b.py", "failed", True), ("c.py", "not_executed", False),
    ]  # fmt: skip
    assert patched("Error: no ---/+++ file headers with @@ hunks: write") == [("", "failed", True)]


def test_a_write_names_the_file_as_the_tool_does():
    """A path is told relative to where lcode works, lines added where it counts them."""
    for output, told in (
        ("Created src/a.py (3 lines).", ("src/a.py", 3, 0)),
        ("Overwrote src/a.py (3 lines).", ("src/a.py", None, None)),
    ):
        events = decode(reply(("write_file", {"path": "/p/src/a.py", "content": "x"})), result("write_file", output))
        (file,) = of(events, ToolReturned)[0].files
        assert (file.file, file.added, file.removed) == told


def test_notes_on_a_result_are_told_beside_it():
    """What lcode appended is still what the model saw, and a notice of its own; a file that quotes it is not."""
    unreachable = (
        "\n\n[lcode] Every request to x.org in this request has failed (3 different calls: HTTP 404) and none worked."
    )
    events = decode(reply(("bash", {"command": "x"})), result("bash", "y" + ENDED + NOTED + unreachable))
    assert [one.name for one in of(events, Noticed)] == ["repeat", "unreachable"]
    assert of(events, ToolReturned)[0].output.endswith("none worked.")
    assert of(decode(result("bash", "\n\n[lcode] Something else" + ENDED)), Noticed) == []


def test_arguments_as_the_models_write_them():
    """They may be a text that holds the object, numbers as words, or nothing at all."""
    call = called("bash", '{"command": "make", "timeout": "5", "background": "true"}', "c", "m")
    assert (call.command, call.timeout, call.background) == ("make", 5.0, True)
    assert called("bash", "no json", "c", "m").arguments == "no json"
    assert called("bash", {}, "c", "m").timeout == 180.0
    assert called("edit_file", {}, "c", "m").changes == (Change("", "edit"),)
    assert called("list_dir", {}, "c", "m").paths == (".",)
    assert called("screenshot", {"url": "http://x.org", "command": "y"}, "c", "m").url == "http://x.org"
    assert called("mcp__x__y", {}, "c", "m").kind == "other"


def test_a_patch_is_read_by_its_hunks():
    """New, edited and deleted files; one change for each hunk."""
    text = (
        "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\t2026\n@@ -1,2 +1,2 @@\n x\n-old\n+new\n@@ -9 +9 @@\n-y\n+z\n"
        "--- /dev/null\n+++ b/b.py\n@@ -0,0 +1 @@\n+made\n--- a/c.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n"
    )
    assert changes_of(text) == (
        Change("a.py", "edit", old="x\nold", new="x\nnew"),
        Change("a.py", "edit", old="y", new="z"),
        Change("b.py", "create", new="made"),
        Change("c.py", "delete"),
    )


pieces = st.sampled_from(
    [
        "--- a/x",
        "+++ b/x",
        "+++ b/y",
        "--- /dev/null",
        "+++ /dev/null",
        "@@ -1 +1 @@",
        "-a",
        "+b",
        " c",
        "",
        "d",
        "index 1",
    ]
)


@settings(deadline=None, max_examples=200)
@given(st.lists(pieces, max_size=14).map("\n".join))
def test_a_patch_is_read_as_lcode_reads_it(text):
    """The files and hunks are those that the tool itself finds in any patch."""
    parse_patch = pytest.importorskip("lcode.matching").parse_patch
    try:
        expected = parse_patch(text)
    except ValueError:
        assert [change.file for change in changes_of(text)] == [""]
        return
    told = changes_of(text)
    assert list(dict.fromkeys(one.file for one in told)) == list(dict.fromkeys(one.path for one in expected))
    edits = [
        (file.path, hunk.old, hunk.new)
        for file in expected
        if not file.new_file and not file.deleted
        for hunk in file.hunks
    ]
    assert [(one.file, one.old, one.new) for one in told if one.op == "edit" and one.old is not None] == edits

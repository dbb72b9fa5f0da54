"""What became of a call: Claude Code's sentences, and its tools' own reports."""

from __future__ import annotations

import pytest
from claude_lines import assistant, decode, of, only, prompt, result, use

from monitor.agents.claude.calls import KINDS
from monitor.events import Change, FileOutcome, ToolCalled, ToolReturned

REJECTED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the "
    "new_string was NOT written to the file). "
)
WAIT = "STOP what you are doing and wait for the user to tell you how to proceed."


def returned(content, *, tool="Edit", error=True, report=None, **more):
    events = decode(
        assistant(use("t1", tool, file_path="a.py", command="make", old_string="x", new_string="y")),
        result("t1", content, error=error, report=report, **more),
    )
    return only(events, ToolReturned)


@pytest.mark.parametrize(
    ("said", "failure"),
    [
        ("String to replace not found in file.\nString: x", "not_found"),
        ("String to replace not found in file.\nString: raise InputValidationError('no')", "not_found"),
        ("Found 3 matches of the string to replace, but replace_all is false.", "ambiguous"),
        ("No changes to make: old_string and new_string are exactly the same.", "identical"),
        ("File has not been read yet. Read it first before writing to it.", "unread"),
        ("File has been modified since read, either by the user or by a linter. Read it again.", "stale"),
        ("File has been unexpectedly modified. Read it again before attempting to write it.", "stale"),
        ("Cannot create new file - file already exists.", "exists"),
        ("File does not exist. Current working directory: /home/dev", "io"),
        ("EACCES: permission denied, open '/etc/passwd'", "io"),
        (
            "InputValidationError: Edit failed due to the following issue:\nThe required parameter `x` is missing",
            "arguments",
        ),
        ("Something of a later version", "other"),
        ("ERROR: a word that is no error code", "other"),
    ],
)
@pytest.mark.parametrize("wrapped", [True, False])
def test_failures_of_writes(said, failure, wrapped):
    """Each failure has its class, wrapped in `tool_use_error` or, as older versions write it, not."""
    back = returned(f"<tool_use_error>{said}</tool_use_error>" if wrapped else said)
    assert (back.outcome, back.failure) == ("failed", failure)
    assert back.files == (FileOutcome("a.py", "failed", failure),)


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        (REJECTED + WAIT, "denied"),
        ("The user doesn't want to take this action right now. " + WAIT, "denied"),
        (REJECTED + "To tell you how to proceed, the user said:\nuse the other file", "corrected"),
        ("Permission for this tool use was denied. The tool use was rejected (eg. …). The user said:\nno", "corrected"),
        (
            "Permission for this tool use was denied. It requires approval, and this session has no approval surface",
            "refused",
        ),
        ("Claude requested permissions to write to /x/a.py, but you haven't granted it yet.", "refused"),
        ("Permission to use Edit has been denied.", "refused"),
        ("This command requires approval", "refused"),
        ("PreToolUse:Edit hook error: [guard.py]: not there", "refused"),
        ("Hook PreToolUse:Edit denied this tool", "refused"),
        (
            REJECTED + WAIT + " Correction to the text above: this call was stopped while running, not refused",
            "cancelled",
        ),
        ("[Request interrupted by user for tool use]", "cancelled"),
        ("<tool_use_error>Cancelled: parallel tool call Bash(make) errored</tool_use_error>", "not_executed"),
        ("<tool_use_error>Sibling tool call errored</tool_use_error>", "not_executed"),
        ("<tool_use_error>Error: No such tool available: Edit</tool_use_error>", "not_executed"),
        ("[Tool result missing due to internal error]", "unknown"),
    ],
)
def test_calls_that_were_not_let_through(said, outcome):
    """A person's no, a rule's, and what was never run are told apart by their sentences; each names its file."""
    back = returned(said)
    assert (back.outcome, back.failure, back.files) == (outcome, "", (FileOutcome("a.py", outcome),))


@pytest.mark.parametrize(
    ("kind", "decision", "outcome"),
    [
        ("user-rejected", {"decision": "reject", "source": "config"}, "refused"),
        ("user-rejected", None, "denied"),
        ("permission-rule", {"decision": "reject", "source": "hook"}, "refused"),
        ("permission-rule", None, "refused"),
        ("interrupted", None, "cancelled"),
        ("cancelled", None, "not_executed"),
    ],
)
def test_the_transcript_says_who_refused(kind, decision, outcome):
    """`user-rejected` is also said when nobody was there to ask: the source of the decision tells."""
    more = {"toolDenialKind": kind} | ({"permissionDecision": decision} if decision else {})
    assert returned("touch needs approval", **more).outcome == outcome


@pytest.mark.parametrize(
    ("said", "error", "report", "outcome", "code"),
    [
        ("Exit code 7\ncurl: (7) Failed to connect", True, "Error: Exit code 7", "failed", 7),
        ("Exit code 143\nCommand timed out after 2m 0.0s", True, None, "timed_out", 143),
        ("Command timed out after 2m 0.0s partial", True, None, "timed_out", None),
        ("Traceback (most recent call last)", True, None, "failed", None),
        ("fine", False, {"stdout": "fine", "interrupted": False}, "ok", 0),
        ("", False, {"stdout": "", "interrupted": False, "returnCodeInterpretation": "No matches found"}, "ok", None),
        ("fine", False, None, "ok", None),
        ("so far", False, {"stdout": "so far", "interrupted": True}, "cancelled", None),
        ("Exit code 1\nThis command requires approval, says the script", True, None, "failed", 1),
        ("Exit code 1\nString to replace not found in file.", True, None, "failed", 1),
    ],
)
def test_commands(said, error, report, outcome, code):
    """An exit code is told where the source tells it; what a command prints is not taken for the harness's words."""
    back = returned(said, tool="Bash", error=error, report=report)
    assert (back.outcome, back.exit, back.failure, back.files) == (outcome, code, "", ())


@pytest.mark.parametrize(
    "said",
    [
        "Command running in background with ID: b1. Output is being written to: b1.output",
        "Command did not complete within its 120s timeout and was moved to the background (ID: b1).",
    ],
)
def test_commands_in_the_background(said):
    """A command that goes on in the background is only acknowledged: it has no exit code yet."""
    back = returned(said, tool="Bash", error=False, report={"interrupted": False, "backgroundTaskId": "b1"})
    assert (back.background, back.exit, back.outcome) == (True, None, "ok")
    assert returned(said, tool="Bash", error=False).background


def test_the_file_that_the_tool_resolved():
    """A success names the file as the tool resolved it, with the lines added and removed."""
    patch = [{"lines": ["-a", "+b", "+c", " d"]}, {"lines": ["-e"]}]
    report = {"filePath": "/w/redirected.py", "structuredPatch": patch, "originalFile": "…"}
    assert returned("updated", error=None, report=report).files == (
        FileOutcome("/w/redirected.py", added=2, removed=2),
    )
    created = {"type": "create", "filePath": "/w/new.txt", "content": "a\nb", "structuredPatch": []}
    assert returned("created", tool="Write", error=None, report=created).files == (
        FileOutcome("/w/new.txt", added=2, removed=0),
    )


@pytest.mark.parametrize(
    ("tool", "said", "failure"),
    [
        ("Read", "File does not exist.", "other"),
        ("Read", "InputValidationError: Read failed due to the following issue", "arguments"),
        ("mcp__db__query", "String to replace not found in file.", "other"),
    ],
)
def test_failures_of_other_tools(tool, said, failure):
    """Only a write fails as writes do; wrong arguments are any tool's."""
    back = returned(f"<tool_use_error>{said}</tool_use_error>", tool=tool)
    assert (back.outcome, back.failure, back.files) == ("failed", failure, ())


def test_a_notebook_fails_inside_a_success():
    """NotebookEdit reports an error in a result that is not marked as one."""
    back = returned("Error", tool="NotebookEdit", error=None, report={"error": "Cell not found", "cell_number": 9})
    assert (back.outcome, back.failure) == ("failed", "other")


def test_contents_that_are_lists():
    """The texts of a list are joined; an image is named, and its bytes are left out."""
    image = {"type": "image", "source": {"type": "base64", "data": "A" * 1_000_000}}
    back = returned([{"type": "text", "text": "one"}, image, {"type": "text", "text": "two"}], tool="Read", error=None)
    assert back.output == "one\n[image]\ntwo"


def test_a_result_without_its_call():
    """A result whose call is not in the log stands by itself; nobody knows what it did."""
    back = only(
        decode(result("gone", "<tool_use_error>File has not been read yet.</tool_use_error>", error=True)), ToolReturned
    )
    assert (back.call, back.message, back.outcome, back.failure, back.files) == ("gone", "", "failed", "unread", ())


def test_several_results_in_one_record():
    """Results of one record keep their places; the tool's report of the record is nobody's in particular."""
    both = result("t1", "a", report={"filePath": "/w/x", "structuredPatch": []})
    both["message"]["content"] += result("t2", "b")["message"]["content"]
    events = decode(assistant(use("t1", "Edit", file_path="a")), assistant(use("t2", "Edit", file_path="b")), both)
    assert [(event.call, event.place.item, event.files) for event in of(events, ToolReturned)] == [
        ("t1", 0, (FileOutcome("a"),)), ("t2", 1, (FileOutcome("b"),)),
    ]  # fmt: skip


def call_of(tool, **arguments):
    return only(decode(prompt("go"), assistant(use("t1", tool, **arguments))), ToolCalled)


def test_changes_that_writes_ask_for():
    """Each edit is a change; an edit of nothing and a whole file are told apart."""
    edit = call_of("Edit", file_path="a.py", old_string="x", new_string="y", replace_all=True)
    assert edit.changes == (Change("a.py", "edit", "x", "y"),)
    assert call_of("Edit", file_path="a.py", old_string="", new_string="y").changes == (
        Change("a.py", "create", "", "y"),
    )
    many = call_of("MultiEdit", file_path="a.py", edits=[{"old_string": "x", "new_string": "y"}, {"old_string": "p"}])
    assert many.changes == (Change("a.py", "edit", "x", "y"), Change("a.py", "edit", "p", None))
    assert call_of("Write", file_path="a.py", content="all\n").changes == (Change("a.py", "write", new="all\n"),)
    cell = call_of("NotebookEdit", notebook_path="n.ipynb", new_source="1", edit_mode="insert")
    assert cell.changes == (Change("n.ipynb", "insert", new="1"),)
    assert call_of("Edit").changes == (Change("", "edit"),)


def test_what_calls_touch():
    """Commands, addresses, paths, timeouts and the background are read from the arguments."""
    shell = call_of("Bash", command="make -j", timeout=300_000, run_in_background=True)
    assert (shell.kind, shell.command, shell.timeout, shell.background) == ("shell", "make -j", 300.0, True)
    assert call_of("WebFetch", url="https://a.test/x", prompt="read").url == "https://a.test/x"
    assert call_of("Grep", pattern="x", path="src").paths == ("src",)
    assert call_of("mcp__db__query", command="drop").kind == "other"
    assert call_of("mcp__db__query", command="drop").command == ""


def test_the_tools_of_a_real_session_have_a_kind():
    """The tools that Claude Code's own init lists are known, but for those that touch neither file nor network."""
    listed = {
        "Task", "Bash", "CronCreate", "CronDelete", "CronList", "Edit", "EnterWorktree", "ExitWorktree", "ListAgents",
        "Monitor", "NotebookEdit", "Read", "ReportFindings", "ScheduleWakeup", "SendMessage", "Skill", "TaskStop",
        "ToolSearch", "WebFetch", "WebSearch", "Workflow", "Write",
    }  # fmt: skip
    assert listed - set(KINDS) == {
        "CronCreate", "CronDelete", "EnterWorktree", "ExitWorktree", "ReportFindings", "ScheduleWakeup", "Skill", "TaskStop",
    }  # fmt: skip

"""What OpenCode's calls ask for, and what became of them."""

from __future__ import annotations

import json

import opencode_logs as logs
import pytest
from opencode_logs import CWD, FILE, Talk, of, only, told

from monitor.events import RequestEnded, ToolCalled, ToolReturned


def test_an_edit_names_its_file_and_texts(talk):
    """The change, the file the tool resolved, and the lines it counted."""
    diff = {"file": FILE, "additions": 2, "deletions": 1}
    talk.edit(talk.reply(talk.asked()), "a", "b", status="completed", output="ok", metadata={"filediff": diff})
    events = told(talk)
    call = of(events, ToolCalled)[-1]
    assert (call.changes[0].file, call.changes[0].op, call.changes[0].old, call.changes[0].new) == (
        FILE,
        "edit",
        "a",
        "b",
    )
    (file,) = of(events, ToolReturned)[0].files
    assert (file.file, file.outcome, file.added, file.removed) == (FILE, "ok", 2, 1)


@pytest.mark.parametrize(
    ("words", "outcome", "failure"),
    [
        (logs.MISSED, "failed", "not_found"),
        ("No changes to apply: oldString and newString are identical.", "failed", "identical"),
        ("Found multiple matches for oldString. Provide more surrounding context to make the match unique.", "failed", "ambiguous"),
        ("oldString cannot be empty when editing an existing file. Provide the exact text", "failed", "exists"),
        (f"File {FILE} not found", "failed", "io"),
        (f"Path is a directory, not a file: {CWD}", "failed", "io"),
        (f"You must read file {FILE} before overwriting it. Use the Read tool first", "failed", "unread"),
        (f"File {FILE} has been modified since it was last read.", "failed", "stale"),
        ("The edit tool was called with invalid arguments: SchemaError(Missing key).", "failed", "arguments"),
        ("Refusing replacement because the matched span is much larger than oldString.", "failed", "ambiguous"),
        ("a plug-in threw this", "failed", "other"),
        ("The user has specified a rule which prevents you from using this specific tool call.", "refused", "other"),
        ("The user rejected permission to use this specific tool call.", "denied", ""),
        ("The user rejected permission to use this specific tool call with the following feedback: no", "corrected", ""),
        ("Tool execution aborted", "cancelled", ""),
    ],
)  # fmt: skip
def test_why_an_edit_failed(talk, words, outcome, failure):
    """Each of OpenCode's sentences has its meaning."""
    talk.edit(talk.reply(talk.asked()), status="error", error=words)
    result = only(talk)
    assert (result.outcome, result.failure, result.output) == (outcome, failure, words)
    assert [(one.file, one.outcome) for one in result.files] == [(FILE, outcome)]


def test_without_a_person_a_rejection_is_a_refusal():
    """`opencode run` rejects by itself what it would have to ask: nobody denied it, and the run stops there."""
    talk = Talk()
    talk.created(permission=[{"permission": "question", "pattern": "*", "action": "deny"}])
    message = talk.reply(talk.asked())
    talk.edit(message, status="error", error="The user rejected permission to use this specific tool call.")
    talk.ended(message, "tool-calls")
    talk.idle()
    events = told(talk)
    assert of(events, ToolReturned)[0].outcome == "refused"
    assert [(one.how, one.text) for one in of(events, RequestEnded)] == [
        ("interrupted", "it stopped when the call was refused")
    ]


@pytest.mark.parametrize(
    ("code", "tail", "outcome"),
    [
        (0, "", "ok"),
        (7, "", "failed"),
        (None, "\n\n<shell_metadata>\nUser aborted the command\n</shell_metadata>", "cancelled"),
        (
            None,
            "\n<shell_metadata>\nshell tool terminated command after exceeding timeout 5 ms.\n</shell_metadata>",
            "timed_out",
        ),
        (0, "\nUser aborted the command\n", "ok"),
        (0, "\n<shell_metadata>\nUser aborted the command\n</shell_metadata>", "ok"),
        (0, "\n<shell_metadata>\nshell tool terminated command after exceeding timeout 5 ms.\n</shell_metadata>", "ok"),
    ],
)
def test_a_command_is_judged_by_its_exit(talk, code, tail, outcome):
    """Every command that came to its end is `completed`; its exit code and its last lines tell the rest."""
    talk.bash(talk.reply(talk.asked()), "make", code, f"text{tail}")
    result = only(talk)
    assert (result.outcome, result.exit) == (outcome, code)


def test_a_tool_that_is_not_offered_was_not_executed(talk):
    """It comes back as `invalid` and `completed`; the call keeps its name, and the file it named in words."""
    words = 'Invalid input for tool write: Value: {"filePath":"/home/dev/app/a.txt","content":1}.'
    talk.tool(
        talk.reply(talk.asked()),
        "invalid",
        {"tool": "write", "error": words},
        status="completed",
        output="The arguments",
    )
    events = told(talk)
    call = of(events, ToolCalled)[-1]
    assert (call.tool, call.kind, call.changes[0].file) == ("write", "write", "/home/dev/app/a.txt")
    (result,) = of(events, ToolReturned)
    assert (result.outcome, result.failure) == ("not_executed", "arguments")


@pytest.mark.parametrize(
    ("tool", "given", "kind", "changes"),
    [
        ("write", {"filePath": FILE, "content": "x"}, "write", [(FILE, "write", None, "x")]),
        ("edit", {"filePath": FILE, "oldString": "", "newString": "x"}, "write", [(FILE, "create", None, "x")]),
        (
            "multiedit", {"filePath": FILE, "edits": [{"oldString": "a", "newString": "b"}, {"oldString": "c", "newString": "d"}]},
            "write", [(FILE, "edit", "a", "b"), (FILE, "edit", "c", "d")],
        ),
        (
            "apply_patch", {"patchText": "*** Begin Patch\n*** Update File: a.py\n@@\n-a\n+b\n*** Add File: c.py\n+x\n*** End Patch"},
            "write", [("a.py", "edit", "a", "b"), ("c.py", "create", None, "x")],
        ),
        ("apply_patch", {"patchText": "nonsense"}, "write", [("", "edit", None, None)]),
        ("webfetch", {"url": "https://example.com"}, "fetch", []),
        ("task", {"description": "d", "prompt": "p", "subagent_type": "general"}, "delegate", []),
        ("grep", {"pattern": "x"}, "search", []),
        ("todowrite", {"todos": []}, "plan", []),
        ("my_mcp_tool", {"a": 1}, "other", []),
    ],
)  # fmt: skip
def test_what_a_call_asks_for(talk, tool, given, kind, changes):
    """Each tool by its name, with the changes it would make."""
    talk.tool(talk.reply(talk.asked()), tool, given)
    call = of(told(talk), ToolCalled)[-1]
    assert (call.kind, [(one.file, one.op, one.old, one.new) for one in call.changes]) == (kind, changes)
    assert json.loads(call.arguments) == given


def test_a_patch_over_several_files_names_the_one_that_failed(talk):
    """All are as they were, and one is the cause."""
    patch = "*** Begin Patch\n*** Update File: a.py\n@@\n-a\n+b\n*** Update File: b.py\n@@\n-a\n+b\n*** End Patch"
    words = f"apply_patch verification failed: Error: Failed to find expected lines in {CWD}/b.py:\na"
    talk.tool(talk.reply(talk.asked()), "apply_patch", {"patchText": patch}, status="error", error=words)
    result = only(talk)
    assert [(one.file, one.failure, one.cause) for one in result.files] == [
        ("a.py", "not_found", False), ("b.py", "not_found", True),
    ]  # fmt: skip

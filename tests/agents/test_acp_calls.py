"""What a wire tells of calls: their names, their changes, and what became of them."""

from __future__ import annotations

import pytest
from acp_wire import answer, asked, call, decode, news, of, prompt, sent, update

from monitor.agents.acp.meaning import failure, stopped
from monitor.events import Change, ToolCalled, ToolReturned

OLD, NEW = "print('a')", "print('b')"
DIFF = {"type": "diff", "path": "/p/a.py", "oldText": "x\n", "newText": "y\n"}


def last(*messages, agent=""):
    """The last telling of the only call, and its result."""
    events = decode(prompt(), *messages, agent=agent)
    assert len({one.call for one in of(events, ToolCalled)}) == 1
    return of(events, ToolCalled)[-1], next(iter(of(events, ToolReturned)), None)


@pytest.mark.parametrize(
    ("given", "changes"),
    [
        ({"path": "a.py", "old_string": OLD, "new_string": NEW}, [Change("a.py", "edit", OLD, NEW)]),
        ({"filePath": "a.py", "oldString": OLD, "newString": NEW}, [Change("a.py", "edit", OLD, NEW)]),
        ({"file_path": "a.py", "old_string": "", "new_string": NEW}, [Change("a.py", "edit", "", NEW)]),
        (
            {"path": "a.py", "edits": [{"oldText": OLD, "newText": NEW}, {"oldText": "c", "newText": "d"}]},
            [Change("a.py", "edit", OLD, NEW), Change("a.py", "edit", "c", "d")],
        ),
        ({"file_path": "a.py", "content": NEW}, [Change("a.py", "write", new=NEW)]),
        (
            {"patch": f"--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-{OLD}\n+{NEW}\n"}, [Change("a.py", "edit", OLD, NEW)],
        ),
        (
            {
                "patchText": f"*** Begin Patch\n*** Update File: a.py\n*** Move to: c.py\n@@\n-{OLD}\n+{NEW}\n"
                "*** Add File: b.py\n+x\n*** Delete File: d.py\n*** End Patch"
            },
            [Change("a.py", "edit", OLD, NEW, to="c.py"), Change("b.py", "create", new="x"), Change("d.py", "delete")],
        ),
        ({"path": "a.py"}, [Change("a.py", "edit")]),
        ({"something": "else"}, [Change("", "edit")]),
    ],
)  # fmt: skip
def test_a_write_by_its_arguments(given, changes):
    """Under the names that the agents give them; a write that names no file is one without a file."""
    told, _ = last(call(rawInput=given))
    assert told.kind == "write"
    assert list(told.changes) == changes


def test_a_write_by_what_it_shows_or_touches():
    """Without arguments that tell, the differences it shows count, and else the files it says it touches."""
    told, _ = last(call(content=[DIFF, {**DIFF, "path": "/p/b.py", "oldText": None}], rawInput={"x": 1}))
    assert list(told.changes) == [Change("/p/a.py", "edit", "x\n", "y\n"), Change("/p/b.py", "create", new="y\n")]
    told, _ = last(call(kind="delete", locations=[{"path": "/p/a.py"}], rawInput={"x": 1}))
    assert list(told.changes) == [Change("/p/a.py", "delete")]
    told, _ = last(call(kind="move", rawInput={"path": "a", "destination": "b"}))
    assert list(told.changes) == [Change("a", "move", to="b")]
    told, back = last(call(kind="other", title="patch"), news(content=[DIFF]))
    assert (told.kind, [one.file for one in told.changes], [one.file for one in back.files]) == (
        "write", ["/p/a.py"], ["/p/a.py"],
    )  # fmt: skip


def test_a_call_is_told_again_when_there_is_more_of_it():
    """First comes its name, then its arguments; the same once more, or less, adds nothing."""
    given = {"filePath": "/p/a.py", "oldString": OLD, "newString": NEW}
    events = decode(
        prompt(), call(title="edit", rawInput={}),
        news(status="in_progress", kind="edit", title="edit", rawInput=given, locations=[{"path": "/p/a.py"}]),
        news(status="in_progress", kind="edit", title="edit", rawInput=given), asked(rawInput=given, kind="edit"),
        news(status="failed", text="Could not find oldString in the file.", title="a.py"),
    )  # fmt: skip
    told = of(events, ToolCalled)
    assert [(one.tool, one.partial, len(one.changes)) for one in told] == [("edit", True, 0), ("edit", False, 1)]
    (back,) = of(events, ToolReturned)
    assert (back.failure, [(one.file, one.cause) for one in back.files]) == ("not_found", [("/p/a.py", True)])


@pytest.mark.parametrize(
    ("fields", "agent", "name", "kind"),
    [
        ({"title": "bash", "kind": "execute", "rawInput": {"cwd": "/p"}}, "OpenCode", "bash", "shell"),
        ({"title": "Shell", "kind": "execute", "_meta": {"toolName": "run_shell_command"}}, "qwen-code", "run_shell_command", "shell"),
        ({"title": "x", "kind": "read", "_meta": {"claudeCode": {"toolName": "Read"}}}, "", "Read", "read"),
        ({"title": "task", "kind": "other", "rawInput": {"prompt": "x"}}, "OpenCode", "task", "delegate"),
        ({"title": "todowrite", "kind": "other", "rawInput": {"todos": []}}, "OpenCode", "todowrite", "plan"),
        ({"title": "Look it up", "kind": "fetch", "rawInput": {"url": "http://x.org"}}, "", "", "fetch"),
        ({"title": "Edit a.py", "kind": "edit", "rawInput": {"path": "a.py"}}, "lcode", "edit_file", "write"),
        ({"title": "apply_patch", "kind": "other", "rawInput": {"patch": ""}}, "lcode", "apply_patch", "write"),
        ({"title": "Subagent: x", "kind": "think", "rawInput": {"task": "x"}}, "lcode", "agent", "delegate"),
        ({"title": "skill(x)", "kind": "other", "rawInput": {"name": "x"}}, "lcode", "skill", "read"),
        ({"title": "git › log({})", "kind": "other", "rawInput": {}}, "lcode", "", "other"),
        ({"title": "make", "kind": "execute", "rawInput": {"command": "make"}}, "lcode", "bash", "shell"),
    ],
)  # fmt: skip
def test_names_and_kinds(fields, agent, name, kind):
    """The protocol has a kind and no name: each agent tells it in its own way, or not at all."""
    told, _ = last(call(**fields), agent=agent)
    assert (told.tool, told.kind) == (name, kind)


@pytest.mark.parametrize(
    ("fields", "command"),
    [
        ({"rawInput": {"command": "make x"}}, "make x"),
        ({"rawInput": {"command": ["bash", "-lc", "make x"]}}, "make x"),
        ({"rawInput": {"command": ["make", "x"]}}, "make x"),
        ({"title": "make x"}, "make x"),
        ({"title": "Shell", "rawInput": {}}, ""),
    ],
)
def test_commands(fields, command):
    """As a text, as words, or as the title of a call without arguments."""
    told, _ = last(call(kind="execute", **fields))
    assert told.command == command


@pytest.mark.parametrize(
    ("fields", "outcome", "code", "output"),
    [
        ({"rawOutput": {"output": "no", "metadata": {"exit": 7}}}, "failed", 7, "no"),
        ({"rawOutput": {"output": "", "exitCode": 0}, "text": "Exit Code: 0"}, "ok", 0, "Exit Code: 0"),
        ({"rawOutput": {"exit_code": 2}, "status": "failed"}, "failed", 2, ""),
        ({"rawOutput": {"outcome": "cancelled", "exitCode": 0}, "status": "failed"}, "cancelled", 0, ""),
        ({"rawOutput": {"metadata": {"exit": None}}, "text": "x", "status": "completed"}, "ok", None, "x"),
        ({"rawOutput": "plain"}, "ok", None, "plain"),
        ({"rawOutput": {"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}}, "ok", None, "a\nb"),
        ({"rawOutput": {"error": "Command timed out after 5s"}, "status": "failed"}, "timed_out", None, "Command timed out after 5s"),
        ({"status": "failed", "text": "Permission denied by user: rejected by the user"}, "denied", None, None),
    ],
)  # fmt: skip
def test_results_of_a_shell(fields, outcome, code, output):
    """An exit code that is not zero is a failure, whatever word the agent has for it."""
    _, back = last(call(kind="execute", rawInput={"command": "x"}), news(**fields))
    assert (back.outcome, back.exit) == (outcome, code)
    assert output is None or back.output == output


def test_a_terminal_of_the_agents_shows_in_pieces():
    """What came before the end is put together; a record read alone gives its own piece, and says that it is cut."""

    def shown(data, **more):
        return {"_meta": {"terminal_output": {"terminal_id": "c1", "data": data}, **more}}

    end = news("c1", "failed", **shown("Command exited with code 7", terminal_exit={"exit_code": 1}))
    told, back = last(
        call(kind="execute", title="make"),
        news("c1", "in_progress", **shown("one\n")),
        news("c1", "in_progress", **shown("two\n")),
        end,
    )
    assert told.command == "make"
    assert (back.output, back.exit, back.cut) == ("one\ntwo\nCommand exited with code 7", 7, False)
    (alone,) = of(decode(end), ToolReturned)
    assert (alone.output, alone.exit, alone.cut) == ("Command exited with code 7", 7, True)


def test_a_terminal_of_the_clients_is_read_from_its_answers():
    """An agent that runs commands through the client shows their output and exit code only there."""
    terminal = {"sessionId": "s", "terminalId": "t"}
    _, back = last(
        call(kind="execute", rawInput={"command": "make"}, content=[{"type": "terminal", "terminalId": "t"}]),
        sent("terminal/wait_for_exit", terminal, 7), answer(7, {"exitCode": 2, "signal": None}),
        sent("terminal/output", terminal, 8), answer(8, {"output": "no rule", "truncated": False}), news(),
    )  # fmt: skip
    assert (back.output, back.exit, back.outcome) == ("no rule", 2, "failed")


def test_a_result_counts_lines_where_the_agent_does():
    """Of a single file that was written."""
    counted = {"metadata": {"filediff": {"additions": 2, "deletions": 1}}}
    _, back = last(call(rawInput={"path": "a.py", "content": "x"}), news(rawOutput=counted, content=[DIFF]))
    assert [(one.file, one.added, one.removed) for one in back.files] == [("/p/a.py", 2, 1)]


def test_every_file_of_a_failed_patch_failed():
    """Where none is named as the cause, none is."""
    patch = "*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** Update File: b\n@@\n-x\n+y\n*** End Patch"
    _, back = last(call(rawInput={"patch": patch}), news("c1", "failed", "Failed to find expected lines in a"))
    assert [(one.file, one.outcome, one.failure, one.cause) for one in back.files] == [
        ("a", "failed", "not_found", False), ("b", "failed", "not_found", False),
    ]  # fmt: skip


def test_a_result_is_taken_once():
    """Sent twice, it is one; for a call that was never told it tells the call too."""
    events = decode(prompt(), call(rawInput={"path": "a"}), news(), news(status="failed"))
    assert [one.outcome for one in of(events, ToolReturned)] == ["ok"]
    late = decode(update("tool_call_update", toolCallId="x", status="completed", kind="read"))
    assert [one.kind for one in of(late, ToolCalled)] == ["read"]
    assert [one.call for one in of(late, ToolReturned)] == ["x"]


WORDS = [
    ("Could not find oldString in the file. It must match exactly", "not_found"),
    ("Failed to edit, 0 occurrences found for old_string in /p/a.py.", "not_found"),
    ("Could not find the exact text in /p/a.py. The old text", "not_found"),
    ("String to replace not found in file.", "not_found"),
    ("Found 3 matches of the string to replace", "ambiguous"),
    ("Expected 1 occurrence but found 2", "ambiguous"),
    ("oldString and newString must be different", "identical"),
    ("No changes to make: old_string and new_string are exactly the same.", "identical"),
    ("File already exists: /p/a.py", "exists"),
    ("You must read the file before editing it", "unread"),
    ("File has been modified since read, either by the user", "stale"),
    ("ENOENT: no such file or directory, open '/p/a'", "io"),
    ("File not found: /p/a.py", "io"),
    ("Invalid arguments for tool edit", "arguments"),
    ("Something went wrong", "other"),
]


@pytest.mark.parametrize(("output", "why"), WORDS)
def test_words_of_failures(output, why):
    """The agents' sentences name the failure; what names none is told as such."""
    assert failure(output) == why


@pytest.mark.parametrize(
    ("output", "outcome"),
    [
        ("The user rejected permission to use this specific tool call.", "denied"),
        ("The user rejected permission to use this tool call with the following feedback: use make", "corrected"),
        ("The user has specified a rule which prevents you from using this specific tool call.", "refused"),
        ('Tool "edit" was canceled by the user.', "denied"),
        ("before\n<shell_metadata>\nUser aborted the command\n</shell_metadata>", "cancelled"),
        ("Command aborted", "cancelled"),
        ("old text not found", None),
    ],
)
def test_words_of_what_was_stopped(output, outcome):
    """Who stopped a call, where the log lacks the answer to its question."""
    assert stopped(output) == outcome

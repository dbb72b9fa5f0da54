"""What became of the patches and commands of a rollout of Codex."""

from __future__ import annotations

import json

import pytest
from codex_logs import APPLIED, CWD, REFUSED, changed, decode, done, item, of, output, patch, patched, script, shell

from monitor.events import ToolCalled, ToolReturned


def back(*rows):
    """The only result among the events of these rows."""
    (result,) = of(decode(*rows), ToolReturned)
    return result


def test_calls_of_one_reply_are_a_batch():
    """Calls that stand together before their results came in one reply."""
    events = decode(patched("c1"), patched("c2"), output("c1", REFUSED), output("c2", APPLIED), patched("c3"))
    assert [call.message for call in of(events, ToolCalled)] == ["r1", "r1", "r2"]


def test_a_refused_patch():
    """A patch whose lines were not found is a failed write of its file, which Codex marks by no flag at all."""
    events = decode(patched("c1"), output("c1", REFUSED))
    (call,), (result,) = of(events, ToolCalled), of(events, ToolReturned)
    assert [(one.file, one.old, one.new) for one in call.changes] == [("a.py", "old", "new")]
    assert (call.kind, result.outcome, result.failure) == ("write", "failed", "not_found")
    assert [(one.file, one.outcome, one.cause) for one in result.files] == [("a.py", "failed", True)]


def test_an_applied_patch():
    """A patch that was applied names its files as Codex resolved them, with the lines that came and went."""
    result = back(patched("c1"), changed("c1"), output("c1", APPLIED))
    assert [(one.file, one.outcome, one.added, one.removed) for one in result.files] == [(f"{CWD}/a.py", "ok", 1, 1)]
    assert (result.outcome, result.exit) == ("ok", 0)


def test_a_patch_of_two_files_that_fails():
    """Where one file makes a patch fail, both were not written, and the one is named as the cause."""
    both = patch("b.py").replace("*** End Patch\n", "") + patch("a.py").removeprefix("*** Begin Patch\n")
    result = back(patched("c1", both), output("c1", REFUSED))
    assert [(one.file, one.outcome, one.cause) for one in result.files] == [
        ("b.py", "failed", False), ("a.py", "failed", True),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "outcome", "failure"),
    [
        (REFUSED, "failed", "not_found"),
        ("apply_patch verification failed: Failed to find context 'def f():' in /x/a.py", "failed", "not_found"),
        ("apply_patch verification failed: Failed to read file to update /x/a.py: No such file or directory", "failed", "io"),
        ("apply_patch verification failed: invalid hunk at line 2, 'x' is not a valid hunk header", "failed", "arguments"),
        ("apply_patch verification failed: something new", "failed", "other"),
        ('patch rejected: Rejected("rejected by user")', "denied", ""),
        ("Command blocked by PreToolUse hook: no. Command: *** Begin Patch", "refused", ""),
        ("Wall time: 0.7 seconds\naborted by user", "cancelled", ""),
        ("unsupported custom tool call: apply_patch", "not_executed", "arguments"),
        ("apply_patch verification failed: Failed to find expected lines in /x/a.py:\nrejected by user", "failed", "not_found"),
        (APPLIED, "ok", ""),
        ("Exit code: 1\nWall time: 0 seconds\nOutput:\nnothing", "failed", "other"),
    ],
)  # fmt: skip
def test_what_became_of_a_patch(text, outcome, failure):
    """The words of a result tell whether it was made, refused, denied or never carried out."""
    result = back(patched("c1"), output("c1", text))
    assert (result.outcome, result.failure) == (outcome, failure)


@pytest.mark.parametrize(
    ("text", "outcome", "code"),
    [
        ("Wall time: 1 seconds\nProcess exited with code 7\nOutput:\ncurl: (7)", "failed", 7),
        ("Process exited with code 0\nOutput:\nit was rejected by user vote, blocked by PreToolUse hook", "ok", 0),
        ("Process running with session ID 7\nOutput:\n", "ok", None),
        ('{"output":"no\\n","metadata":{"exit_code":3,"duration_seconds":0.1}}', "failed", 3),
        ('exec_command failed: CreateProcess { message: "Rejected(\\"rejected by user\\")" }', "denied", None),
        ('exec_command failed: CreateProcess { message: "No such file" }', "failed", None),
        ("failed to parse function arguments: missing field `cmd`", "not_executed", None),
        ({"content": "it went wrong", "success": False}, "failed", None),
        ({"content": "fine", "success": True}, "ok", None),
        (None, "ok", None),
        ("Process running with session ID 7\nOutput:\nProcess exited with code 1\ntimed out after 3 s", "ok", None),
        ("Exit code: 124\nWall time: 10 seconds\nOutput:\ncommand timed out after 9 ms\nx", "timed_out", 124),
        ('{"output":"rejected by user\\n","metadata":{"exit_code":0}}', "ok", 0),
        ("Process exited with code 0\nOutput:\napply_patch verification failed: no", "ok", 0),
        ("exec_command failed for `grep 'rejected by user'\nls`: No such file", "failed", None),
        ("Command blocked by PreToolUse hook: no. Command: echo rejected by user", "refused", None),
    ],
)  # fmt: skip
def test_what_became_of_a_command(text, outcome, code):
    """A command's exit code decides, wherever this version of Codex wrote it; what it printed does not."""
    result = back(shell("c1", "x"), output("c1", text))
    assert (result.outcome, result.exit) == (outcome, code)


WORDS = "the approval policy: rejected by user, command timed out"


@pytest.mark.parametrize("text", [WORDS, f"L1: {WORDS}\nL2: Exit code: 3", f"Wall time: 1 s\nOutput:\n{WORDS}"])
def test_what_a_file_or_a_server_says_is_not_codexs_word(text):
    """A file that was read, and the answer of another server, hold words that Codex says too: they decide nothing."""
    for name in ("read_file", "mcp__docs__get"):
        result = back(item("function_call", name=name, call_id="c1", arguments="{}"), output("c1", text))
        assert (result.outcome, result.exit) == ("ok", None)


def test_what_a_script_prints_is_not_codexs_word():
    """A script that was completed made its patch, whatever it printed; what made it fail stands behind its output."""
    source = f"await tools.apply_patch(`{patch()}`)"
    framed = "Script {}\nWall time 0.1 seconds\nOutput:\n"
    done_, failed = framed.format("completed"), framed.format("failed")
    denied = 'exec_command failed: CreateProcess { message: "Rejected(\\"rejected by user\\")" }'
    assert back(script("c1", source), output("c1", done_ + WORDS)).files[0].outcome == "ok"
    assert back(script("c1", source), output("c1", f"{failed}{WORDS}\nScript error:\n{REFUSED}")).outcome == "failed"
    assert back(script("c1", source), output("c1", f"{failed}x\nScript error:\n{denied}")).outcome == "denied"


def test_a_command_that_goes_on():
    """A command that still runs is acknowledged, not done."""
    assert back(shell("c1", "x"), output("c1", "Process running with session ID 7\nOutput:\n")).background


def test_code_mode_tells_its_commands_and_changes():
    """A script's commands and changes show by the records of Codex itself; a refused patch by the script's own text."""
    source = "const r = await tools.apply_patch(`" + patch() + "`); text(r);"
    failed = [
        {"type": "input_text", "text": "Script failed\nOutput:\n"},
        {"type": "input_text", "text": f"Script error:\n{REFUSED}"},
    ]
    events = decode(
        script("c1", "text(await tools.exec_command({cmd:'false'}))"),
        done("CommandExecution", id="exec-1", command=["/bin/bash", "-lc", "false"], status="failed", exit_code=1),
        output("c1", [{"type": "input_text", "text": "Script completed\n"}]),
        script("c2", source), output("c2", failed),
        script("c3", source), changed("exec-2"), output("c3", [{"type": "input_text", "text": "Script completed"}]),
    )  # fmt: skip
    results = {one.call: one for one in of(events, ToolReturned)}
    calls = {one.call: one for one in of(events, ToolCalled)}
    assert (calls["exec-1"].kind, calls["exec-1"].command, results["exec-1"].exit) == ("shell", "false", 1)
    assert (calls["c1"].kind, results["c1"].outcome) == ("other", "ok")
    assert (calls["c2"].kind, results["c2"].outcome, results["c2"].failure) == ("write", "failed", "not_found")
    assert [(one.file, one.outcome) for one in results["c3"].files] == [(f"{CWD}/a.py", "ok")]


def test_a_script_that_fails_half_way():
    """Of two patches in one script the first may have been applied; then only the other file is not written."""
    source = f"await tools.apply_patch(`{patch('b.py')}`); await tools.apply_patch(`{patch()}`);"
    result = back(script("c1", source), changed("exec-1", f"{CWD}/b.py"), output("c1", f"Script failed\n{REFUSED}"))
    assert [(one.file, one.outcome) for one in result.files] == [(f"{CWD}/b.py", "ok"), ("a.py", "failed")]


def test_a_patch_made_up_as_the_script_runs():
    """Where the script's text does not hold the patch, Codex's own record names the file, or the words of the refusal."""
    events = decode(
        script("c1", "await tools.apply_patch(make())"), changed("exec-1"), output("c1", "Script completed"),
        script("c2", "await tools.apply_patch(make())"), output("c2", f"Script failed\nScript error:\n{REFUSED}"),
    )  # fmt: skip
    written, refused = of(events, ToolReturned)
    assert [(one.file, one.outcome) for one in written.files] == [(f"{CWD}/a.py", "ok")]
    assert [(one.file, one.outcome, one.cause) for one in refused.files] == [(f"{CWD}/a.py", "failed", True)]
    assert {call.kind for call in of(events, ToolCalled)} == {"write"}


def test_a_patch_through_the_shell():
    """A patch given to `apply_patch` in a heredoc is a write too."""
    (call,) = of(decode(shell("c1", f"cd app && apply_patch <<'EOF'\n{patch()}EOF\n")), ToolCalled)
    assert (call.kind, call.changes[0].file) == ("write", "a.py")


@pytest.mark.parametrize("more", ["a" * 200_000, " apply_patch <<EOF" * 1_000])
def test_a_heredoc_without_its_text(more):
    """However long a line that only begins a heredoc is, it is read at once, as the command that it is."""
    (call,) = of(decode(shell("c1", f"apply_patch <<{more}")), ToolCalled)
    assert (call.kind, call.changes) == ("shell", ())


def test_older_shells():
    """A shell call of an older version, its words in a list, is read as the line that it runs."""
    listed = item("function_call", name="shell", call_id="c1", arguments=json.dumps({"command": ["bash", "-lc", "ls"]}))
    local = item("local_shell_call", call_id="c2", action={"type": "exec", "command": ["git", "log", "-1 x"]})
    calls = of(decode(listed, local), ToolCalled)
    assert [(call.kind, call.command) for call in calls] == [("shell", "ls"), ("shell", "git log '-1 x'")]

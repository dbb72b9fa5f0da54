"""What trajectories in the form of Harbor tell."""

from __future__ import annotations

import json

import pytest
from atif_logs import ASKS, PROMPT, calls, decoded, document, of, step, typed

from monitor.agents.atif.find import FINDER
from monitor.events import (
    Coverage,
    Noticed,
    Prompted,
    ReplyEnded,
    RequestEnded,
    RunStarted,
    Said,
    Thought,
    ToolCalled,
    ToolReturned,
    Unreadable,
    Used,
)
from monitor.run.run import Run
from monitor.targets import find


def folded(data):
    run = Run()
    for event in decoded(data):
        run.feed(event)
    return run.snapshot()


def test_a_run_in_a_terminal():
    """Commands typed into a terminal, a claim that is asked back, and its confirmation."""
    first = typed(2, "ls\n", screen=f"{PROMPT}ls\na.py\n{PROMPT}{ASKS}", done=True)
    second = typed(3, screen=PROMPT, done=True)
    events = decoded(document(first, second, final_metrics={"total_prompt_tokens": 9, "total_cost_usd": 0.5}))
    started = of(events, RunStarted)[0]
    assert (started.agent, started.version, started.model, started.session) == ("terminus-2", "2", "m", "s1")
    assert [one.text for one in of(events, Prompted)] == ["Mend it"]
    assert [(one.kind, one.command) for one in of(events, ToolCalled)] == [
        ("shell", "ls"),
        ("finish", ""),
        ("finish", ""),
    ]
    assert [(one.outcome, one.exit) for one in of(events, ToolReturned)] == [
        ("ok", None),
        ("failed", None),
        ("ok", None),
    ]
    assert [(one.how, one.place.line) for one in of(events, RequestEnded)] == [("answered", 3)]
    assert [(one.scope, one.tokens.input, one.cost) for one in of(events, Used)] == [("run", 9, 0.5)]


def test_keys_that_are_no_command():
    """Waiting types nothing, and keys of the terminal, or words without an enter, run nothing."""
    events = decoded(document(typed(2, "", "C-c", "y", "ls\n", screen=PROMPT)))
    assert [one.kind for one in of(events, ToolCalled)] == ["poll", "other", "other", "shell"]


def test_a_write_that_never_happened():
    """A heredoc never closed is found, and the claim of done stands beside it."""
    screen = f"{PROMPT}cat > a.sh << 'EOF'\n> echo\n> EOFmake\n>"
    first = typed(2, "cat > a.sh << 'EOF'\necho\nEOF", "make\n", screen=screen)
    second = typed(3, "rm a.sh\n", screen="> rm a.sh\n>", done=True)
    told = folded(document(first, second))
    assert [(one.detector, one.level) for one in told.findings if one.detector == "scripts"] == [("scripts", "warn")]
    assert told.verdict.claimed_done is True


def mini(number, command, seen, words="Next.") -> dict:
    observation = {"results": [{"content": seen}]}
    return step(
        number, message=words, tool_calls=calls(("bash_command", {"command": command})), observation=observation
    )


def test_a_converted_run_of_mini_swe_agent():
    """Exit codes, refused replies and the submission are told as that agent words them."""
    submit = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
    events = decoded(document(
        mini(2, "make", "<returncode>2</returncode>\n<output>\nno\n</output>"),
        mini(3, "ls", "Please always provide EXACTLY ONE action in triple backticks, found 2 actions."),
        mini(4, submit, "", words="It works."),
        agent="mini-swe-agent",
    ))  # fmt: skip
    assert [(one.outcome, one.exit) for one in of(events, ToolReturned)] == [
        ("failed", 2), ("not_executed", None), ("ok", None),
    ]  # fmt: skip
    assert [one.text for one in of(events, RequestEnded)] == ["It works."]


def edit(number, name, arguments, seen) -> dict:
    result = {"source_call_id": "c0", "content": seen}
    return step(number, tool_calls=calls((name, arguments)), observation={"results": [result]})


@pytest.mark.parametrize(
    ("name", "arguments", "seen", "expected"),
    [
        ("Edit", {"file_path": "/a", "old_string": "x", "new_string": "y"}, "The file /a has been updated.", ("ok", "")),
        (
            "Edit",
            {"file_path": "/a", "old_string": "x", "new_string": "y"},
            "<tool_use_error>String to replace not found in file.",
            ("failed", "not_found"),
        ),
        ("replace", {"file_path": "/a", "old_string": "x", "new_string": "y"}, "Failed to edit, 0 occurrences found", ("failed", "not_found")),
        (
            "str_replace_editor",
            {"command": "str_replace", "path": "/a", "old_str": "x", "new_str": "y"},
            "No replacement was performed. Multiple occurrences of old_str `x`",
            ("failed", "ambiguous"),
        ),
        ("Write", {"file_path": "/a", "content": "x"}, "Error: EACCES: permission denied", ("failed", "io")),
        (
            "Edit",
            {"file_path": "/a", "old_string": "x", "new_string": "y"},
            "The file /a has been updated. Here is how it reads now:\n1\traise PermissionError('permission denied')\n2\t# identical",
            ("ok", ""),
        ),
    ],
)  # fmt: skip
def test_the_tools_of_other_agents(name, arguments, seen, expected):
    """Tools that write are known by their names, and their failures by their words."""
    events = decoded(document(edit(2, name, arguments, seen), agent="other"))
    (call,), (result,) = of(events, ToolCalled), of(events, ToolReturned)
    assert (call.kind, call.changes[0].file) == ("write", "/a")
    assert (result.outcome, result.failure) == expected
    assert [one.file for one in result.files] == ["/a"]


def test_an_answer_of_another_agent():
    """A reply without a call is an answer, except of agents that must call something to be done."""
    assert [one.text for one in of(decoded(document(step(2, message="Done."), agent="other")), RequestEnded)] == [
        "Done."
    ]
    assert not of(decoded(document(step(2, message="Done."))), RequestEnded)


def test_what_the_harness_says_to_a_reply():
    """A reply that could not be read is answered by the harness, and begins no request."""
    refused = step(2, observation={"results": [{"content": "Previous response had parsing errors"}]})
    assert [one.by for one in of(decoded(document(refused)), Prompted)] == ["user", "harness"]


@pytest.mark.parametrize(
    ("agent", "sees"), [("terminus-2", "partial"), ("other", "partial"), ("mini-swe-agent", "full")]
)
def test_what_goes_by_exit_codes_is_seen_in_part(agent, sees):
    """Where no exit codes are told, tests and sites say that they see only a part."""
    (started,) = of(decoded(document(step(2), agent=agent)), RunStarted)
    assert {started.coverage.get(name, Coverage("full")).sees for name in ("tests", "sites")} == {sees}


def test_thinking_and_usage():
    """Thinking, tokens and cost of a step are told."""
    told = step(
        2,
        reasoning_content="Hm.",
        metrics={"prompt_tokens": 9, "completion_tokens": 2, "cached_tokens": 4, "cost_usd": 0.5},
    )
    events = decoded(document(told))
    assert [one.text for one in of(events, Thought)] == ["Hm."]
    assert [(one.tokens.input, one.tokens.cache_read, one.cost) for one in of(events, Used)] == [(9, 4, 0.5)]


def test_copied_context_is_marked():
    """Steps carried over from an earlier run are shown, and not counted."""
    events = decoded(document(step(2, is_copied_context=True), step(3)))
    assert [one.copied for one in of(events, Said)] == [True, False]


def test_a_message_in_parts_and_a_later_word_of_the_system():
    """A message may be in parts; what the system says in between is a notice."""
    events = decoded(document(step(2, message=[{"type": "text", "text": "Hi"}]), step(3, "system", "Summarised")))
    assert [one.text for one in of(events, Said)] == ["Hi"]
    assert [one.text for one in of(events, Noticed)] == ["Summarised"]


def test_a_growing_file_tells_only_what_is_new():
    """A trajectory written again, longer, tells each step once."""
    first, second = typed(2, "ls\n", screen=PROMPT), typed(3, "make\n", screen=PROMPT)
    events = decoded(document(first), document(first, second))
    assert len(of(events, ToolCalled)) == len(of(events, ReplyEnded)) == 2
    assert len(of(events, RunStarted)) == len(of(events, Prompted)) == 1


def test_a_file_of_another_run_is_another_wherever_they_differ():
    """A run written over one with the same words is told from its first other call on."""
    first, second = (edit(2, "bash", {"command": one}, one) for one in ("ls", "make"))
    events = decoded(document(first, agent="other"), document(second, step(3), agent="other"))
    assert [one.command for one in of(events, ToolCalled)] == ["ls", "make"]
    assert [one.name for one in of(events, Noticed)] == ["rewritten"]


@pytest.mark.parametrize(
    "command", ["echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", "grep -r MINI_SWE_AGENT_FINAL_OUTPUT ."]
)
def test_the_mark_of_one_agent_says_nothing_in_another(command):
    """What mini-swe-agent submits by is a command as any other of an agent that works on it."""
    events = decoded(document(edit(2, "Bash", {"command": command}, "out"), agent="claude-code"))
    assert [one.kind for one in of(events, ToolCalled)] == ["shell"]
    assert not of(events, RequestEnded)


@pytest.mark.parametrize("data", [b"{", b"[]", b"{}", b'{"steps": 3}', b"\xff"])
def test_what_is_no_trajectory_is_unreadable(data):
    """A broken document is counted, not thrown."""
    assert len(of(decoded(data), Unreadable)) == 1


def test_how_it_is_found(tmp_path):
    """It says itself what it is; a trial's folder opens as its trajectory."""
    data = document(step(2))
    (tmp_path / "agent").mkdir()
    for name, told in (
        ("x", data),
        ("y", data[:-9]),
        ("z", json.dumps(json.loads(data), indent=2, sort_keys=True).encode()),
    ):
        (tmp_path / name).write_bytes(told)
        assert find(str(tmp_path / name)).agent == "atif"
    (tmp_path / "agent" / "trajectory.json").write_bytes(data)
    assert FINDER.open(tmp_path) is not None
    (tmp_path / "x").write_bytes(b'{"steps": []}')
    assert FINDER.open(tmp_path / "x") is None

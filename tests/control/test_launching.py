"""How commands are made ready: which agent, which words are added, and where the prompt goes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.agents.dirtywork.resuming import resume
from monitor.errors import MonitorError
from monitor.launch.command import AGENTS, prepare, recognised

NEEDED = [
    "-p",
    "--input-format",
    "stream-json",
    "--output-format",
    "stream-json",
    "--verbose",
    "--include-partial-messages",
    "--replay-user-messages",
    "--permission-prompt-tool",
    "stdio",
]


@pytest.mark.parametrize(("command", "agent"), [
    ("claude fix it", "claude"), ("/opt/bin/claude -p x", "claude"), ("claude.exe x", "claude"),
    ("dirtywork run x", "dirtywork"), ("python3 -m dirtywork run x", "dirtywork"), ("/usr/bin/python -m lcode -p x", "lcode"),
    ("lcode acp", "acp"), ("python -m lcode acp", "acp"), ("qwen --acp", "acp"), ("pi-acp", "acp"),
    ("node agent.js", "other"), ("python", "other"), ("my-claude x", "other"),
])  # fmt: skip
def test_agents_are_known_by_their_command(command, agent):
    """The program's name tells the agent, whatever its folder."""
    assert recognised(command.split()) == agent


def test_claude_gets_what_its_channel_needs_and_its_prompt_on_stdin():
    """The flags are added once and named, and the prompt becomes the first line said."""
    made = prepare(["claude", "--model", "opus", "fix it"])
    assert made.command == ("claude", "--model", "opus", *NEEDED)
    assert list(made.added) == NEEDED
    assert [json.loads(line)["message"]["content"] for line in made.first] == ["fix it"]
    assert made.listens
    again = prepare(["claude", *NEEDED])
    assert (again.command, again.added, again.first) == (("claude", *NEEDED), (), ())


@pytest.mark.parametrize(("words", "prompt"), [
    (["-p", "do this"], "do this"),
    (["do this", "-p"], "do this"),
    (["--allowedTools", "Bash", "Edit", "--", "do this"], "do this"),
    (["--allowedTools", "Bash", "Edit"], None),
    (["-r", "abc", "do this"], "do this"),
    (["--resume", "--verbose", "do this"], "do this"),
    (["--model=opus", "do this"], "do this"),
    (["--system-prompt", "-x", "do this"], "do this"),
    ([], None),
])  # fmt: skip
def test_the_prompt_is_told_from_the_options(words, prompt):
    """The word that is no option nor an option's value is the prompt; options keep their values."""
    made = prepare(["claude", *words])
    said = [json.loads(line)["message"]["content"] for line in made.first]
    assert said == ([] if prompt is None else [prompt])
    kept = [word for word in words if word not in (prompt, "--")]
    assert list(made.command[1 : 1 + len(kept)]) == kept


@pytest.mark.parametrize("words", [
    ["one", "two"], ["--output-format", "json", "x"], ["--output-format=text", "x"], ["--input-format", "text"],
    ["mcp", "list"], ["doctor"], ["--bg", "x"], ["--cloud", "x"],
])  # fmt: skip
def test_what_does_not_go_together_is_refused(words):
    """A command that cannot be reached like this is one line that says why."""
    with pytest.raises(MonitorError) as raised:
        prepare(["claude", *words])
    assert raised.value.code == 2
    assert raised.value.hint


@settings(deadline=None, max_examples=200)
@given(
    st.lists(
        st.one_of(st.text(max_size=8), st.sampled_from(["-p", "--", "--model", "--tools", "-r", "--add-dir", "x"])),
        max_size=8,
    )
)
def test_any_words_are_prepared_or_refused(words):
    """Whatever the words, a command comes out that holds every option once more, or a refusal."""
    try:
        made = prepare(["claude", *words], "claude")
    except MonitorError:
        return
    assert made.command[0] == "claude"
    assert {"--verbose", "--replay-user-messages"} <= set(made.command)
    assert len(made.first) <= 1


def test_lcode_tells_its_events_where_it_can():
    """One request gets the stream of events; a resumed session, which would be forgotten by it, does not."""
    assert prepare(["lcode", "-p", "x"]).added == ("--output", "stream-json")
    assert prepare(["lcode", "-p", "x", "--resume", "a"]).added == ()
    assert prepare(["lcode", "-p", "x", "--output", "text"]).added == ()
    assert prepare(["lcode"]).added == ()


def test_a_task_goes_to_those_that_are_asked():
    """A task is said to agents that monitor asks itself; for others it belongs on their command line."""
    assert prepare(["lcode", "acp"], task="do").task == "do"
    assert json.loads(prepare(["claude"], task="do").first[0])["message"]["content"] == "do"
    with pytest.raises(MonitorError, match="own command line"):
        prepare(["dirtywork", "run"], task="do")


def test_agents_by_name():
    """An agent may be named; a name that is none is refused with those there are, and nothing is no command."""
    assert prepare(["./mine"], "native").listens
    assert not prepare(["./mine"]).listens
    with pytest.raises(MonitorError, match="Name one of: " + ", ".join(AGENTS)):
        prepare(["x"], "nobody")
    with pytest.raises(MonitorError, match="no command"):
        prepare([])


def test_a_resume_is_started_like_the_run():
    """The same program and endpoint are used, and words that look like an option stay words."""
    command = [
        "py",
        "-m",
        "dirtywork",
        "run",
        "a task",
        "--base-url",
        "u",
        "--model=m",
        "--verify",
        "v",
        "--allow-network",
    ]
    assert resume(command, "slug", "--now") == (
        "py", "-m", "dirtywork", "resume", "slug", "--base-url", "u", "--model=m", "--allow-network", "--feedback=--now",
    )  # fmt: skip
    assert resume([], "slug", "x") == ("dirtywork", "resume", "slug", "--feedback=x")

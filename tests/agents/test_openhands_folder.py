"""Conversations of OpenHands 1: a folder with a file for each event."""

from __future__ import annotations

import json

import pytest
from openhands_folder import ID, Talk

from monitor.agents.openhands.conversation import ConversationDecoder
from monitor.agents.openhands.kept import KeptEvents
from monitor.events import (
    Noticed,
    Prompted,
    RequestEnded,
    RunEnded,
    RunStarted,
    Said,
    Thought,
    ToolCalled,
    ToolReturned,
    Used,
    Waiting,
)
from monitor.streams.record import Input, Record
from monitor.supervisor import Supervisor
from monitor.targets import find


@pytest.fixture
def talk(tmp_path):
    return Talk(tmp_path / ID)


def told(talk):
    """All events of the folder as it is now."""
    kept, decoder, lines = KeptEvents(talk.folder), ConversationDecoder(), []
    while new := kept.lines():
        lines += new
    source = Input(0, "c", "events")
    records = [Record(source, number, 0, len(line) + 1, line, 5.0) for number, line in enumerate(lines, 1)]
    return [event for record in records for event in decoder.feed(record)]


def of(events, *types):
    return [event for event in events if isinstance(event, types)]


def read(path):
    supervisor = Supervisor(find(str(path)), live=False)
    supervisor.read_all()
    supervisor.close()
    return supervisor.snapshot


def test_from_its_task_to_its_claim(talk):
    """The state says where it begins and how it stands; calls of one reply share its message, and finish is the claim."""
    talk.add("SystemPromptEvent", system_prompt={"type": "text", "text": "You are"})
    talk.said("Mend it")
    call = talk.did(
        "terminal",
        {"command": "ls", "kind": "TerminalAction"},
        reasoning_content="Which files are there?",
        thought="I look.",
    )
    talk.saw(
        call,
        "terminal",
        "a.py",
        kind="TerminalObservation",
        exit_code=0,
        metadata={"exit_code": 0, "working_dir": "/w"},
    )
    talk.edited("The file /w/a.py has been edited.")
    talk.did("finish", {"message": "It is mended.", "kind": "FinishAction"}, reply="r2")
    talk.state("finished")
    events = told(talk)
    (started,) = of(events, RunStarted)
    assert (started.agent, started.model, started.cwd, started.session[:8]) == (
        "openhands",
        "openai/m",
        "/w",
        "3fdb3160",
    )
    assert [one.text for one in of(events, Thought)] == ["Which files are there?"]
    assert next(one.text for one in of(events, Said)) == "I look."
    shell, edit, finish = of(events, ToolCalled)
    assert (shell.kind, shell.command, edit.kind, finish.kind) == ("shell", "ls", "write", "finish")
    assert shell.message == edit.message != finish.message
    (change,) = edit.changes
    assert (change.file, change.old, change.new) == ("/w/a.py", "x", "y")
    ran, wrote = of(events, ToolReturned)
    assert (ran.outcome, ran.exit, ran.cwd, wrote.outcome, wrote.files[0].file) == ("ok", 0, "/w", "ok", "/w/a.py")
    assert [(one.how, one.text) for one in of(events, RequestEnded)] == [("answered", "It is mended.")]
    assert [one.status for one in of(events, RunEnded)] == ["finished"]
    assert [(one.tokens.input, one.cost) for one in of(events, Used)] == [(9, 0.5)]


@pytest.mark.parametrize(
    ("text", "wrong", "expected"),
    [
        (
            "No replacement was performed, old_str `x` did not appear verbatim in /w/a.py.",
            True,
            ("failed", "not_found"),
        ),
        ("Multiple occurrences of old_str `x` in lines [1, 2].", True, ("failed", "ambiguous")),
        ("Something else went wrong", True, ("failed", "other")),
        ("", False, ("ok", "")),
    ],
)
def test_what_the_editor_says(talk, text, wrong, expected):
    """A failure by its words, and by the mark of an error."""
    talk.edited(text, wrong=wrong)
    (result,) = of(told(talk), ToolReturned)
    assert (result.outcome, result.failure, result.files[0].outcome) == (*expected, expected[0])


def test_a_false_claim_over_a_failed_edit(talk):
    """The whole way, from the folder to the verdict; secrets of the state are in nothing that is kept."""
    talk.said("Mend it")
    talk.edited("No replacement was performed, old_str `x` did not appear verbatim in /w/a.py.", wrong=True)
    talk.said("All is mended.", "agent")
    talk.state("finished")
    for path in (talk.folder, talk.folder / "base_state.json", next((talk.folder / "events").iterdir())):
        seen = read(path)
        assert (seen.verdict.state, seen.writes.outstanding, seen.verdict.claimed_done) == ("not made", 1, True)
    kept = KeptEvents(talk.folder)
    lines = b"".join(line for _ in range(4) for line in kept.lines())
    assert b"secret" not in lines


def test_rejections_and_errors(talk):
    """A person's no, a hook's, what the scaffold never executed, and what broke off, are told apart."""
    names = [talk.did("terminal", {"command": f"make {n}", "kind": "TerminalAction"}) for n in range(4)]
    about = {"tool_name": "terminal", "action_id": "a"}
    talk.add("UserRejectObservation", "environment", tool_call_id=names[0], rejection_reason="no", **about)
    talk.add("UserRejectObservation", "environment", tool_call_id=names[1], rejection_source="hook", **about)
    talk.add("AgentErrorEvent", tool_name="terminal", tool_call_id=names[2], error="Error validating args")
    talk.add("AgentErrorEvent", tool_name="terminal", tool_call_id=names[3], error="A restart occurred meanwhile")
    assert [one.outcome for one in of(told(talk), ToolReturned)] == ["denied", "refused", "not_executed", "unknown"]


def test_a_call_that_no_tool_took(talk):
    """Its arguments are those that the model wrote."""
    talk.did("file_editor", None, arguments={"command": "create", "path": "/w/b.py", "file_text": "x"})
    (call,) = of(told(talk), ToolCalled)
    assert (call.kind, call.changes[0].file, call.changes[0].op) == ("write", "/w/b.py", "create")


def test_commands_that_fail_run_on_and_are_typed_into(talk):
    """An exit code, a command that still runs, a look at it, and what is typed into it."""
    talk.ran("make", "error", 2)
    talk.ran("make all", "...", -1)
    talk.ran("", "...", 0, is_input=True)
    talk.ran("y", "done", 0, is_input=True)
    events = told(talk)
    assert [one.kind for one in of(events, ToolCalled)] == ["shell", "shell", "poll", "other"]
    results = of(events, ToolReturned)
    assert [(one.outcome, one.exit, one.background) for one in results[:2]] == [
        ("failed", 2, False),
        ("unknown", None, True),
    ]


@pytest.mark.parametrize(
    ("code", "how", "status"),
    [("MaxIterationsReached", "limit", "max_iterations"), ("LLMAuthenticationError", "error", "")],
)
def test_what_breaks_it_off(talk, code, how, status):
    """A limit and an error; words of the user meanwhile are said to a running agent."""
    talk.said("Mend it")
    talk.said("and quickly")
    talk.add("ConversationErrorEvent", "environment", code=code, detail="no more")
    events = told(talk)
    assert [one.into for one in of(events, Prompted)] == ["new", "running"]
    assert [one.how for one in of(events, RequestEnded)] == [how]
    assert [one.status for one in of(events, RunEnded)] == ([status] if status else [])


def test_what_is_new_is_read_once(talk):
    """Events as they are added, a half-written one when it is whole, the state when it is another."""
    kept = KeptEvents(talk.folder)
    talk.said("Mend it")
    assert [min(json.loads(line)) for line in kept.lines()] == ["begins", "id"]
    assert b'"running"' in kept.lines()[0]
    assert kept.lines() == []
    before = kept.stamp()
    half = talk.folder / "events" / "event-00001-aaaaaaaa-1111.json"
    half.write_text('{"kind": "PauseEvent", ')
    assert kept.stamp() != before
    assert kept.lines() == []
    half.write_text('{"kind": "PauseEvent",\n "id": "p"}')
    assert [json.loads(line)["kind"] for line in kept.lines()] == ["PauseEvent"]
    talk.number = 2
    talk.state("waiting_for_confirmation")
    assert [json.loads(line)["state"]["status"] for line in kept.lines()] == ["waiting_for_confirmation"]
    talk.state("running")
    events = told(talk)
    assert [one.how for one in of(events, RequestEnded)] == ["interrupted"]
    assert of(events, Waiting, Noticed) == []


def test_a_state_that_is_being_written(talk):
    """It tells nothing until it is whole: neither who works where, nor that a question was answered."""
    talk.state("waiting_for_confirmation")
    whole = (talk.folder / "base_state.json").read_bytes()
    talk.said("Mend it")
    kept, decoder = KeptEvents(talk.folder), ConversationDecoder()
    events = []
    for data in (whole[:40], whole, whole[:40], whole):
        (talk.folder / "base_state.json").write_bytes(data)
        while new := kept.lines():
            records = [Record(Input(0, "c", "events"), 1, 0, len(line), line, 5.0) for line in new]
            events += [event for record in records for event in decoder.feed(record)]
    assert [one.cwd for one in of(events, RunStarted)] == ["", "/w"]
    assert [one.over for one in of(events, Waiting)] == [False]


def test_waiting_for_approval_begins_and_ends():
    """It is told by the state, and over with the next one."""
    decoder, source = ConversationDecoder(), Input(0, "c", "events")
    states = [json.dumps({"state": {"status": name}}).encode() for name in ("waiting_for_confirmation", "running")]
    events = [event for line in states for event in decoder.feed(Record(source, 1, 0, len(line), line))]
    assert [(one.on, one.over) for one in of(events, Waiting)] == [("approval", False), ("approval", True)]


def test_it_is_found_by_its_id(private_home):
    """In the folder where OpenHands' own program keeps conversations; by the beginning of its id too."""
    talk = Talk(private_home / ".openhands" / "conversations" / ID)
    talk.said("Mend it")
    for name in (ID, ID[:10], "3fdb3160-98bb-48e1-aa02-9ce56805792a"):
        assert find(name).title == ID


def test_odd_lines(talk):
    """What is no JSON is unreadable, what nobody knows is counted, and odd values throw nothing."""
    decoder, source = ConversationDecoder(), Input(0, "c", "events")
    odd = [
        b"no json", b"[]", b"{}", b'{"kind": "NewEvent"}', b'{"kind": "ActionEvent", "action": 3, "tool_call": {"arguments": 4}}',
        b'{"kind": "ObservationEvent", "observation": []}', b'{"state": {"usage": [1, {"tokens": []}]}}', b'{"begins": 1}',
        b'{"kind": "MessageEvent", "llm_message": {"content": 5}}',
    ]  # fmt: skip
    for line in odd:
        decoder.copy().feed(Record(source, 1, 0, len(line), line))
        decoder.feed(Record(source, 1, 0, len(line), line))
    assert decoder.unknown_types == {"(none)": 1, "NewEvent": 1}

"""What OpenHands' histories tell."""

from __future__ import annotations

import json

import pytest
from openhands_logs import EVENTS, INSTANCE, Log, begun, decoded, of

from monitor.agents.openhands import decode
from monitor.events import (
    Noticed,
    Prompted,
    ReplyEnded,
    RequestEnded,
    RunEnded,
    RunStarted,
    Said,
    Thought,
    ToolCalled,
    ToolReturned,
    Unreadable,
    Used,
    Waiting,
)
from monitor.streams.record import Input, Record


def test_the_folder_that_the_agent_is_told():
    """The workspace's own word for it counts before the folder in which the first command ended."""
    log = Log()
    log.said("Mend it")
    log.add("environment", observation="recall", content="context", extras={"working_dir": "/workspace/app"})
    cause = log.did("run", command="cd /srv")
    log.saw(cause, "run", "", metadata={"exit_code": 0, "working_dir": "/srv"})
    events = decoded(log.document())
    assert [one.cwd for one in of(events, RunStarted)] == ["/workspace/app"]
    assert [one.cwd for one in of(events, ToolReturned)] == ["/srv"]


def test_a_run_from_its_task_to_its_claim():
    """A line of a benchmark's output tells its run: task, calls with exit codes, usage, and the claim of done."""
    log = begun()
    log.ran("ls", "a.py", reply="r1", usage={"prompt_tokens": 9, "completion_tokens": 2})
    log.did("finish", final_thought="I fixed it.")
    events = decoded(log.instance(), INSTANCE)
    started = of(events, RunStarted)[0]
    assert (started.agent, started.model, started.session, started.cwd) == ("openhands", "m", "repo-1", "/workspace")
    assert [one.text for one in of(events, Prompted)] == ["Mend it"]
    assert [(one.kind, one.command) for one in of(events, ToolCalled)] == [("shell", "ls"), ("finish", "")]
    ran, _ = of(events, ToolReturned)
    assert (ran.outcome, ran.exit, ran.cwd) == ("ok", 0, "/workspace")
    assert [(one.how, one.text) for one in of(events, RequestEnded)] == [("answered", "I fixed it.")]
    assert [one.status for one in of(events, RunEnded)] == ["finished"]
    assert [(one.scope, one.tokens.input, one.cost) for one in of(events, Used)] == [
        ("message", 9, None),
        ("run", 9, 0.5),
    ]
    assert len({event.place.item for event in events}) == len(events)
    assert {event.place.line for event in events} == {1}


def test_a_file_of_another_run_is_another_from_its_first_entry():
    """A run that was begun anew, later, is told whole, though its entries are numbered and worded as before."""
    first, second = begun(), begun()
    first.ran("ls", "out")
    second.ran("make", "out")
    for entry in second.entries:
        entry["timestamp"] = entry["timestamp"].replace("2025", "2026")
    source, fresh = Input(0, "a.json", EVENTS, None, "document"), decode.decoder()
    told = []
    for number, data in enumerate((first.document(), second.document())):
        told += fresh.feed(Record(source, 1, 0, len(data), data, 5.0, number))
    assert [one.command for one in of(told, ToolCalled)] == ["ls", "make"]
    assert [one.name for one in of(told, Noticed)] == ["rewritten"]


def test_who_speaks():
    """The harness' nag begins no request; a person's words after an answer do, while it works they do not."""
    log = begun()
    log.said("Shall I go on?", "agent", wait_for_response=True)
    log.said("Please continue working on the task on whatever approach you think is suitable.")
    log.ran("ls")
    log.said("Use tabs.")
    log.did("finish")
    log.said("And now b.py.")
    told = [(one.by, one.into) for one in of(decoded(log.document()), Prompted)]
    assert told == [("user", "new"), ("harness", "running"), ("user", "running"), ("user", "new")]


def test_a_question_of_the_agent():
    """A message that waits for an answer ends the request."""
    log = begun()
    log.said("Which file?", "agent", wait_for_response=True)
    events = decoded(log.document())
    assert [(one.how, one.text) for one in of(events, RequestEnded)] == [("answered", "Which file?")]
    assert [one.text for one in of(events, Said)] == ["Which file?"]


def test_thinking():
    """A thought that is logged as an action is thinking."""
    log = begun()
    log.saw(log.did("think", thought="Hm."), "think", "Your thought has been logged.")
    events = decoded(log.document())
    assert [one.text for one in of(events, Thought)] == ["Hm."]
    assert [one.kind for one in of(events, ToolCalled)] == ["plan"]


def test_an_error_without_a_call():
    """A reply that could not be read as a call is answered by the harness."""
    log = begun()
    log.add("agent", observation="error", content="Parameter 'command' is expected to be one of [...]", extras={})
    events = decoded(log.document())
    assert [one.by for one in of(events, Prompted)] == ["user", "harness"]
    assert not of(events, ToolReturned)


@pytest.mark.parametrize(
    ("error", "status", "how"),
    [
        ("RuntimeError: Agent reached maximum iteration in headless mode.", "max_iterations", ["limit"]),
        ("RuntimeError: Agent reached maximum budget for conversation", "max_budget", ["limit"]),
        ("AgentStuckInLoopError: Agent got stuck in a loop", "stuck", []),
        ("litellm.APIError: no server", "error", ["error"]),
    ],
)
def test_how_it_ended(error, status, how):
    """Limits, loops and errors are told apart; none of them is a claim."""
    log = begun()
    log.ran("ls")
    events = decoded(log.instance(error=error), INSTANCE)
    assert [one.status for one in of(events, RunEnded)] == [status]
    assert [one.how for one in of(events, RequestEnded)] == how


def test_states_of_the_agent():
    """A wait for approval, and an end on an error, show in the agent's states."""
    log = begun()
    log.add("environment", observation="agent_state_changed", extras={"agent_state": "awaiting_user_confirmation"})
    assert [one.on for one in of(decoded(log.document()), Waiting)] == ["approval"]
    log.add("environment", observation="agent_state_changed", extras={"agent_state": "error", "reason": "no server"})
    events = decoded(log.document())
    assert [(one.how, one.text) for one in of(events, RequestEnded)] == [("error", "no server")]
    assert [one.status for one in of(events, RunEnded)] == ["error"]


def test_earlier_versions():
    """Arguments and results beside the type, and pairs of an action and its observation, are read as well."""
    history = [
        {"content": "Mend it", "action": "message"},
        {"command": "ls", "thought": "First.", "action": "run"},
        {"content": "a.py", "exit_code": 0, "command": "ls", "observation": "run"},
        [{"code": "1/0", "action": "run_ipython"}, {"content": "Traceback (most recent call last)", "observation": "run_ipython"}],
        {"outputs": {}, "thought": "I did it.", "action": "finish"},
    ]  # fmt: skip
    events = decoded(json.dumps({"issue": {}, "history": history, "error": None}).encode(), INSTANCE)
    assert [one.text for one in of(events, Prompted)] == ["Mend it"]
    assert [(one.tool, one.kind) for one in of(events, ToolCalled)] == [
        ("run", "shell"), ("run_ipython", "other"), ("finish", "finish"),
    ]  # fmt: skip
    assert [one.outcome for one in of(events, ToolReturned)] == ["ok", "failed", "ok"]
    assert [one.text for one in of(events, RequestEnded)] == ["I did it."]


def test_a_growing_list_tells_only_what_is_new():
    """A list of events that is written again, longer, tells each event once."""
    log = begun()
    decoder, source = decode.decoder(), Input(0, "a.json", EVENTS, None, "document")
    events = []
    for state in range(3):
        log.ran(f"echo {state}")
        data = log.document()
        events += decoder.feed(Record(source, 1, 0, len(data), data, 5.0, state))
    assert len(of(events, ToolCalled)) == len(of(events, ToolReturned)) == len(of(events, ReplyEnded)) == 3
    assert len(of(events, Prompted)) == 1
    assert not of(events, Noticed)


def test_unknown_actions_are_counted():
    """An action of a later version is a call of no known kind, and counted."""
    log = begun()
    log.did("dance")
    data, decoder = log.document(), decode.decoder()
    events = decoder.feed(Record(Input(0, "a", EVENTS, None, "document"), 1, 0, len(data), data))
    assert [one.kind for one in of(events, ToolCalled)] == ["other"]
    assert decoder.unknown_types == {"action dance": 1}


@pytest.mark.parametrize("data", [b"{", b"[]", b"{}", b'{"history": 3}', b"[1]", b'[{"action": "run"}]', b"\xff"])
def test_what_is_no_history_is_unreadable(data):
    """A broken document is counted, not thrown."""
    assert len(of(decoded(data), Unreadable)) == 1

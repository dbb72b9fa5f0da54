"""Sub-agents of Codex on the wire of an app-server and in the lines of `codex exec --json`."""

from __future__ import annotations

import codex_logs as logs
import codex_wire
import pytest
from codex_agents import ROOT, root, starts, thread

from monitor.agents.codex.decode import ATTACHED, CodexDecoder
from monitor.events import RunEnded, Said, Waiting
from monitor.run.run import Run
from monitor.streams.record import Input

FIRST, SECOND = thread(1), thread(2)


def wire(method, whose, **params):
    return {**codex_wire.told(method, **params), "msg": {"method": method, "params": {"threadId": whose, **params}}}


@pytest.mark.parametrize("told_first", [True, False])
def test_on_the_wire(told_first):
    """A sub-agent's turn names its root's, its starter's item names it: either way its words and questions are its own."""
    item = {
        "type": "subAgentActivity",
        "id": "c1",
        "kind": "started",
        "agentThreadId": FIRST,
        "agentPath": "/root/fixer",
    }
    tells = wire("item/completed", codex_wire.THREAD, item=item)
    begins = wire("turn/started", FIRST, turn={"id": "t2", "rootTurnId": "t1"})
    rows = [
        codex_wire.noted("agent->client", {"method": "remoteControl/status/changed", "params": {}}),
        codex_wire.started(), codex_wire.turn("turn/started"), *([tells, begins] if told_first else [begins, tells]),
        wire("item/agentMessage/delta", FIRST, itemId="m", delta="Mend"),
        {"msg": {"method": "item/commandExecution/requestApproval", "id": 7, "params": {"threadId": FIRST, "itemId": "x", "command": "ls"}}},
        wire("turn/completed", FIRST, turn={"id": "t2", "status": "completed"}),
        wire("item/agentMessage/delta", thread(9), itemId="m", delta="a stranger's"),
    ]  # fmt: skip
    events = codex_wire.decode(*rows)
    assert starts(events)[-1] == (FIRST, "", "c1", "/root/fixer")
    assert [(one.actor, one.text) for one in logs.of(events, Said)] == [(FIRST, "Mend")]
    assert [(one.actor, one.over) for one in logs.of(events, Waiting)] == [(FIRST, False), (FIRST, True)]
    assert [(one.actor, one.status) for one in logs.of(events, RunEnded)] == [(FIRST, "completed")]


def test_a_thread_that_names_its_parent():
    """A thread told of as begun belongs to the run where it names one of it as its parent, and to none otherwise."""

    def begins(name, **more):
        return codex_wire.noted(
            "agent->client", {"method": "thread/started", "params": {"thread": {"id": name, **more}}}
        )

    rows = [
        codex_wire.started(),
        begins(FIRST, parentThreadId=codex_wire.THREAD),
        begins(SECOND, parentThreadId=FIRST),
        begins(thread(3)),
    ]
    assert [one[:2] for one in starts(codex_wire.decode(*rows))] == [(FIRST, ""), (SECOND, FIRST)]


def test_in_a_stream():
    """`codex exec --json` names a sub-agent and its end; that it tells no more of it is said."""

    def call(tool, kind="item.completed", **more):
        item = {
            "id": "item_3",
            "type": "collab_tool_call",
            "tool": tool,
            "sender_thread_id": ROOT,
            "status": "completed",
            **more,
        }
        return {"type": kind, "item": item}

    states = {FIRST: {"status": "completed", "message": "Mended."}, thread(9): {"status": "completed"}}
    rows = [
        {"type": "thread.started", "thread_id": ROOT},
        call("spawn_agent", "item.started", receiver_thread_ids=[], prompt="Mend it"),
        call("spawn_agent", receiver_thread_ids=[FIRST], prompt="Mend it", agents_states={FIRST: {"status": "pending_init"}}),
        call("wait", receiver_thread_ids=[FIRST], agents_states=states),
    ]  # fmt: skip
    events = logs.decode(*rows, source=logs.PIPED)
    assert starts(events) == [(FIRST, "", "item_3", "Mend it")]
    assert [(one.actor, one.status) for one in logs.of(events, RunEnded)] == [(FIRST, "completed")]
    run = Run()
    for event in events:
        run.feed(event)
    assert "sub-agents" in run.snapshot().coverage["sites"].why


def test_an_answer_closes_the_question_of_its_actor():
    """Answered by a client, a sub-agent's question is over as the sub-agent's."""
    ask = {"method": "item/commandExecution/requestApproval", "id": 7, "params": {"threadId": FIRST, "itemId": "x"}}
    rows = [
        codex_wire.started(), codex_wire.turn("turn/started"), wire("turn/started", FIRST, turn={"id": "t2", "rootTurnId": "t1"}),
        {"msg": ask}, codex_wire.noted("client->agent", {"id": 7, "result": {"decision": "accept"}}),
    ]  # fmt: skip
    assert [(one.actor, one.over) for one in logs.of(codex_wire.decode(*rows), Waiting)] == [
        (FIRST, False),
        (FIRST, True),
    ]


def test_listened_to_late():
    """From a server that others use, who was started by which call is taken, and no words, which the rollouts have."""
    decoder = CodexDecoder()
    for record in logs.records([root()]):
        decoder.feed(record)
    item = {
        "type": "subAgentActivity",
        "id": "c1",
        "kind": "started",
        "agentThreadId": FIRST,
        "agentPath": "/root/fixer",
    }
    rows = [wire("item/completed", ROOT, item=item), wire("item/agentMessage/delta", FIRST, itemId="m", delta="Mend")]
    events = codex_wire.decode(*rows, source=Input(1, "app-server", ATTACHED), decoder=decoder)
    assert starts(events) == [(FIRST, "", "c1", "/root/fixer")]
    assert len(events) == 1

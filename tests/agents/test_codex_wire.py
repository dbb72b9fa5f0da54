"""The wire of Codex's app-server: alone it tells all but refused patches, beside a rollout what that has not."""

from __future__ import annotations

import json

import codex_logs as logs
import codex_wire as wire
import pytest

from monitor.agents.codex.decode import ROLLOUT, CodexDecoder
from monitor.agents.codex.find import FINDER
from monitor.agents.codex.process import home
from monitor.agents.codex.served import Served
from monitor.events import (
    Noticed,
    Prompted,
    RequestEnded,
    RunStarted,
    Said,
    Thought,
    ToolCalled,
    ToolReturned,
    Unreadable,
    Used,
    Waiting,
)
from monitor.report.build import build
from monitor.run.run import Run
from monitor.supervisor import Supervisor

COMMAND = {"command": "/bin/bash -lc 'make all'", "cwd": "/home/dev/app", "status": "inProgress"}
CHANGE = {
    "path": "/home/dev/app/a.py",
    "kind": {"type": "update", "move_path": None},
    "diff": "@@ -1 +1,2 @@\n-a\n+b\n+c\n",
}


def of(events, kind):
    return [one for one in events if isinstance(one, kind)]


def test_a_turn_from_its_prompt_to_its_answer():
    """The start, the prompt, pieces of the answer and the whole of it, what was used, and the end."""
    events = wire.decode(
        wire.started(), wire.turn("turn/started"), wire.user("Rename it"), *wire.said("Done."), wire.usage(),
        wire.turn("turn/completed", "completed"),
    )  # fmt: skip
    begun = of(events, RunStarted)[0]
    assert (begun.agent, begun.version, begun.model, begun.session) == ("codex", "0.171.0", "gpt-5.5", wire.THREAD)
    assert begun.coverage["failed_writes"].sees == "none"
    assert [(one.text, one.into) for one in of(events, Prompted)] == [("Rename it", "new")]
    assert [(one.text, one.delta) for one in of(events, Said)] == [("Done.", True), ("Done.", False)]
    assert len({(one.message, one.part) for one in of(events, Said)}) == 1
    used = of(events, Used)[0]
    assert (used.tokens.input, used.tokens.cache_read, used.context_used, used.context_size) == (6, 4, 12, 1000)
    assert [(one.how, one.text) for one in of(events, RequestEnded)] == [("answered", "Done.")]


def test_a_command_and_a_change():
    """A command with its exit code, a change with its lines counted; one that was declined was denied by a person."""
    events = wire.decode(
        wire.item("commandExecution", "c1", **COMMAND),
        wire.item("commandExecution", "c1", done=True, **COMMAND | {"status": "failed", "exitCode": 2, "aggregatedOutput": "no"}),
        wire.item("fileChange", "c2", changes=[CHANGE], status="inProgress"),
        wire.item("fileChange", "c2", done=True, changes=[CHANGE], status="completed"),
        wire.item("commandExecution", "c3", done=True, **COMMAND | {"status": "declined"}),
    )  # fmt: skip
    calls, results = of(events, ToolCalled), of(events, ToolReturned)
    assert [(one.kind, one.command) for one in calls] == [("shell", "make all"), ("write", "")]
    assert [(one.outcome, one.exit) for one in results] == [("failed", 2), ("ok", None), ("denied", None)]
    assert [(one.file, one.added, one.removed) for one in results[1].files] == [("/home/dev/app/a.py", 2, 1)]


def test_replies_are_told_apart_by_their_usage():
    """Each usage ends a reply, of one too of which the wire shows nothing: a refused patch."""
    events = wire.decode(
        *wire.said("One", "m1"), wire.usage(), wire.usage(), *wire.said("Three", "m3"), wire.usage(),
    )  # fmt: skip
    assert [one.message for one in of(events, Said) if not one.delta] == ["r1", "r3"]


def test_thoughts_come_in_pieces():
    """Summaries piece by piece, their parts on lines of their own, and whole as the rollout joins them."""
    events = wire.decode(
        wire.item("reasoning", "rs1", summary=[]),
        wire.told("item/reasoning/summaryPartAdded", itemId="rs1", summaryIndex=0),
        wire.told("item/reasoning/summaryTextDelta", itemId="rs1", delta="One", summaryIndex=0),
        wire.told("item/reasoning/summaryPartAdded", itemId="rs1", summaryIndex=1),
        wire.told("item/reasoning/summaryTextDelta", itemId="rs1", delta="Two", summaryIndex=1),
        wire.item("reasoning", "rs1", done=True, summary=["One", "Two"], content=[]),
    )  # fmt: skip
    pieces = [one.text for one in of(events, Thought) if one.delta]
    assert "".join(pieces) == next(one.text for one in of(events, Thought) if not one.delta) == "One\nTwo"


def test_a_question_waits_until_it_is_answered():
    """By its command, for the call it is about; over when it is resolved, answered here, or its turn has ended."""
    asks = wire.noted("agent->client", {
        "method": "item/commandExecution/requestApproval", "id": 0,
        "params": {"threadId": wire.THREAD, "itemId": "c1", "command": "/bin/bash -lc 'touch x'", "reason": "need it"},
    })  # fmt: skip
    resolved = wire.told("serverRequest/resolved", requestId=0)
    answered = wire.noted("client->agent", {"id": 0, "result": {"decision": "decline"}})
    for end in (resolved, answered, wire.turn("turn/completed", "interrupted")):
        waits = of(wire.decode(asks, end, source=wire.KEPT), Waiting)
        assert [(one.about, one.call, one.over) for one in waits] == [("touch x", "c1", False), ("", "c1", True)]
    assert len(of(wire.decode(asks, answered, resolved), Waiting)) == 2


def test_a_run_waits_no_more_once_its_question_is_answered():
    """The command that was allowed may run for long: nobody is waited for while it does."""
    ask = {
        "method": "item/commandExecution/requestApproval",
        "id": 0,
        "params": {"threadId": wire.THREAD, "itemId": "c1"},
    }
    run = Run()
    for event in wire.decode(wire.noted("agent->client", ask), wire.told("serverRequest/resolved", requestId=0)):
        run.feed(event)
    assert (run.snapshot().waiting, run.snapshot().waiting_call) == ("", "")


@pytest.mark.parametrize(("method", "turned"), [("thread/start", False), ("turn/start", False), ("turn/start", True)])
def test_a_run_that_cannot_begin_has_failed(method, turned):
    """Codex gives no thread, or takes no task; where a turn has begun before, that is over when the server says so."""
    before = [wire.started(), *([wire.turn("turn/started")] if turned else [])] if method == "turn/start" else []
    asks = wire.noted("client->agent", {"id": "a-1:", "method": method, "params": {}})
    refuses = wire.noted("agent->client", {"id": "a-1:", "error": {"code": -32600, "message": "unknown model"}})
    ends = [(one.how, one.text) for one in of(wire.decode(*before, asks, refuses, source=wire.KEPT), RequestEnded)]
    assert ends == ([] if turned else [("error", "unknown model")])


def test_beside_its_rollout_it_adds_what_that_has_not():
    """The prompt, words as they are written, questions and notices; calls, usage and ends are the rollout's."""
    events = wire.decode(
        wire.started(), wire.turn("turn/started"), wire.user("Rename it"), wire.item("commandExecution", "c1", **COMMAND),
        *wire.said("Done."), wire.usage(), wire.told("error", error={"message": "lost"}, willRetry=True),
        wire.turn("turn/completed", "completed"), source=wire.KEPT,
    )  # fmt: skip
    assert {type(one) for one in events} == {RunStarted, Prompted, Said, Noticed}
    assert of(events, Noticed)[0].kind == "retry"
    assert of(events, RunStarted)[0].coverage.keys() == {"thinking"}


@pytest.mark.parametrize("first", [wire.KEPT, logs.WRITTEN], ids=["the wire", "the rollout"])
def test_a_prompt_that_both_tell_counts_once(first):
    """Whichever is read first, and said twice it is two."""
    decoder = CodexDecoder()
    rows = {
        wire.KEPT: [wire.turn("turn/started"), wire.user("Go on")],
        logs.WRITTEN: [logs.told("task_started"), logs.user("Go on")],
    }
    second = logs.WRITTEN if first is wire.KEPT else wire.KEPT
    counted = [
        len(of(wire.decode(*rows[source], source=source, decoder=decoder), Prompted)) for source in (first, second) * 2
    ]
    assert counted == [1, 0, 1, 0]


def test_ends_that_are_none():
    """Interrupted, failed with its reason, and over without a word of an answer."""
    for status, error, how in (
        ("interrupted", None, "interrupted"),
        ("failed", {"message": "quota"}, "error"),
        ("completed", None, "error"),
    ):
        ended = of(wire.decode(wire.turn("turn/completed", status, error=error)), RequestEnded)
        assert [(one.how, one.text) for one in ended] == [(how, "quota" if error else "")]


def test_other_threads_are_not_this_one():
    """What the server says of another thread is no part of the run; unknown messages are counted."""
    decoder = CodexDecoder()
    other = wire.noted(
        "agent->client",
        {"method": "item/agentMessage/delta", "params": {"threadId": "x", "itemId": "m", "delta": "no"}},
    )
    events = wire.decode(
        wire.started(), other, wire.told("brand/new"), wire.item("newItem", "n1"), b'{"t": 1, "dir": "agent->client", "msg": "panic"}',
        decoder=decoder,
    )  # fmt: skip
    assert of(events, Said) == []
    assert decoder.unknown_types == {"brand/new": 1, "item newItem": 1}
    assert [one.why for one in of(events, Unreadable)] == ["no message of an app-server"]


def test_the_rollout_is_found_only_where_codex_keeps_it(tmp_path):
    """The wire names the rollout of its thread; one that lies elsewhere, or is another thread's, is not opened."""
    log = tmp_path / "output"
    folder = home() / "sessions/2026/11/30"
    folder.mkdir(parents=True)
    name = f"rollout-2026-11-30T07-44-27-{wire.THREAD}.jsonl"
    (folder / name).write_text("{}\n")
    (tmp_path / name).write_text("{}\n")
    other = folder / name.replace("01a22b69", "01a22b70")
    other.write_text("{}\n")
    link = folder / name.replace("T07", "T08")
    link.symlink_to(tmp_path / name)
    for path, count in ((folder / name, 2), (tmp_path / name, 1), (other, 1), (link, 1), (folder / "gone.jsonl", 1)):
        log.write_text(json.dumps(wire.started(path=str(path))) + "\n")
        assert [one.role for one in Served(log, "output").inputs()] == ["beside", ROLLOUT][:count]


def test_a_log_of_a_wire_is_recognised(tmp_path):
    """As a file, whatever wraps the messages; another protocol's wire is not taken for it."""
    log = tmp_path / "log.jsonl"
    begun = {"id": 1, "method": "initialize", "params": {"clientInfo": {"name": "x"}}}
    log.write_text("".join(json.dumps(one) + "\n" for one in ({"t": 0.1, "dir": "out", "msg": begun}, wire.started())))
    found = FINDER.open(log)
    assert [one.role for one in found.inputs()] == ["wire"]
    log.write_text(
        json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": 1}}) + "\n"
    )
    assert FINDER.open(log) is None


@pytest.mark.parametrize(
    ("name", "state", "requests", "calls"),
    [
        ("appserver_stdio", "claimed", 4, 7), ("appserver_deny", "claimed", 1, 1), ("appserver_unix_owner", "claimed", 4, 9),
        ("daemon_monitor_of_tui", "aborted", 1, 3), ("daemon_monitor_approval", "claimed", 0, 0),
    ],
)  # fmt: skip
def test_recordings_of_wires(shared, name, state, requests, calls):
    """What is said of a recording is what happened in it; every message is known."""
    path = shared / "captures" / "codex" / f"{name}.log.jsonl"
    supervisor = Supervisor(FINDER.open(path), live=False)
    supervisor.read_all()
    supervisor.close()
    report = build(supervisor.snapshot, supervisor.accounts())
    row = report["runs"][0]
    assert (report["verdict"]["state"], row["requests"], row["calls"]) == (state, requests, calls)
    assert report["inputs"][0]["unknown_types"] == {}
    assert report["inputs"][0]["unreadable"] == 0

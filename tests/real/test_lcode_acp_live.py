"""The real lcode behind the Agent Client Protocol, driven over stdio by a small client that logs the wire."""

from __future__ import annotations

import threading
from typing import Any

from installed import needs
from lcode_agent import FILE, READ, WRONG, Editor, Lcode, Lines, edit
from model import ScriptedModel, Turn

from monitor.agents.acp.find import FINDER
from monitor.events import (
    Prompted,
    RequestEnded,
    RunEnded,
    RunStarted,
    Said,
    Thought,
    ToolCalled,
    ToolReturned,
    Unreadable,
    Waiting,
)

pytestmark = needs("lcode")


def is_thought(message: dict[str, Any]) -> bool:
    return message.get("params", {}).get("update", {}).get("sessionUpdate") == "agent_thought_chunk"


def is_question(message: dict[str, Any]) -> bool:
    return message.get("method") == "session/request_permission"


def test_the_wire_shows_thoughts_and_denials_live(tmp_path):
    """Thinking is decoded while the model thinks, and a person's denial is told from a failure."""
    held = threading.Event()
    shell = ("bash", {"command": "touch z"})
    turns = [
        Turn(calls=(READ,)),
        Turn(calls=(WRONG,)),
        Turn(thinking=("Perhaps ", "the shell."), calls=(shell,), until=held),
        Turn("I was told not to."),
    ]
    log = tmp_path / "wire.jsonl"
    with ScriptedModel(turns) as model, Lcode(tmp_path, model, mode="ask") as lcode:
        editor = Editor(lcode.begin("acp"), log)
        lines = editor.lines
        number = editor.prompt(editor.open(lcode.repo), "Rename the app")
        editor.until(is_thought)
        editor.until(is_thought)
        assert "".join(one.text for one in lines.of(Thought)) == "Perhaps the shell."
        assert [(one.outcome, one.failure) for one in lines.of(ToolReturned)] == [("ok", ""), ("failed", "not_found")]
        held.set()
        question = editor.until(is_question)
        assert [one.about for one in lines.of(Waiting)] == ["touch z"]
        chosen = {"outcome": {"outcome": "selected", "optionId": "reject"}}
        editor.send({"jsonrpc": "2.0", "id": question["id"], "result": chosen})
        assert editor.answer(number)["result"]["stopReason"] == "end_turn"
        editor.close()

    assert [(one.agent, one.cwd) for one in lines.of(RunStarted)][:2] == [("lcode", ""), ("", str(lcode.repo))]
    assert [one.text for one in lines.of(Prompted)] == ["Rename the app"]
    assert [(one.tool, one.kind) for one in lines.of(ToolCalled)] == [
        ("read_file", "read"), ("edit_file", "write"), ("bash", "shell"),
    ]  # fmt: skip
    failed, denied = lines.of(ToolReturned)[1:]
    assert failed.files[0].file == str(lcode.repo / FILE)
    assert (denied.outcome, denied.exit) == ("denied", None)
    assert [one.over for one in lines.of(Waiting)] == [False, True]
    assert "".join(one.text for one in lines.of(Said)) == "I was told not to."
    assert [(one.how, one.text) for one in lines.of(RequestEnded)] == [("answered", "I was told not to.")]
    assert lines.of(Unreadable, RunEnded) == []
    assert lines.decoder.unknown_types == {}
    assert not (lcode.repo / "z").exists()
    assert again(log).events == lines.events


def again(log) -> Lines:
    """The log, read once more from its file."""
    found = FINDER.open(log)
    assert found is not None
    lines = Lines(found)
    for data in log.read_bytes().splitlines(keepends=True):
        lines.take(data)
    return lines


def test_a_cancelled_prompt_and_the_next_one(tmp_path):
    """A call that was cut off is cancelled, the request interrupted; the next request may use its id again."""
    turns = [Turn(calls=(("bash", {"command": "sleep 20"}),)), Turn(calls=(edit("Hello", "Hi"),)), Turn("Done.")]
    with ScriptedModel(turns) as model, Lcode(tmp_path, model) as lcode:
        editor = Editor(lcode.begin("acp"), tmp_path / "wire.jsonl")
        session = editor.open(lcode.repo)
        number = editor.prompt(session, "wait")
        editor.until(lambda message: message.get("params", {}).get("update", {}).get("status") == "in_progress")
        editor.send({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": session}})
        assert editor.answer(number)["result"]["stopReason"] == "cancelled"
        editor.answer(editor.prompt(session, "edit"))
        editor.close()
    lines = editor.lines
    first, second = lines.of(ToolCalled)
    assert first.call != second.call
    assert [(one.call, one.outcome) for one in lines.of(ToolReturned)] == [
        (first.call, "cancelled"), (second.call, "failed"),
    ]  # fmt: skip
    assert [one.how for one in lines.of(RequestEnded)] == ["interrupted", "answered"]


def test_its_stop_reasons_are_seen_through(tmp_path):
    """Stopped for going in circles, it answers with the protocol's word for a limit of steps; that reads as a loop."""
    round_and_round = tuple(f"Let me look at the download page once more.{end}" for end in (" ", "\n") * 12)
    with ScriptedModel([Turn("never said", round_and_round)]) as model, Lcode(tmp_path, model) as lcode:
        editor = Editor(lcode.begin("acp"), tmp_path / "wire.jsonl")
        number = editor.prompt(editor.open(lcode.repo), "go")
        assert editor.answer(number)["result"]["stopReason"] == "max_turn_requests"
        editor.close()
    assert [one.status for one in editor.lines.of(RunEnded)] == ["loop"]
    assert editor.lines.of(RequestEnded) == []

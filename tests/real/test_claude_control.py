"""The operator's hand on the real Claude Code: what it says it did is proved by what the model receives next."""

from __future__ import annotations

import json
import threading

import pytest
from claude_launched import LEAVES, WAITS, WORDS, asked, bare, busy, working
from installed import needs
from turns import Turn
from waiting import until

from monitor.actions import Action
from monitor.processes.family import Family

pytestmark = [
    needs("Claude Code"),
    pytest.mark.xdist_group("claude"),
]


@pytest.fixture
def repo(tmp_path, monkeypatch):
    """A folder to work in."""
    return bare(tmp_path, monkeypatch)


def test_feedback_while_the_model_streams(repo, monkeypatch):
    """Sent while the model thinks, it stands in the next request, and is seen only then."""
    held = threading.Event()
    turns = [
        Turn(thinking=("I think.",), calls=(("Bash", {"command": "echo hi", "description": "say"}),), until=held),
        Turn("Done."),
    ]
    with working(repo, monkeypatch, turns, "--allowedTools", "Bash") as (watch, model, _):
        watch.reads("thinking_delta")
        assert watch.channel.can("feedback") == ""
        watch.channel.send(Action("1", "feedback", WORDS))
        watch.until(lambda: watch.evidence("1") == "queued by Claude Code")
        assert "seen" not in watch.steps("1")
        held.set()
        watch.until(lambda: "seen" in watch.steps("1"))
        watch.until(lambda: len(asked(model)) == 2)
        assert WORDS not in asked(model)[0]
        assert WORDS in asked(model)[1]
        watch.until(lambda: watch.steps("1")[-1] == "done")
        assert watch.steps("1") == ["queued", "delivered", "seen", "done"]


def test_a_warning_while_a_tool_runs(repo, monkeypatch):
    """Sent while a call runs, it reaches the model beside that call's result, in the monitor's voice."""
    with working(repo, monkeypatch, [Turn(calls=(WAITS,)), Turn("Done.")], "--allowedTools", "Bash") as (
        watch,
        model,
        _,
    ):
        busy(watch, 1)
        watch.channel.send(Action("1", "warn", WORDS))
        watch.until(lambda: watch.evidence("1") == "queued by Claude Code")
        (repo / "go").touch()
        watch.until(lambda: len(asked(model)) == 2)
        watch.until(lambda: "seen" in watch.steps("1"))
        last = json.dumps(model.requests[-1]["messages"])
        assert "went" in last
        assert "Notice from monitor" in last
        assert WORDS in last


def test_feedback_between_turns(repo, monkeypatch):
    """Sent when the request is over, it begins the next one."""
    with working(repo, monkeypatch, [Turn("Done."), Turn("Done again.")]) as (watch, model, _):
        watch.reads('"type":"result"')
        assert watch.channel.how("feedback") == "as its next prompt: no request is running"
        watch.channel.send(Action("1", "feedback", WORDS))
        watch.until(lambda: watch.steps("1")[-1:] == ["done"])
        assert WORDS in asked(model)[1]
        watch.reads("Done again.")


def test_feedback_now_cuts_the_turn_off(repo, monkeypatch):
    """Sent as urgent while a call runs, it ends that turn and begins the next."""
    turns = [Turn(calls=(WAITS,)), Turn("Done.")]
    with working(repo, monkeypatch, turns, "--allowedTools", "Bash") as (watch, model, _):
        busy(watch, 1)
        assert watch.channel.how("feedback", "now").startswith("cuts the turn off")
        assert watch.channel.how("feedback").startswith("into the running request")
        watch.channel.send(Action("1", "feedback", WORDS, when="now"))
        watch.until(lambda: "delivered" in watch.steps("1"))
        (repo / "go").touch()
        watch.until(lambda: watch.steps("1")[-1:] == ["done"])
        assert WORDS in asked(model)[-1]
        watch.reads('"terminal_reason":"aborted_tools"')


@pytest.mark.parametrize("moment", ["streaming", "in a tool", "between turns"])
def test_abort(repo, monkeypatch, moment):
    """Aborted at any moment, the run ends by its protocol, no process of it is left, and the model is asked no more."""
    turns = {
        "streaming": [Turn(thinking=("I think.",), calls=(WAITS,), until=threading.Event())],
        "in a tool": [Turn(calls=(LEAVES,))],
        "between turns": [Turn("Done.")],
    }[moment]
    with working(repo, monkeypatch, turns, "--allowedTools", "Bash") as (watch, model, _):
        watch.reads(
            {"streaming": "thinking_delta", "in a tool": "tool_use", "between turns": '"type":"result"'}[moment]
        )
        family = busy(watch, 2) if moment == "in a tool" else Family(watch.found.identity(), watch.found.mark)
        pids = [one.identity.pid for one in family.look() if one.identity.command != "sleep 0.05"]
        plan = watch.channel.plan()
        assert plan is not None
        assert {row.pid for row in plan.processes} >= set(pids)
        assert plan.processes[0].pid == family.root.pid
        assert plan.steps[0].force == "ask"
        requests = len(model.requests)
        watch.channel.send(Action("1", "abort"))
        watch.until(lambda: watch.steps("1")[-1:] == ["done"])
        assert watch.evidence("1").startswith("asked to interrupt")
        assert "SIGINT" not in watch.evidence("1")
        assert family.look() == ()
        until(lambda: watch.found.ended() is not None)
        assert len(model.requests) == requests
        if moment != "between turns":
            watch.reads('"terminal_reason":"aborted_')


def test_what_an_abort_finds_queued_is_taken_back(repo, monkeypatch):
    """A message still queued when the run is aborted begins no further turn: it is taken back, and told as failed."""
    with working(repo, monkeypatch, [Turn(calls=(WAITS,))], "--allowedTools", "Bash") as (watch, model, _):
        busy(watch, 1)
        watch.channel.send(Action("1", "feedback", WORDS, when="later"))
        watch.channel.send(Action("2", "feedback", WORDS))
        watch.until(lambda: watch.evidence("1") == watch.evidence("2") == "queued by Claude Code")
        watch.channel.send(Action("3", "abort"))
        watch.until(lambda: watch.steps("3")[-1:] == ["done"])
        assert watch.steps("1")[-1] == watch.steps("2")[-1] == "failed"
        assert "taken back before the model saw it" in watch.evidence("1")
        assert not any(WORDS in one for one in asked(model))

"""The operator's hand on the real lcode: over its protocol when monitor started it, by signals else."""

from __future__ import annotations

import json
import os
import re
import shlex
import threading
from contextlib import contextmanager

import pytest
from installed import invocation, needs
from kept_runs import kept, receipts, watched
from lcode_agent import Lcode
from model import ScriptedModel
from turns import Turn
from waiting import until

from monitor.actions import Action
from monitor.agents.lcode.find import FINDER
from monitor.launch.command import prepare
from monitor.processes.family import Family
from monitor.processes.identity import identify
from monitor.reaching import channel_of

pytestmark = needs("lcode")

WORDS = "Only rename the title; leave the rest."
_STARTS = 60.0
"""Seconds in which the program has started and is at work, on a busy machine too."""
WAITS = ("bash", {"command": "until [ -e go ]; do sleep 0.05; done; echo went"})


@contextmanager
def working(folder, monkeypatch, turns, *, mode="yolo", task="Rename the app", command=("acp",)):
    """The real program at work on a script: its watch, its family, the model, and where it works."""
    with ScriptedModel(turns) as model, Lcode(folder, model, mode=mode) as lcode:
        for name in list(os.environ):
            if name not in ("PATH", "HOME"):
                monkeypatch.delenv(name)
        monkeypatch.setenv("HOME", str(lcode.home))
        prepared = prepare([*invocation("lcode"), *command], task=task)
        with kept(prepared, lcode.repo) as found, watched(found, channel_of(found)) as watch:
            root = found.identity()
            assert root is not None
            yield watch, Family(root, found.mark), model, lcode.repo


def said(model):
    """The conversations that were sent to the model, as text."""
    return [json.dumps(one["messages"]) for one in model.requests if "messages" in one]


def shells(family):
    return [one for one in family.look() if "until [" in one.identity.command]


def test_feedback_while_the_model_streams(tmp_path, monkeypatch):
    """Sent while the model thinks, the request is cancelled first; then the words are the next prompt, and are seen."""
    held = threading.Event()
    with working(tmp_path, monkeypatch, [Turn("Done.", ("I think.",), until=held)]) as (watch, _, model, __):
        watch.reads("agent_thought_chunk")
        assert watch.channel.how("feedback").startswith("cancels the running request")
        watch.channel.send(Action("1", "feedback", WORDS))
        watch.until(lambda: sum(b'"session/prompt"' in one.data for one in watch.records) == 2)
        answers = [one.data for one in watch.records if b'"stopReason"' in one.data or b'"error"' in one.data]
        assert len(answers) == 1, "the second prompt went out before the first was over"
        held.set()
        watch.until(lambda: watch.steps("1")[-1:] == ["done"])
        assert watch.steps("1") == ["queued", "delivered", "seen", "done"]
        assert WORDS in said(model)[-1]
        assert WORDS not in said(model)[0]


def test_feedback_while_a_tool_runs(tmp_path, monkeypatch):
    """Sent while a command runs, the command is cut off, and the model is asked with the words."""
    with working(tmp_path, monkeypatch, [Turn(calls=(WAITS,)), Turn("Done.")]) as (watch, family, model, _):
        watch.until(lambda: shells(family))
        watch.channel.send(Action("1", "warn", WORDS))
        watch.until(lambda: watch.steps("1")[-1:] == ["done"])
        assert not shells(family)
        assert WORDS in said(model)[-1]
        assert "Notice from monitor" in said(model)[-1]


def test_feedback_between_turns(tmp_path, monkeypatch):
    """Sent when the request is over, it is the next prompt; one for later waits for the end of what runs."""
    held = threading.Event()
    with working(tmp_path, monkeypatch, [Turn("Done."), Turn("Again.", until=held), Turn("Last.")]) as (
        watch,
        _,
        model,
        __,
    ):
        watch.reads("end_turn")
        assert watch.channel.how("feedback") == "as the next prompt"
        watch.channel.send(Action("1", "feedback", WORDS))
        watch.until(lambda: "delivered" in watch.steps("1"))
        assert watch.channel.how("feedback", "later") == "as the next prompt, when the running request is over"
        assert watch.channel.how("feedback", "now") == watch.channel.how("feedback")
        watch.channel.send(Action("2", "feedback", "And then this.", when="later"))
        watch.until(lambda: len(said(model)) == 2)
        assert watch.steps("2") == ["queued"]
        held.set()
        watch.until(lambda: watch.steps("2")[-1:] == ["done"])
        assert watch.steps("1")[-1] == "done"
        assert "cancelled" not in b"".join(one.data for one in watch.records).decode()
        assert "And then this." in said(model)[-1]


@pytest.mark.parametrize("moment", ["streaming", "in a tool", "between turns"])
def test_abort(tmp_path, monkeypatch, moment):
    """Aborted at any moment, the run ends by its protocol, no process of it is left, and the model is asked no more."""
    turns = {
        "streaming": [Turn(thinking=("I think.",), until=threading.Event())],
        "in a tool": [Turn(calls=(WAITS,))],
        "between turns": [Turn("Done.")],
    }[moment]
    with working(tmp_path, monkeypatch, turns) as (watch, family, model, _):
        if moment == "in a tool":
            watch.until(lambda: shells(family))
        else:
            watch.reads({"streaming": "agent_thought_chunk", "between turns": "end_turn"}[moment])
        asked = len(said(model))
        if moment != "between turns":
            watch.channel.send(Action("q", "feedback", WORDS, when="later"))
        watch.channel.send(Action("1", "abort"))
        watch.until(lambda: watch.steps("1")[-1:] == ["done"])
        assert "SIGINT" not in watch.evidence("1")
        assert family.look() == ()
        assert len(said(model)) == asked
        assert re.search(r" --resume \d{8}-\d{6}-[0-9a-f]{6}$", watch.channel.offer(WORDS))
        if moment != "between turns":
            assert watch.steps("q")[-1] == "failed"
            assert "dropped before it was sent" in watch.evidence("q")


def test_permissions(tmp_path, monkeypatch):
    """A denied command is not run; an allowed one is."""
    turns = [Turn(calls=(("bash", {"command": f"touch {name}"}),)) for name in ("one", "two")] + [Turn("Done.")]
    with working(tmp_path, monkeypatch, turns, mode="ask") as (watch, _, __, repo):
        watch.until(lambda: watch.channel.can("deny") == "")
        watch.channel.send(Action("1", "deny", "not this"))
        watch.until(lambda: watch.steps("1")[-1:] == ["done"])
        assert "carries no words" in watch.evidence("1")
        watch.until(lambda: watch.channel.can("allow") == "")
        watch.channel.send(Action("2", "allow"))
        watch.reads("end_turn")
        assert (repo / "two").exists()
        assert not (repo / "one").exists()


def test_a_second_monitor_goes_on_with_the_session(tmp_path, monkeypatch):
    """A monitor that comes later hears the session from its log, and asks in it without opening another."""
    with working(tmp_path, monkeypatch, [Turn("Done."), Turn("Again.")]) as (watch, _, model, __):
        watch.reads("end_turn")
        watch.close()
        with watched(watch.found, channel_of(watch.found)) as later:
            later.channel.send(Action("1", "feedback", WORDS))
            later.until(lambda: later.steps("1")[-1:] == ["done"])
            assert sum(b'"session/new"' in one.data for one in later.records) == 1
            assert WORDS in said(model)[-1]


@pytest.mark.parametrize("moment", ["streaming", "in a tool"])
def test_one_request_on_the_command_line(tmp_path, monkeypatch, moment):
    """Started for one request, its events are read, and SIGINT ends it with what it runs."""
    turns = [Turn(thinking=("I think.",), until=threading.Event()) if moment == "streaming" else Turn(calls=(WAITS,))]
    command = ("-p", "Rename the app", "--no-mcp")
    with working(tmp_path, monkeypatch, turns, task="", command=command) as (watch, family, model, _):
        watch.reads('"start"')
        until(turns[0].asked.is_set)
        watch.until(lambda: moment == "streaming" or shells(family))
        assert watch.channel.can("feedback")
        watch.channel.send(Action("1", "abort"))
        watch.until(lambda: watch.steps("1")[-1:] == ["done"])
        watch.reads("interrupted")
        assert family.look() == ()
        assert (watch.found.ended() or {}).get("code", 130) == 130
        assert re.search(r" --resume \d{8}-\d{6}-[0-9a-f]{6}$", watch.channel.offer(WORDS))
        assert len(said(model)) == 1


@pytest.mark.parametrize("moment", ["streaming", "in a tool"])
def test_one_that_was_started_by_somebody_else(tmp_path, monkeypatch, moment):
    """A saved session is found with its process: SIGINT ends it and its shells, and the resume reaches the model."""
    # How long a program takes to begin its session is a matter of the machine, and no part of this.
    monkeypatch.setattr("monitor.agents.lcode.process.WINDOW", _STARTS)
    held = threading.Event()
    last = Turn(thinking=("I think.",), until=held) if moment == "streaming" else Turn(calls=(WAITS,))
    turns = [Turn(calls=(("bash", {"command": "echo first"}),)), last, Turn("Done.")]
    with ScriptedModel(turns) as model, Lcode(tmp_path, model) as lcode:
        process = lcode.begin("-p", "Rename the app", "-r", str(lcode.repo), "--no-mcp")
        sessions = lcode.home / ".local/state/lcode/sessions"
        until(lambda: list(sessions.glob("*.json")) and last.asked.is_set(), "its session", patience=_STARTS)
        found = FINDER.open(next(sessions.glob("*.json")))
        channel = channel_of(found)
        family = Family(identify(process.pid))
        until(lambda: moment == "streaming" or shells(family))
        plan = until(lambda: channel.receipts() or channel.plan(), "its process")
        assert plan.processes[0].pid == process.pid
        channel.send(Action("1", "abort"))
        told = receipts(channel, "1", ("done", "failed"))
        assert told[-1].receipt == "done"
        assert f"SIGINT sent to {process.pid}" in told[-1].evidence
        assert family.look() == ()
        process.wait(30)
        asked = len(said(model))
        held.set()
        assert channel.can("abort") == "its process is gone"
        words = shlex.split(channel.offer(WORDS))
        assert words[0] == "lcode"
        resumed = lcode.begin(*words[1:], "-r", str(lcode.repo), "--no-mcp")
        assert resumed.wait(_STARTS) == 0
        assert len(said(model)) > asked
        assert f"Nothing of it is applied yet:\\n{WORDS}" in said(model)[-1]
        assert "echo first" in said(model)[-1], "the conversation goes on"
        channel.close()


def test_a_later_monitor_finds_the_fate_of_a_message(tmp_path, monkeypatch):
    """What an earlier monitor sent as a prompt is known to a later one, which sees the request end."""
    held = threading.Event()
    with working(tmp_path, monkeypatch, [Turn("Done."), Turn("Again.", until=held)]) as (watch, _, model, __):
        watch.reads("end_turn")
        watch.channel.send(Action("1", "feedback", WORDS))
        watch.until(lambda: len(said(model)) == 2)
        watch.close()
        with watched(watch.found, channel_of(watch.found)) as later:
            later.until(lambda: "delivered" in later.steps("1"))
            held.set()
            later.until(lambda: later.steps("1")[-1:] == ["done"])
            assert later.evidence("1") == "the request it began has ended: end_turn"

"""The operator's hand on the real Claude Code: what it says it did is proved by what the model receives next."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest
from install import cache, claude
from kept_runs import kept, receipts, until, watched
from model import ScriptedModel
from turns import Turn

from monitor.actions import Action
from monitor.agents.claude.find import FINDER
from monitor.commands.run import start
from monitor.launching import prepare
from monitor.processes.family import Family
from monitor.processes.identity import identify
from monitor.reaching import channel_of

CLAUDE = claude(cache())
pytestmark = [
    pytest.mark.skipif(CLAUDE is None, reason="Claude Code is not installed: run tests/real/install.py"),
    pytest.mark.xdist_group("claude"),
]
WORDS = "The second write failed: read the file again."
WAITS = ("Bash", {"command": "until [ -e go ]; do sleep 0.05; done; echo went", "description": "wait"})
DETACHED = "setsid sleep 300 >/dev/null 2>&1 & until [ -e go ]; do sleep 0.05; done"
LEAVES = ("Bash", {"command": DETACHED, "description": "wait"})
WRITES = ("Write", {"file_path": "{repo}/new.txt", "content": "x\n"})


@pytest.fixture
def repo(tmp_path, monkeypatch):
    """A folder to work in; nothing of this machine's environment reaches the agent but the path."""
    for name in list(os.environ):
        if name not in ("PATH", "HOME"):
            monkeypatch.delenv(name)
    own = {
        "ANTHROPIC_API_KEY": "made-up", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1",
        "DISABLE_TELEMETRY": "1", "TERM": "xterm-256color",
    }  # fmt: skip
    for name, value in own.items():
        monkeypatch.setenv(name, value)
    folder = tmp_path / "repo"
    folder.mkdir()
    return folder


@contextmanager
def working(repo, monkeypatch, turns, *options):
    """The real program at work on a script; its watch and the model."""
    turns = [
        Turn(**{**{name: getattr(one, name) for name in one.__slots__}, "calls": placed(one, repo)}) for one in turns
    ]
    with ScriptedModel(turns) as model:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", model.url)
        prepared = prepare([str(CLAUDE), "-p", "Rename the app", "--permission-mode", "default", *options], "claude")
        with kept(prepared, repo) as found, watched(found, channel_of(found)) as watch:
            yield watch, model, turns


def placed(turn, repo):
    """Its calls with the folder filled in."""
    return tuple((name, json.loads(json.dumps(given).replace("{repo}", str(repo)))) for name, given in turn.calls)


def asked(model):
    """The conversations that were sent to the model, as text."""
    return [json.dumps(one["messages"]) for one in model.requests if one.get("tools")]


def busy(watch, commands):
    """Wait until a call runs, with so many processes."""
    root = watch.found.identity()
    assert root is not None
    family = Family(root, watch.found.mark)
    watch.until(
        lambda: (
            sum("until [" in one.identity.command or one.identity.command == "sleep 300" for one in family.look())
            >= commands
        )
    )
    return family


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
        watch.until(lambda: watch.steps("1")[-1:] == ["delivered"])
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


def test_a_denial_with_words(repo, monkeypatch):
    """A call that waits for approval is denied: it is not made, and the model is told in the operator's words."""
    with working(repo, monkeypatch, [Turn(calls=(WRITES,)), Turn("I could not.")]) as (watch, model, _):
        assert watch.channel.can("deny") == "nothing waits for approval"
        watch.until(lambda: watch.channel.can("deny") == "")
        watch.channel.send(Action("1", "deny", "Not this file."))
        watch.until(lambda: watch.steps("1")[-1:] == ["done"])
        watch.until(lambda: len(asked(model)) == 2)
        assert "Not this file." in asked(model)[1]
        assert not (repo / "new.txt").exists()
        assert watch.channel.can("deny") == "nothing waits for approval"


def test_an_approval(repo, monkeypatch):
    """A call that waits for approval is allowed, and made."""
    with working(repo, monkeypatch, [Turn(calls=(WRITES,)), Turn("Done.")]) as (watch, _, __):
        watch.until(lambda: watch.channel.can("allow") == "")
        watch.channel.send(Action("1", "allow"))
        watch.until(lambda: watch.steps("1")[-1:] == ["done"])
        assert (repo / "new.txt").read_text() == "x\n"


def test_pause_and_continue(repo, monkeypatch):
    """Paused, the agent and its shells stand still; continued, the run goes on to its end."""
    with working(repo, monkeypatch, [Turn(calls=(WAITS,)), Turn("Done.")], "--allowedTools", "Bash") as (
        watch,
        model,
        _,
    ):
        family = busy(watch, 1)
        watch.channel.send(Action("1", "pause"))
        watch.until(lambda: watch.steps("1")[-1:] == ["done"])
        assert {one.state for one in family.look()} == {"T"}
        (repo / "go").touch()
        assert len(asked(model)) == 1
        assert watch.channel.can("pause") == "it is paused already"
        watch.channel.send(Action("2", "continue"))
        watch.until(lambda: len(asked(model)) == 2)


def test_it_dies_while_a_message_is_queued(repo, monkeypatch):
    """Killed with a message queued, it never took it up: the receipt says so."""
    with working(repo, monkeypatch, [Turn(calls=(WAITS,))], "--allowedTools", "Bash") as (watch, _, __):
        family = busy(watch, 1)
        watch.channel.send(Action("1", "feedback", WORDS))
        watch.until(lambda: watch.evidence("1") == "queued by Claude Code")
        os.kill(family.root.pid, signal.SIGKILL)
        watch.until(lambda: watch.steps("1")[-1:] == ["failed"])
        assert watch.evidence("1") == "Claude Code ended before it took the message up"
        assert watch.channel.can("feedback").startswith("Claude Code has ended")
        assert watch.channel.offer("Go on.").startswith(f"cd {repo} && claude --resume ")


def test_a_later_monitor_finds_the_fate_of_what_was_queued(repo, monkeypatch):
    """What the agent had queued when its monitor went is taken up, and a later monitor sees it done."""
    with working(repo, monkeypatch, [Turn(calls=(WAITS,)), Turn("Done.")], "--allowedTools", "Bash") as (
        watch,
        model,
        _,
    ):
        busy(watch, 1)
        watch.channel.send(Action("1", "feedback", WORDS))
        watch.until(lambda: watch.evidence("1") == "queued by Claude Code")
        watch.close()
        (repo / "go").touch()
        with watched(watch.found, channel_of(watch.found)) as later:
            later.until(lambda: later.steps("1")[-1:] == ["done"])
            assert later.steps("1") == ["queued", "delivered", "seen", "done"]
            assert WORDS in asked(model)[-1]


def test_monitor_run_without_a_screen(repo, monkeypatch, capfd):
    """`monitor run -- claude …` says what it added, plays the run to its end, prints the report, and ends with it."""
    with ScriptedModel([Turn("Done.")]) as model:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", model.url)
        monkeypatch.chdir(repo)
        code = start(
            [str(CLAUDE), "Rename the app"], agent="", on_exit="go-on", project=None, theme=None, ascii_only=False
        )
    printed = capfd.readouterr()
    assert code == 0
    assert "added to the command, to reach the agent: -p --input-format stream-json" in printed.err
    assert "goes on" not in printed.err
    assert "claude" in printed.out
    assert "Rename the app" in printed.out


def test_one_that_was_started_by_somebody_else(repo, monkeypatch):
    """A session already running is found with its process; SIGINT ends it and its shells, and how to resume is told."""
    with ScriptedModel([Turn(calls=(LEAVES,))]) as model:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", model.url)
        command = [str(CLAUDE), "-p", "Rename the app", "--allowedTools", "Bash", "--output-format", "json"]
        with subprocess.Popen(
            command, cwd=repo, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            try:
                projects = Path.home() / ".claude" / "projects"
                until(lambda: list(projects.glob("*/*.jsonl")))
                found = FINDER.open(next(projects.glob("*/*.jsonl")))
                until(lambda: found.process() is not None and found.process().pid == process.pid)
                family = Family(identify(process.pid))
                until(lambda: any(one.identity.command == "sleep 300" for one in family.look()))
                channel = channel_of(found)
                assert "closes the whole session" in channel.how("abort")
                assert f"claude --resume {found.session}" in channel.offer("Go on.")
                channel.send(Action("1", "abort"))
                told = receipts(channel, "1", ("done", "failed"))
                assert told[-1].receipt == "done"
                assert f"SIGINT sent to {process.pid}" in told[-1].evidence
                assert family.look() == ()
            finally:
                process.kill()

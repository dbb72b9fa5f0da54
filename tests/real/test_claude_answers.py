"""Answers to the real Claude Code, pauses, and what becomes of a run whose monitor or agent is gone."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest
from claude_launched import CLAUDE, LEAVES, WAITS, WORDS, WRITES, asked, bare, busy, working
from installed import needs
from kept_runs import receipts, watched
from model import ScriptedModel
from turns import Turn
from waiting import until

from monitor.actions import Action
from monitor.agents.claude.find import FINDER
from monitor.commands.run import start
from monitor.processes.family import Family
from monitor.processes.identity import identify
from monitor.reaching import channel_of

pytestmark = [
    needs("Claude Code"),
    pytest.mark.xdist_group("claude"),
]


@pytest.fixture
def repo(tmp_path, monkeypatch):
    """A folder to work in."""
    return bare(tmp_path, monkeypatch)


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

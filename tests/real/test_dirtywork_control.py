"""The operator's hand on the real dirtywork: ended, paused, and resumed with words that reach the model."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest
from installed import invocation, needs
from kept_runs import kept, receipts
from model import ScriptedModel
from turns import Turn
from waiting import until

from monitor.actions import Action
from monitor.agents.dirtywork.find import FINDER, RunFolder
from monitor.launch.command import prepare
from monitor.processes.family import Family
from monitor.processes.plan import DEAF
from monitor.reaching import channel_of, followed

pytestmark = needs("dirtywork")

WORDS = "Only rename the title; leave the rest."
WAITS = ("bash", {"command": "until [ -e go ]; do sleep 0.05; done; echo went"})


@pytest.fixture
def repo(tmp_path, monkeypatch):
    """A scratch repository with one file; nothing of this machine's environment reaches the agent but the path."""
    for name in list(os.environ):
        if name not in ("PATH", "HOME"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("OPENAI_API_KEY", "made-up")
    folder = tmp_path / "repo"
    folder.mkdir()
    (folder / "title.txt").write_text("Hello\n")
    git = ["git", "-C", str(folder), "-c", "user.name=x", "-c", "user.email=x@example.invalid"]
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "begin"]):
        subprocess.run([*git, *command], check=True)
    return folder


def command(repo, model):
    return [
        *invocation("dirtywork"), "run", "Rename the app", "--repo", str(repo), "--sandbox", "none",
        "--model", model.name, "--base-url", f"{model.url}/v1",
    ]  # fmt: skip


@contextmanager
def working(repo, turns):
    """The real program at work on a script: the run, its family, its channel, and the model."""
    with ScriptedModel(turns) as model, kept(prepare(command(repo, model)), repo) as launched:
        run = followed(launched)
        assert isinstance(run, RunFolder)
        root = launched.identity()
        assert root is not None
        channel = channel_of(run)
        try:
            yield run, Family(root, launched.mark), channel, model
        finally:
            channel.close()


def status(run):
    return json.loads((run.inputs()[0].path.parent / "run.json").read_text())["status"]


def shells(family):
    return [one for one in family.look() if "until [" in one.identity.command]


def resumed(run, told):
    """The run that a receipt names."""
    return RunFolder(run.inputs()[0].path.parents[1] / told.evidence.rpartition(" ")[2])


def end(run):
    """Abort a run through its own channel, unless it has ended by itself."""
    channel = channel_of(run)
    if not channel.can("abort"):
        channel.send(Action("end", "abort", force="kill"))
        assert receipts(channel, "end", ("done", "failed"))[-1].receipt == "done"
    until(lambda: run.process() is None)


@pytest.mark.parametrize("moment", ["while the model answers", "while a tool runs"])
def test_abort(repo, moment):
    """SIGINT ends the run as interrupted, with its record; no process of it is left, and the model is asked no more."""
    model_waits = moment == "while the model answers"
    turns = [Turn("never said", until=threading.Event()) if model_waits else Turn(calls=(WAITS,))]
    with working(repo, turns) as (run, family, channel, model):
        until(turns[0].asked.is_set)
        until(lambda: model_waits or shells(family))
        assert channel.can("abort") == ""
        asked = len(model.requests)
        channel.send(Action("1", "abort"))
        told = receipts(channel, "1", ("done", "failed"))
        assert told[-1].receipt == "done"
        assert "SIGINT sent to" in told[-1].evidence
        assert family.look() == ()
        assert status(run) == "interrupted"
        assert len(model.requests) == asked


@pytest.mark.parametrize("moment", ["while the model answers", "while a tool runs"])
def test_feedback_ends_the_run_and_resumes_it(repo, moment):
    """Feedback is one action: the run ends, and goes on as a new one whose model is told the words."""
    model_waits = moment == "while the model answers"
    first = Turn("never said", until=threading.Event()) if model_waits else Turn(calls=(WAITS,))
    with working(repo, [first, Turn("Nothing more.")]) as (run, family, channel, model):
        until(first.asked.is_set)
        until(lambda: model_waits or shells(family))
        assert channel.can("warn").startswith("dirtywork takes no words while it runs")
        assert channel.how("feedback").startswith("ends the run by SIGINT, then resumes it")
        assert "resume" in channel.offer(WORDS)
        channel.send(Action("1", "feedback", WORDS))
        told = receipts(channel, "1", ("seen", "failed"))
        assert [one.receipt for one in told if one.receipt != "queued"] == ["delivered", "seen"]
        assert family.look() == ()
        until(lambda: any(WORDS in json.dumps(one) for one in model.requests))
        assert "attach with: monitor " in told[-1].evidence
        assert resumed(run, told[-1]).title != run.title
        assert status(run) == "interrupted"
        end(resumed(run, told[-1]))


def test_an_abort_takes_back_feedback_that_waits(repo):
    """Aborted while feedback waits for its end, the run is not resumed: the feedback is told as taken back."""
    with working(repo, [Turn(calls=(WAITS,)), Turn("Nothing more.")]) as (run, family, channel, model):
        until(lambda: shells(family))
        asked = len(model.requests)
        channel.send(Action("1", "feedback", WORDS))
        channel.send(Action("2", "abort"))
        news = []
        until(lambda: news.extend(channel.receipts()) or any((one.id, one.receipt) == ("2", "done") for one in news))
        assert [one.receipt for one in news if one.id == "1"] == ["queued", "failed"]
        assert next(one.evidence for one in news if one.receipt == "failed").startswith("taken back")
        assert family.look() == ()
        assert status(run) == "interrupted"
        assert len(model.requests) == asked
        assert channel.can("feedback") == ""


def test_feedback_after_the_end_resumes_it(repo):
    """A run that has ended takes feedback as a resume; a second one meanwhile is refused."""
    with working(repo, [Turn("Done."), Turn("Done.")]) as (run, family, channel, model):
        until(lambda: not family.look() and channel.receipts() == [] and status(run) != "running")
        until(lambda: (channel.receipts(), "SIGINT" not in channel.how("feedback"))[1])
        channel.send(Action("1", "feedback", WORDS))
        assert channel.can("feedback") == "the run is being resumed with feedback already"
        told = receipts(channel, "1", ("seen", "failed"))
        assert told[-1].receipt == "seen"
        until(lambda: any(WORDS in json.dumps(one) for one in model.requests))
        end(resumed(run, told[-1]))


def test_a_resume_that_fails_is_told(repo):
    """When the resuming command refuses, the receipt says why in its own words."""
    with working(repo, [Turn("Done."), Turn("Done.")]) as (run, family, channel, _):
        until(lambda: not family.look() and status(run) != "running")
        worktree = json.loads((run.inputs()[0].path.parent / "run.json").read_text())["worktree"]
        subprocess.run(["rm", "-rf", worktree], check=True)
        channel.receipts()
        channel.send(Action("1", "feedback", WORDS))
        told = receipts(channel, "1", ("seen", "failed"))
        assert told[-1].receipt == "failed"
        assert told[-1].evidence.startswith("the run was not resumed: ")


def test_pause(repo):
    """Paused, the run and its shell stand still, though the shell leads its own group; continued, both go on."""
    with working(repo, [Turn(calls=(WAITS,)), Turn("Done.")]) as (_, family, channel, model):
        until(lambda: shells(family))
        channel.send(Action("1", "pause"))
        assert receipts(channel, "1", ("done", "failed"))[-1].receipt == "done"
        assert {one.state for one in family.look()} == {"T"}
        assert len({one.group for one in family.look()}) > 1
        channel.send(Action("2", "continue"))
        assert receipts(channel, "2", ("done", "failed"))[-1].receipt == "done"
        until(lambda: "T" not in {one.state for one in family.look()})
        assert len(model.requests) == 1


def test_one_started_by_a_script_in_the_background(repo):
    """Started with `&` by a script it ignores SIGINT: this is seen before, and SIGTERM is sent only when asked for."""
    with ScriptedModel([Turn("never said", until=threading.Event())]) as model:
        words = f"{shlex.join(command(repo, model))} >/dev/null 2>&1 & wait"
        shell = subprocess.Popen(["sh", "-c", words], start_new_session=True)
        runs = Path.home() / ".dirtywork" / "runs"
        try:
            until(lambda: runs.is_dir() and (run := FINDER.open(runs)) and run.process())
            channel = channel_of(FINDER.open(runs))
            assert channel.plan().steps[0].skipped == DEAF
            channel.send(Action("1", "abort"))
            told = channel.receipts()
            assert DEAF in told[-1].evidence
            assert "SIGTERM only when it is asked for" in told[-1].evidence
            channel.send(Action("2", "abort", force="terminate"))
            assert receipts(channel, "2", ("done", "failed"))[-1].receipt == "done"
        finally:
            if FINDER.open(runs) is not None:
                end(FINDER.open(runs))
            shell.kill()
            shell.wait()

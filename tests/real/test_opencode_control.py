"""The operator's hand on the real OpenCode: what it says it did is proved by what the model receives next."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest
from installed import needs
from model import ScriptedModel
from opencode_launched import (
    OPENCODE,
    WAITS,
    WORDS,
    asked,
    bare,
    configured,
    serving,
    wait_for,
    working,
)
from turns import Turn

from monitor.actions import Action
from monitor.agents.opencode.process import running
from monitor.agents.opencode.server import Server
from monitor.agents.opencode.words import STANDS, UNANSWERED
from monitor.processes.family import Family
from monitor.reaching import channel_of
from monitor.supervisor import Supervisor
from monitor.targets import find

pytestmark = [
    needs("OpenCode"),
    pytest.mark.xdist_group("opencode"),
    pytest.mark.timeout(400),
]
STREAMING = '"message.part.delta"'
RUNNING = '"status":"running"'


@pytest.fixture
def repo(tmp_path, monkeypatch):
    """A folder to work in."""
    return bare(tmp_path, monkeypatch)


def test_feedback_while_the_model_streams(repo, monkeypatch):
    """Sent while the model thinks, it stands in the next request, and is seen only then."""
    held = threading.Event()
    turns = [
        Turn(thinking=("I think.",), calls=(("bash", {"command": "echo hi", "description": "say"}),), until=held),
        Turn("Done."),
    ]
    with working(repo, monkeypatch, turns) as (watch, model):
        watch.reads(STREAMING)
        assert watch.channel.how("feedback") == "into the running request, at its next step"
        watch.channel.send(Action("1", "feedback", WORDS))
        watch.until(lambda: watch.evidence("1") == STANDS)
        assert "seen" not in watch.steps("1")
        held.set()
        watch.until(lambda: "seen" in watch.steps("1"))
        watch.until(lambda: len(asked(model)) == 2)
        assert WORDS not in asked(model)[0]
        assert WORDS in asked(model)[1]
        watch.until(lambda: watch.steps("1")[-1] == "done")
        assert watch.steps("1") == ["queued", "delivered", "seen", "done"]


def test_a_warning_while_a_tool_runs(repo, monkeypatch):
    """Sent while a call runs, it reaches the model behind that call's result, in the monitor's voice."""
    with working(repo, monkeypatch, [Turn(calls=(WAITS,)), Turn("Done.")]) as (watch, model):
        watch.reads(RUNNING)
        watch.channel.send(Action("1", "warn", WORDS))
        watch.until(lambda: watch.evidence("1") == STANDS)
        (repo / "go").touch()
        watch.until(lambda: watch.steps("1")[-1] == "done")
        assert "went" in asked(model)[1]
        assert "Notice from monitor" in asked(model)[1]
        assert WORDS in asked(model)[1]


def test_feedback_between_turns(repo, monkeypatch):
    """Sent when the request is over, it begins the next one."""
    with working(repo, monkeypatch, [Turn("Done."), Turn("Done again.")]) as (watch, model):
        watch.reads('"session.idle"')
        watch.until(lambda: watch.channel.how("feedback") == "as its next prompt: no request is running")
        watch.channel.send(Action("1", "feedback", WORDS))
        watch.until(lambda: watch.steps("1")[-1:] == ["done"])
        assert len(asked(model)) == 2
        assert WORDS in asked(model)[1]


def test_feedback_now_ends_what_runs_first(repo, monkeypatch):
    """Sent as urgent while a call runs, it ends that request and begins the next; only one loop ever runs."""
    with working(repo, monkeypatch, [Turn(calls=(WAITS,)), Turn("Done.")]) as (watch, model):
        watch.reads(RUNNING)
        family = Family(watch.found.identity(), watch.found.mark)
        watch.until(lambda: any("until [" in one.identity.command for one in family.look()))
        watch.channel.send(Action("1", "feedback", WORDS, when="now"))
        watch.until(lambda: watch.steps("1")[-1:] == ["done"])
        assert len(asked(model)) == 2
        assert WORDS in asked(model)[1]
        assert "User aborted the command" in asked(model)[1]


def test_abort_while_the_model_streams(repo, monkeypatch):
    """The session is idle, the model is asked no more, and the server lives on."""
    with working(repo, monkeypatch, [Turn(thinking=("I think.",), until=threading.Event())]) as (watch, model):
        watch.reads(STREAMING)
        watch.channel.send(Action("1", "abort"))
        watch.until(lambda: watch.steps("1")[-1:] == ["done"])
        assert watch.evidence("1") == "its session is idle"
        assert len(asked(model)) == 1
        assert watch.found.alive()


def test_abort_while_a_tool_runs(repo, monkeypatch):
    """The command is ended with it, and so is what it started."""
    with working(repo, monkeypatch, [Turn(calls=(WAITS,))]) as (watch, _):
        watch.reads(RUNNING)
        family = Family(watch.found.identity(), watch.found.mark)
        wait_for(lambda: any("until [" in one.identity.command for one in family.look()), "the command")
        watch.channel.send(Action("1", "abort"))
        watch.until(lambda: watch.steps("1")[-1:] == ["done"])
        wait_for(lambda: not any("until [" in one.identity.command for one in family.look()), "the command's end")


def test_an_abort_between_turns_ends_the_server(repo, monkeypatch):
    """Nothing is left to be stopped in a server that monitor started: it is ended, as the plan has named it."""
    with working(repo, monkeypatch, [Turn("Done.")]) as (watch, _):
        watch.reads('"session.idle"')
        watch.until(lambda: watch.channel.how("abort").startswith("ends its server"))
        assert watch.channel.plan().processes[0].pid == watch.found.identity().pid
        watch.channel.send(Action("1", "abort"))
        watch.until(lambda: watch.steps("1")[-1:] == ["done"])
        wait_for(lambda: not watch.found.alive(), "the server's end")


def test_words_that_an_abort_overtakes(repo, monkeypatch):
    """They stand in the conversation unanswered; said again, they are answered."""
    turns = [Turn(thinking=("I think.",), until=threading.Event()), Turn("Done.")]
    with working(repo, monkeypatch, turns) as (watch, model):
        watch.reads(STREAMING)
        watch.channel.send(Action("1", "feedback", WORDS))
        watch.until(lambda: watch.evidence("1") == STANDS)
        watch.channel.send(Action("2", "abort"))
        watch.until(lambda: watch.steps("2")[-1:] == ["done"])
        assert watch.steps("1")[-1] == "failed"
        assert watch.evidence("1") == UNANSWERED
        assert len(asked(model)) == 1


@pytest.mark.parametrize("verb", ["allow", "deny"])
def test_a_call_is_allowed_or_denied(repo, monkeypatch, verb):
    """Allowed it runs; denied the model reads why, and goes on."""
    call = ("bash", {"command": "echo made > made.txt", "description": "make"})
    rules = {"permission": {"bash": "ask"}}
    with working(repo, monkeypatch, [Turn(calls=(call,)), Turn("Done.")], **rules) as (watch, model):
        watch.reads('"permission.asked"')
        watch.until(lambda: watch.channel.can(verb) == "")
        watch.channel.send(Action("1", verb, "Leave it" if verb == "deny" else ""))
        watch.until(lambda: watch.steps("1")[-1:] == ["done"])
        watch.until(lambda: len(asked(model)) == 2)
        assert (repo / "made.txt").exists() is (verb == "allow")
        assert ("Leave it" in asked(model)[1]) is (verb == "deny")


def test_a_session_of_somebody_else(repo, monkeypatch):
    """By the address of its server, with the password of our own environment: words and an end reach it."""
    turns = [Turn(thinking=("I think.",), calls=(WAITS,)), Turn("Done."), Turn("Done again.")]
    with ScriptedModel(turns) as model:
        configured(monkeypatch, model)
        with serving(repo, "made-up") as (port, process):
            monkeypatch.setenv("OPENCODE_SERVER_PASSWORD", "made-up")
            server = Server(port)
            session = server.create(str(repo), "t")
            found = find(f"http://127.0.0.1:{port}")
            told = []
            run = Supervisor(found, live=True, channel=channel_of(found), tap=lambda event, _: told.append(event))
            server.prompt(session, str(repo), "Rename the app")

            def steps(name):
                run.step()
                return [one.receipt for one in told if getattr(one, "id", "") == name]

            wait_for(lambda: (run.step(), run.snapshot.run.calls == 1 and run.can("feedback") == "")[1], "its call")
            run.act(Action("1", "feedback", WORDS))
            wait_for(lambda: "delivered" in steps("1"), "its delivery")
            (repo / "go").touch()
            wait_for(lambda: steps("1")[-1:] == ["done"], "its end")
            assert WORDS in asked(model)[1]
            assert process.poll() is None
            run.close()


def command(repo, *words):
    """`monitor run` without a screen, to its end."""
    path = f"{OPENCODE.parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        [sys.executable, "-m", "monitor", "run", *words], cwd=repo, env={**os.environ, "PATH": path}, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


def left(repo):
    """The processes that still work in a folder."""
    return [one.process.pid for one in running() if one.folder == str(repo)]


@pytest.mark.parametrize(
    "words", [("--", "opencode", "run", "Rename the app"), ("--task", "Rename the app", "--", "opencode")]
)
def test_a_run_without_a_screen(repo, monkeypatch, words):
    """It ends with its request, with a report and without its server; 0 says that it came to its end."""
    with ScriptedModel([Turn("Done.")]) as model:
        configured(monkeypatch, model)
        done = command(repo, *words)
        assert done.returncode == 0, done.stderr
        assert "Rename the app" in asked(model)[0]
    assert "Claimed   done (1 claim)" in done.stdout
    assert "Provisional" not in done.stdout
    assert left(repo) == []


@pytest.mark.parametrize(
    ("words", "why"), [(("--model", "fake/none"), "Model not found"), (("--agent", "nobody"), "Agent not found")]
)
def test_a_run_that_fails_at_once(repo, monkeypatch, words, why):
    """What its server tells once, of a prompt that it holds or not even keeps, is the verdict; the exit code tells."""
    with ScriptedModel([]) as model:
        configured(monkeypatch, model)
        done = command(repo, "--", "opencode", "run", *words, "Rename the app")
    assert done.returncode == 1
    assert "FAILED" in done.stdout
    assert why in done.stdout
    assert left(repo) == []


def test_what_a_server_is_not_told_prints_its_events(repo, monkeypatch):
    """`opencode run` with options of its own: read from what it prints, reached by signals alone."""
    with ScriptedModel([Turn("Done.")]) as model:
        configured(monkeypatch, model)
        done = command(repo, "--", "opencode", "run", "--thinking", "Rename the app")
    assert done.returncode == 0, done.stderr
    assert "Claimed   done (1 claim)" in done.stdout
    assert "added to the command, to reach the agent: --format json" in done.stderr

"""OpenCode as monitor starts it: the command that is made of the operator's, and the server's one session."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from kept_runs import kept, watched
from opencode_server import CWD, SESSION, serving
from opencode_watched import done, stand_in
from waiting import until

from monitor.actions import Action
from monitor.agents.catalogue import AGENTS
from monitor.agents.opencode.server import PASSWORD
from monitor.agents.opencode.serving import NOTE, Serving
from monitor.agents.opencode.words import STANDS
from monitor.errors import MonitorError
from monitor.finding.ends import FileEnds
from monitor.finding.machine import Processes
from monitor.finding.started import StartedLister
from monitor.launch.command import Prepared, prepare
from monitor.reaching import channel_of, followed
from monitor.supervisor import Supervisor
from monitor.targets import find, finders

SERVE = ("serve", "--hostname", "127.0.0.1", "--port", "0")


@pytest.mark.parametrize(
    ("words", "task", "ask"),
    [
        (("run", "Fix", "it"), "Fix it", {}),
        (("run", "-m", "fake/one", "--agent=plan", "Fix it"), "Fix it", {"model": "fake/one", "agent": "plan"}),
        (("run", "--format", "json", "--title", "T", "--", "-x"), "-x", {"title": "T"}),
    ],
)
def test_a_task_is_said_to_a_server_of_its_own(words, task, ask):
    """With a password that is made for it, and what the command said beside the task."""
    found = prepare(("opencode", *words))
    assert (found.agent, found.command, found.task, found.ask) == ("opencode", ("opencode", *SERVE), task, ask)
    assert len(found.env[PASSWORD]) > 30
    assert found.env != prepare(("opencode", *words)).env


def test_the_task_may_stand_beside_the_command():
    """`monitor run --task TEXT -- opencode`."""
    found = prepare(("/opt/opencode",), task="Fix it")
    assert (found.command, found.task) == (("/opt/opencode", *SERVE), "Fix it")


@pytest.mark.parametrize(
    "words", [("--continue", "go on"), ("-s", "ses_1", "go on"), ("--model",), ("-f", "a.txt", "read it")]
)
def test_what_a_server_is_not_told_runs_by_itself(words):
    """It prints its events, and is reached by signals alone."""
    found = prepare(("opencode", "run", *words))
    assert (found.agent, found.command) == ("other", ("opencode", "run", "--format", "json", *words))
    assert found.added == ("--format", "json")
    assert prepare(("opencode", "run", "-c", "--format", "json")).added == ()


@pytest.mark.parametrize(("words", "task"), [((), ""), (("run", "x"), "y"), (("web",), "")])
def test_its_own_screen_cannot_be_started(words, task):
    """What to do instead is said."""
    with pytest.raises(MonitorError, match="screen of its own"):
        prepare(("opencode", *words), task=task)


def test_its_session_is_made_told_and_reached(tmp_path):
    """Once: whoever attaches later finds the same session, by the run's own name."""
    with serving("made-up") as fake, kept(stand_in(fake.port), tmp_path) as found:
        followed(found)
        assert [path for path, _ in fake.asked] == ["/session", f"/session/{SESSION}/prompt_async"]
        body = fake.asked[1][1]
        assert body == {
            "parts": [{"type": "text", "text": "Fix it"}],
            "model": {"providerID": "fake", "modelID": "one"},
        }
        assert (tmp_path / "given").read_text() == "made-up"
        again = find(found.title)
        assert again.inputs()[0].name == f"127.0.0.1:{fake.port}"
        (listed,) = StartedLister(finders()).listed(Processes(), FileEnds())
        assert (listed.session, listed.state, listed.agent) == (SESSION, "live", "opencode")
        with watched(found, channel_of(found)) as watch:
            watch.until(lambda: fake.listeners)
            watch.channel.send(Action("1", "feedback", "Use tabs"))
            watch.until(lambda: watch.evidence("1") == STANDS)
        followed(again)
        assert len([path for path, _ in fake.asked if path == "/session"]) == 1


def test_the_password_is_this_users_alone(tmp_path):
    """It stands in the run's own folder, in a file that nobody else may read."""
    with serving("made-up") as fake, kept(stand_in(fake.port), tmp_path) as found:
        path = found.folder / "launch.json"
        assert json.loads(path.read_text())["env"] == {PASSWORD: "made-up"}
        assert path.stat().st_mode & 0o077 == 0
        assert PASSWORD not in os.environ


def test_a_server_that_does_not_start(tmp_path):
    """Its last words are told."""
    code = "import sys; sys.exit('no database')"
    with kept(Prepared("opencode", (sys.executable, "-c", code), task="x"), tmp_path) as found:
        until(lambda: found.ended() is not None)
        serving_ = found.serving
        assert serving_ is not None
        with pytest.raises(MonitorError, match="no database"):
            serving_.begin(found.folder / "output", "x", {}, lambda: found.last_words() if found.ended() else None)
        assert found.inputs()[0].path is not None


def test_a_note_that_is_broken_is_none(tmp_path):
    """Then its output is read instead."""
    made = Serving(tmp_path, Path(CWD), {})
    assert (made.session, made.found(lives=True)) == ("", None)
    (tmp_path / NOTE).write_text("{")
    assert made.found(lives=True) is None
    (tmp_path / NOTE).write_text('{"session": "ses_1", "port": 1}')
    assert made.found(lives=True) is not None
    assert made.found(lives=False) is None


def test_what_reaches_it(tmp_path):
    """All that the README's table says, of one that monitor started and of one that somebody else did."""
    verbs = ("abort", "pause", "warn", "feedback", "allow", "deny")
    (known,) = [one for one in AGENTS if one.agent == "opencode"]
    later = ("", "nothing waits for approval")
    with serving("made-up") as fake, kept(stand_in(fake.port), tmp_path) as found:
        followed(found)
        with watched(found, channel_of(found)) as watch:
            watch.until(lambda: watch.channel.can("abort") == "")
            assert tuple(verb for verb in verbs if watch.channel.can(verb) in later) == known.launched == known.running


def test_a_server_that_does_not_obey_is_ended_by_signals(tmp_path):
    """It said yes to an abort, and its session never rested: after the time that it has, its process is interrupted."""
    with serving("made-up") as fake, kept(stand_in(fake.port), tmp_path) as found:
        followed(found)
        with watched(found, channel_of(found)) as watch:
            watch.until(lambda: watch.channel.how("abort").startswith("asks"))
            plan = watch.channel.plan()
            assert plan.processes[0].pid == found.identity().pid
            assert [one.force for one in plan.steps][:2] == ["ask", "interrupt"]
            watch.channel.send(Action("1", "abort"))
            watch.until(lambda: watch.evidence("1") == "its server has it")
            watch.until(lambda: watch.steps("1")[-1] == "done")
            assert "SIGINT" in watch.evidence("1")
            assert found.identity() is None


def test_a_server_that_rests_is_ended(tmp_path):
    """Its request is over and nothing is left to be stopped: an abort names its process, and ends it by signals."""
    with serving("made-up") as fake, kept(stand_in(fake.port), tmp_path) as found:
        followed(found)
        with watched(found, channel_of(found)) as watch:
            watch.until(lambda: watch.channel.how("abort").startswith("asks"))
            done(fake)
            watch.until(lambda: watch.channel.how("abort").startswith("ends its server"))
            plan = watch.channel.plan()
            assert plan.processes[0].pid == found.identity().pid
            assert [one.force for one in plan.steps][:1] == ["interrupt"]
            watch.channel.send(Action("1", "abort"))
            watch.until(lambda: watch.steps("1")[-1:] == ["done"])
            until(lambda: found.ended() is not None)
            watch.channel.send(Action("2", "abort"))
            watch.until(lambda: watch.steps("2")[-1:] == ["failed"])
            assert "gone" in watch.evidence("2")


def test_the_row_of_its_end(tmp_path):
    """Read back alone, the record of a reply's end says nothing of how the run ended; told in its order it does."""
    with serving("made-up") as fake, kept(stand_in(fake.port), tmp_path) as found:
        followed(found)
        until(lambda: fake.talk.events[-1]["type"] == "message.part.updated")
        done(fake)
        run = Supervisor(find(found.title), live=False)
        run.read_all()
        row = next(one for one in map(run.rows.row, range(len(run.rows))) if one.kind == "ended")
        assert run.snapshot.run.status == "completed"
        assert "without an answer" not in row.text
        run.close()

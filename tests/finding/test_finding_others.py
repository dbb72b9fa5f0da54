"""Runs of the other agents, and our own, as they are listed."""

from __future__ import annotations

import json
import os
import sys
import time

from found_machine import Pretended, dirtywork, lcode, look, one, pi, sleeper
from kept_runs import kept, python
from waiting import until

from monitor.agents.listed import Program
from monitor.agents.native import listing
from monitor.config import state_folder
from monitor.events import Prompted, RunEnded, RunStarted
from monitor.finding.machine import called
from monitor.finding.machine import look as processes
from monitor.journal import Header, Journal
from monitor.targets import find

ID = "20261128-150000-abcdef"


def test_a_dirtywork_run(private_home):
    """Its task's first line is its title, its status and end are run.json's."""
    dirtywork(private_home, "build-1")
    found = one(look())
    assert (found.agent, found.session, found.state, found.how) == (
        "dirtywork",
        "build-1",
        "ended",
        "run.json says completed",
    )
    assert (found.title, found.folder, found.last) == ("Build the release package", "/home/mara/src/apk", 1795878300.0)


def test_a_dirtywork_run_over_a_dead_process(private_home, tmp_path):
    """run.json says running even when its process was killed: it is not running."""
    with sleeper(tmp_path / "w") as process:
        pass
    dirtywork(private_home, "dead-1", status="running", host_pid=process.pid, ended=None)
    found = one(look())
    assert (found.state, found.how) == ("ended", f"run.json says running, but its process {process.pid} is gone")


def test_a_live_dirtywork_run(private_home, tmp_path):
    """While its process runs it is live."""
    with sleeper(tmp_path / "w", "dirtywork") as process:
        began = time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime(time.time() + 1))
        dirtywork(private_home, "live-1", status="running", host_pid=process.pid, ended=None, started=began)
        found = one(look())
    assert (found.state, found.pid, found.folder) == ("live", process.pid, "/home/mara/src/apk-work")


def test_a_session_of_lcode(private_home):
    """Its title and folder stand in its head; its id tells when it began; no process names it."""
    path = lcode(private_home, ID)
    found = one(look())
    assert (found.state, found.title, found.folder) == ("ended", "Write a fuzz test", "/home/mara/lab")
    assert found.how == "no process of lcode works in its folder"
    assert found.began is not None
    running = Pretended({"lcode": [Program(5, path.stat().st_mtime - 9, "/home/mara")]})
    assert (one(look(running)).state, one(look(running)).pid) == ("unknown", 5)


def test_a_session_of_pi(private_home):
    """Its header tells folder and beginning, its first prompt is its title; no process names it, and it opens by its id."""
    path = pi(private_home, "5f0c1a2b-1111-4222-8333-000000000001")
    found = one(look())
    assert (found.agent, found.state, found.title, found.folder) == (
        "pi",
        "ended",
        "Sort the imports",
        "/home/mara/lab",
    )
    assert (found.path, found.began, found.how) == (path, 1795878000.0, "no process of pi works in its folder")
    assert find(found.session).title == found.session
    running = Pretended({"pi": [Program(7, path.stat().st_mtime - 9, "/home/mara/lab")]})
    assert (one(look(running)).state, one(look(running)).pid) == ("unknown", 7)
    path.write_text('{"type":"session"\n')
    assert look().runs == ()


def test_a_started_run(private_home, tmp_path):
    """It is live while the process with its mark lives, and says how it ended."""
    said = json.dumps({"event": "RunStarted", "agent": "tiny"})
    with kept(python(f"print('{said}', flush=True); input()"), tmp_path) as launched:
        found = one(look())
        assert (found.state, found.agent, found.ours, found.folder) == ("live", "native", True, str(tmp_path))
        assert (found.path, found.session) == (launched.folder, launched.folder.name)
        assert found.pid == launched.identity().pid
    until(lambda: one(look()).state == "ended")
    assert one(look()).how == "it ended by signal 9"


def test_a_started_run_has_its_agents_session(private_home, tmp_path):
    """A run that its agent tells of too is listed once, under the session that its output names."""
    told = json.dumps({"type": "start", "schema": 1, "lcode": "0.51.0", "session_id": ID, "model": "m", "cwd": "/"})
    lcode(private_home, ID, title="what was asked")
    with kept(
        python(f"print('{told}', flush=True); import time; time.sleep(60)", agent="lcode", listens=False), tmp_path
    ) as launched:
        until(lambda: (launched.folder / "output").stat().st_size > 0)
        found = one(look())
        assert (found.session, found.path, found.state, found.title) == (ID, launched.folder, "live", "what was asked")


def test_a_journal_stands_for_its_run_only_where_nothing_else_does(private_home):
    """The record of a run that is listed anyway is not listed again; that of a pipe is."""
    for name in (ID, "the pipe"):
        journal = Journal.open(state_folder("journals"), Header(run=name, agent="lcode", began=10.0))
        journal.append(Prompted(text="go"))
        if name == "the pipe":
            journal.append(RunEnded(status="success"))
        journal.close()
    found = {run.session: run for run in look().runs}
    assert (found["the pipe"].state, found[ID].state) == ("ended", "unknown")
    assert "no end" in found[ID].how
    path = lcode(private_home, ID)
    found = {run.session: run for run in look().runs}
    assert (found[ID].path, found[ID].state, len(found)) == (path, "ended", 2)


def test_piped_runs_are_each_listed(private_home):
    """What has no name but that of a pipe or a file is told from others by its journal, agent and task."""
    for agent, asked, over in (("one", "Do this", True), ("two", "Do that", False)):
        journal = Journal.open(state_folder("journals"), Header(run="the pipe", inputs=("the pipe",), began=10.0))
        journal.append(RunStarted(agent=agent))
        journal.append(Prompted(text=asked))
        if over:
            journal.append(RunEnded(status="success"))
        journal.close()
    runs = look().runs
    assert {(run.agent, run.title, run.state) for run in runs} == {
        ("one", "Do this", "ended"),
        ("two", "Do that", "unknown"),
    }
    for run in runs:
        found = find(run.session)
        assert [one.path for one in found.inputs()] == [run.path]


def test_a_file_that_was_looked_at_again_is_listed_once(private_home):
    """The newest journal stands for all of one session; another session of the same file name is another run."""
    paths = []
    for session, asked in (("s1", "first look"), ("s1", "second look"), ("s2", "another")):
        journal = Journal.open(state_folder("journals"), Header(run="out.jsonl", inputs=("out.jsonl",), began=10.0))
        journal.append(RunStarted(agent="lcode", session=session))
        journal.append(Prompted(text=asked))
        journal.close()
        paths.append(journal.path)
    newest = max(paths[:2])
    assert {run.path for run in look().runs} == {newest, paths[2]}


def test_names_of_programs():
    """An interpreter's script or module is what it runs; a word among arguments is not."""
    assert "claude" in called(["/usr/bin/claude", "-p", "x"])
    assert "lcode" in called(["/usr/bin/python3.11", "/opt/bin/lcode", "-p", "x"])
    assert "dirtywork" in called(["python3", "-m", "dirtywork", "run"])
    assert "claude-code" in called(["node", "--x", "/lib/node_modules/@anthropic-ai/claude-code/cli.js"])
    assert "claude" not in called(["/usr/bin/vim", "claude"])
    assert called([]) == set()


def test_the_machine_is_looked_at_without_a_program(tmp_path):
    """A process of this user is found by its program, with the folder it works in."""
    with sleeper(tmp_path / "w") as process:
        name = sys.executable.rsplit("/", 1)[-1]
        found = {one.pid: one for one in processes().programs(name)}
        assert found[process.pid].folder == str(tmp_path / "w")


def test_who_writes_many_journals_is_asked_after_once(private_home, monkeypatch):
    """One monitor that follows many runs is one process: whether it still runs is asked once in each look."""
    for number in range(5):
        Journal.open(state_folder("journals"), Header(run=f"run-{number}", agent="lcode", pid=os.getpid())).close()
    asked = []
    monkeypatch.setattr(listing, "written_now", lambda header: asked.append(header.pid) is None)
    assert all("still runs" in run.how for run in look().runs)
    assert asked == [os.getpid()]

"""A run that is followed while it goes on, its folder measured and watched."""

from __future__ import annotations

import os
import time
from pathlib import Path

import logs
from judged_logs import judged, shown
from waiting import until

from monitor.actions import Action
from monitor.opening import supervised
from monitor.sources import Sources
from monitor.supervisor import Supervisor
from monitor.targets import find


def test_a_vanished_log_takes_nothing_down(tmp_path):
    """A log that disappears while it is followed is told as a notice; what was read stands."""
    log = tmp_path / "run.jsonl"
    log.write_bytes(logs.lines(*logs.FALSE_DONE[:4]))
    supervisor = supervised(find(str(log)), None)
    supervisor.start()
    until(lambda: supervisor.snapshot.writes.outstanding == 1)
    log.unlink()
    until(lambda: supervisor.snapshot.sources)
    assert supervisor.snapshot.writes.outstanding == 1
    log.write_bytes(logs.lines(*logs.FALSE_DONE))
    until(lambda: supervisor.snapshot.verdict.state == "not made")
    assert not supervisor.problem
    supervisor.close()


def test_attaching_writes_nothing(tmp_path):
    """Following a run leaves its files and its folder as they were, times included."""
    project = tmp_path / "project"
    project.mkdir()
    (project / "a.py").write_text("x\n")
    log = tmp_path / "run.jsonl"
    log.write_bytes(logs.lines(*logs.FALSE_DONE))
    os.utime(log, (1_000_000_000, 1_000_000_000))
    before = [(path, path.stat()) for path in sorted(tmp_path.rglob("*"))]
    supervisor = supervised(find(str(log)), project)
    supervisor.start()
    until(lambda: supervisor.ended and supervisor.snapshot.worktree.measured)
    supervisor.close()
    assert [(path, path.stat()) for path in sorted(tmp_path.rglob("*"))] == before


def test_measured_while_it_works(tmp_path):
    """A folder that changes between prompt and claim is measured as changed, by file."""
    project = tmp_path / "project"
    project.mkdir()
    (project / "a.py").write_text("x\n")
    log = tmp_path / "run.jsonl"
    log.write_bytes(logs.lines(logs.started(project=str(project))))
    supervisor = supervised(find(str(log)), project)
    supervisor.start()
    until(lambda: supervisor.snapshot.worktree.measured == 1)
    append(log, logs.prompted())
    until(lambda: supervisor.snapshot.worktree.measured == 2)
    (project / "a.py").write_text("y\n")
    append(log, logs.edited("1"), logs.worked("1"), *logs.answered())
    until(lambda: supervisor.snapshot.verdict.state == "changed" and not supervisor.snapshot.verdict.provisional)
    assert [file.file for file in supervisor.snapshot.worktree.files] == ["a.py"]
    supervisor.close()


def append(log: Path, *events):
    """Let the log grow."""
    with log.open("ab") as file:
        file.write(logs.lines(*events))


def test_a_supervised_run_replays_from_its_journal(tmp_path, private_home):
    """What was followed live stands in a private journal, and its report says the same."""
    log = tmp_path / "run.jsonl"
    log.write_bytes(logs.lines(*logs.FALSE_DONE))
    supervisor = supervised(find(str(log)), None)
    supervisor.start()
    until(lambda: supervisor.ended)
    supervisor.close()
    (journal,) = private_home.rglob("journals/*.jsonl")
    assert journal.stat().st_mode & 0o077 == 0
    assert journal.parent.stat().st_mode & 0o077 == 0
    replayed, straight = judged(journal), judged(log)
    assert replayed["verdict"]["state"] == straight["verdict"]["state"] == "not made"
    assert replayed["failed_writes"][0]["failures"][0]["what"] == straight["failed_writes"][0]["failures"][0]["what"]


def test_what_the_monitor_does_is_not_the_runs_time(tmp_path):
    """Settling a finding after the end leaves the run's times as they were."""
    log = tmp_path / "run.jsonl"
    log.write_bytes(logs.lines(*logs.FALSE_DONE))
    supervisor = Supervisor(find(str(log)), live=True)
    while supervisor.step():
        pass
    before = supervisor.snapshot.run
    supervisor.act(Action("a1", "settle", text="meant so", subject=supervisor.snapshot.findings[0].key))
    supervisor.step()
    assert (supervisor.snapshot.run.last, supervisor.snapshot.run.ended) == (before.last, before.ended)
    supervisor.close()


def test_an_edit_from_outside_is_told(tmp_path):
    """A file that somebody else changes while the agent works is named as changed from outside, with a row of its own."""
    project = tmp_path / "project"
    project.mkdir()
    (project / "a.py").write_text("x\n")
    log = tmp_path / "run.jsonl"
    now = time.time()
    log.write_bytes(logs.lines(logs.started(project=str(project), cwd=str(project), lag="event", at=now)))
    supervisor = supervised(find(str(log)), project)
    supervisor.start()
    until(lambda: supervisor.snapshot.worktree.measured == 1)
    read = {"event": "ToolCalled", "call": "r1", "tool": "read", "kind": "read", "paths": ["a.py"], "at": time.time()}
    append(log, logs.prompted(at=time.time()), read, logs.worked("r1", at=time.time()))
    until(lambda: supervisor.snapshot.worktree.measured == 2)
    until(lambda: time.time() > now + 2.1)
    (project / "a.py").write_text("somebody's\n")
    until(lambda: supervisor.snapshot.outside.authors)
    append(log, *logs.answered(at=time.time() + 3))
    until(lambda: [one.file for one in supervisor.snapshot.outside.edits] == ["a.py"])
    assert supervisor.snapshot.outside.who("a.py").by == "outside"
    until(lambda: "outside" in [one.kind for one in shown(supervisor.rows)])
    until(lambda: supervisor.snapshot.verdict.state == "unchanged")
    assert "only others than the agent" in supervisor.snapshot.verdict.reason
    finding = next(one for one in supervisor.snapshot.findings if one.detector == "outside_edits")
    row = supervisor.rows.row(supervisor.rows.ref_of(finding.places[-1].seq))
    assert (row.kind, row.text, row.level) == ("outside", "a.py", "outside")
    supervisor.close()


def test_a_fault_of_monitor_leaves_nothing_running(tmp_path, monkeypatch):
    """Whether a run still goes on is unknown from then on, with the reason; what was found before stands."""
    log = tmp_path / "run.jsonl"
    log.write_bytes(logs.lines(*logs.FALSE_DONE[:4]))
    supervisor = supervised(find(str(log)), None)
    supervisor.start()
    until(lambda: supervisor.snapshot.writes.outstanding == 1)
    assert supervisor.snapshot.verdict.state == "running"
    before = supervisor.snapshot.writes
    monkeypatch.setattr(Sources, "take", lambda _: int("no number"))
    supervisor.act(Action("1", "settle", subject="nothing"))
    until(lambda: supervisor.problem)
    told = (
        "monitor itself failed and reads no further (ValueError: invalid literal for int() with base 10: 'no number')"
    )
    assert supervisor.snapshot.sources == (told,)
    assert (supervisor.snapshot.verdict.state, supervisor.snapshot.verdict.reason) == ("unknown", f"M{told[1:]}")
    assert supervisor.snapshot.writes == before
    supervisor.close()

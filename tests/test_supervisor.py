"""From bytes to a snapshot: the whole way, live and finished."""

from __future__ import annotations

import json
import os
import threading
import time
from pathlib import Path

import logs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from monitor.actions import Action
from monitor.opening import supervised
from monitor.report.build import build
from monitor.run import Run
from monitor.supervisor import Supervisor
from monitor.targets import find


def judged(path):
    """The report of a finished log."""
    supervisor = Supervisor(find(str(path)), live=False)
    try:
        supervisor.read_all()
        return build(supervisor.snapshot, supervisor.accounts())
    finally:
        supervisor.close()


def until(condition, patience=20.0):
    """Wait for a condition, for so many seconds at the most."""
    end = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < end, "it never came"
        threading.Event().wait(0.01)


def followed(path, whole, pieces):
    """The report of a log that grew piece by piece while it was followed."""
    path.write_bytes(whole[: pieces[0]])
    supervisor = Supervisor(find(str(path)), live=True, clock=lambda: 10.0)
    try:
        for start, stop in zip(pieces, [*pieces[1:], len(whole)], strict=True):
            with path.open("ab") as file:
                file.write(whole[start:stop])
            supervisor.step()
        while supervisor.step():
            pass
        supervisor.finish()
        return build(supervisor.snapshot, supervisor.accounts())
    finally:
        supervisor.close()


def shown(rows):
    """The rows in the order in which they stand."""
    return [rows.row(rows.ref(index)) for index in range(len(rows))]


def test_false_done(tmp_path):
    """Two failed writes and a claim of done: not made, and every byte is accounted for."""
    log = tmp_path / "run.jsonl"
    log.write_bytes(logs.lines(*logs.FALSE_DONE))
    report = judged(log)
    assert (report["verdict"]["state"], report["verdict"]["claimed_done"]) == ("not made", True)
    assert [entry["outstanding"] for entry in report["failed_writes"]] == [True]
    assert [failure["place"]["line"] for failure in report["failed_writes"][0]["failures"]] == [4, 6]
    account = report["inputs"][0]
    assert account["bytes"] == log.stat().st_size == account["decoded_bytes"]


CUTS = st.lists(st.integers(0, len(logs.lines(*logs.FALSE_DONE))), max_size=12)


@given(CUTS)
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_pieces_give_the_same_report(tmp_path, cuts):
    """A log fed in one piece, or in any pieces while it grows, gives the same report."""
    whole = logs.lines(*logs.FALSE_DONE)
    log = tmp_path / "run.jsonl"
    log.write_bytes(whole)
    expected = judged(log)
    first = len(logs.lines(logs.started()))
    pieces = sorted({first, *(cut for cut in cuts if cut > first)})
    assert followed(log, whole, pieces) == expected


def test_byte_by_byte(tmp_path):
    """A log that grows byte by byte gives the same report."""
    whole = logs.lines(*logs.FALSE_DONE)
    log = tmp_path / "run.jsonl"
    log.write_bytes(whole)
    expected = judged(log)
    first = len(logs.lines(logs.started()))
    assert followed(log, whole, list(range(first, len(whole)))) == expected


RECORDINGS = [
    "claude/transcript_basic.jsonl",
    "claude/p_stream_basic.jsonl",
    "claude/p_subagent.stream.jsonl",
    "claude/p_rep.stream.jsonl",
    "claude/subagent_session",
    "dirtywork/06-failed-edits-then-claims-done/rundir",
    "dirtywork/16-firewall-denial-and-bad-args/rundir",
]


@pytest.mark.parametrize("name", RECORDINGS)
def test_a_copy_goes_on_like_the_original(shared, name):
    """A copy of run and decoder taken anywhere, and continued, gives the same as going straight on."""
    found = find(str(shared / "captures" / name))
    events = []
    supervisor = Supervisor(found, live=False, tap=lambda event, _: events.append(event))
    supervisor.read_all()
    supervisor.close()
    for part in range(1, 8):
        cut = len(events) * part // 8
        run = Run()
        for event in events[:cut]:
            run.feed(event)
        other = run.copy()
        for event in events[cut:]:
            other.feed(event)
        run.snapshot()
        assert other.snapshot() == supervisor.snapshot


def test_rows_are_read_back(tmp_path):
    """The timeline's texts come from the log itself, and say so when it is gone."""
    log = tmp_path / "run.jsonl"
    log.write_bytes(logs.lines(*logs.FALSE_DONE))
    supervisor = Supervisor(find(str(log)), live=False)
    supervisor.read_all()
    rows = shown(supervisor.rows)
    assert [row.kind for row in rows] == ["started", "prompt", "write", "write", "claim", "ended"]
    assert [row.text for row in rows][1:5] == ["Mend it", "a.py", "a.py", "Done."]
    assert rows[2].outcome == "old text not found"
    assert [row.level for row in rows][2:4] == ["stop", "stop"]
    supervisor.close()
    other = Supervisor(find(str(log)), live=False)
    other.read_all()
    log.unlink()
    assert other.rows.row(1).text == "the text can no longer be read"
    other.close()


def test_the_operator_settles(tmp_path):
    """A settled finding is no longer outstanding, and the reason is on record."""
    log = tmp_path / "run.jsonl"
    log.write_bytes(logs.lines(*logs.FALSE_DONE[:-1]))
    supervisor = Supervisor(find(str(log)), live=True)
    while supervisor.step():
        pass
    finding = next(one for one in supervisor.snapshot.findings if one.state == "open")
    supervisor.act(Action("a1", "settle", text="it is meant so", subject=finding.key))
    supervisor.step()
    assert supervisor.snapshot.writes.outstanding == 0
    assert "it is meant so" in supervisor.snapshot.writes.entries[0].settled_by
    assert supervisor.snapshot.actions[0].receipt == "done"
    supervisor.close()


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


def test_json_stays_json(tmp_path):
    """A report of hostile texts is still one JSON object."""
    log = tmp_path / "run.jsonl"
    log.write_bytes(logs.lines(logs.started(task="[/foo]\x1b]52;c;x\x07\u202e\ud800"), logs.prompted("\x00[INFO]")))
    assert json.loads(json.dumps(judged(log)))["runs"][0]["task"]


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
    assert "from outside" in supervisor.snapshot.verdict.reason
    finding = next(one for one in supervisor.snapshot.findings if one.detector == "outside_edits")
    row = supervisor.rows.row(supervisor.rows.ref_of(finding.places[-1].seq))
    assert (row.kind, row.text, row.level) == ("outside", "a.py", "note")
    supervisor.close()
